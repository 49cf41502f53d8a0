#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "verify/architectures_output.hpp"
#include "verify/enclosure.hpp"
#include "verify/report/number_text.hpp"

namespace rankfall::verify {
namespace {

using Json = nlohmann::ordered_json;

/// The profiles of each model, which stand together.
std::vector<std::vector<const Profile*>> by_model(const std::vector<Profile>& profiles) {
  std::vector<std::vector<const Profile*>> models;
  for (const Profile& profile : profiles) {
    if (models.empty() || models.back().front()->model != profile.model) models.emplace_back();
    models.back().push_back(&profile);
  }
  return models;
}

std::string shown(const Ball& log10, int digits) {
  return certified_text({log10, log10}, digits, Notation::plain);
}

/// "-3.21 (-3.3 .. -3.1)".
std::string cell(const Spread& spread, int digits) {
  if (spread.zeros == spread.runs) return "exactly 0";
  std::string text = shown(spread.mean, digits);
  if (spread.runs - spread.zeros > 1)
    text += fmt::format(" ({} .. {})", shown(spread.least, digits), shown(spread.greatest, digits));
  if (spread.zeros > 0) text += fmt::format(", exactly 0 in {} of {}", spread.zeros, spread.runs);
  return text;
}

/// Both ends of one number of a spread; "-inf" where there is none.
EnclosureText ends(const Spread& spread, const Ball& log10, int digits) {
  if (spread.zeros == spread.runs) return {"-inf", "-inf", "log10"};
  return value_text(log10, digits);
}

}  // namespace

std::string architectures_markdown(const std::vector<Profile>& profiles, int digits) {
  std::string text;
  for (const auto& model : by_model(profiles)) {
    text += fmt::format("{}## {}\n\nlog10 of the relative residual: mean (least .. greatest)\n\n| layer |",
                        text.empty() ? "" : "\n", model.front()->model);
    std::size_t layers = 0;
    for (const Profile* profile : model) {
      text += fmt::format(" {} |", name(profile->parts));
      layers = std::max(layers, profile->layers.size());
    }
    text += "\n|---:|";
    for (std::size_t i = 0; i < model.size(); ++i) text += "---|";
    text += "\n";
    for (std::size_t layer = 0; layer < layers; ++layer) {
      text += fmt::format("| {} |", layer);
      for (const Profile* profile : model)
        text += fmt::format(" {} |", cell(profile->layers.at(layer), digits));
      text += "\n";
    }
  }
  return text;
}

std::string architectures_csv(const std::vector<Profile>& profiles, int digits) {
  std::string text =
      "model,parts,layer,runs,zeros,log10_mean_lo,log10_mean_hi,log10_least_lo,log10_least_hi,"
      "log10_greatest_lo,log10_greatest_hi\n";
  for (const Profile& profile : profiles)
    for (std::size_t layer = 0; layer < profile.layers.size(); ++layer) {
      const Spread& spread = profile.layers[layer];
      text +=
          fmt::format("{},{},{},{},{}", profile.model, name(profile.parts), layer, spread.runs, spread.zeros);
      for (const Ball* number : {&spread.mean, &spread.least, &spread.greatest}) {
        const EnclosureText both = ends(spread, *number, digits);
        text += fmt::format(",{},{}", both.low, both.high);
      }
      text += "\n";
    }
  return text;
}

std::string architectures_json(const std::vector<Profile>& profiles, int digits) {
  Json all = Json::array();
  for (const Profile& profile : profiles) {
    Json layers = Json::array();
    for (std::size_t layer = 0; layer < profile.layers.size(); ++layer) {
      const Spread& spread = profile.layers[layer];
      const auto enclosure = [&](const Ball& number) {
        const EnclosureText both = ends(spread, number, digits);
        return Json{{"log10", {both.low, both.high}}};
      };
      layers.push_back({{"layer", layer},
                        {"runs", spread.runs},
                        {"zeros", spread.zeros},
                        {"mean", enclosure(spread.mean)},
                        {"least", enclosure(spread.least)},
                        {"greatest", enclosure(spread.greatest)}});
    }
    all.push_back({{"model", profile.model},
                   {"parts", name(profile.parts)},
                   {"bits", profile.bits},
                   {"layers", layers}});
  }
  return Json{{"format", "rankfall-architectures/1"}, {"profiles", all}}.dump(2) + "\n";
}

}  // namespace rankfall::verify
