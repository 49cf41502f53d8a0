#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "verify/precision.hpp"

namespace rankfall::verify {
namespace {

/// "layer 4 by 10^8.8", downward.
std::string refutation(const PrecisionRow& row) {
  return fmt::format("layer {} by 10^{:.1f}", *row.refutes, std::floor(row.decades * 10) / 10);
}

std::string layer(const std::optional<std::size_t>& state, const char* none) {
  return state ? fmt::format("layer {}", *state) : none;
}

std::string verdict(const PrecisionRow& row) {
  if (row.encloses)
    return row.undecided ? "open from layer " + std::to_string(*row.undecided) : "proves every layer";
  std::string text;
  if (row.refutes) text = "refutes " + refutation(row);
  if (row.vanishes)
    text += (text.empty() ? "" : ", ") + fmt::format("collapsed from layer {}", *row.vanishes);
  return text.empty() ? "none wrong" : text;
}

double downward(double digits) {
  return std::floor(digits * 10) / 10;
}

std::string bits(const std::optional<long>& number) {
  return number ? std::to_string(*number) : "-";
}

std::string in_words(const PrecisionStudy& study) {
  std::string text = fmt::format(
      "{} tokens, dim {}, {} layers: composite diameters against certified enclosures, and the verdict on "
      "the\n"
      "proved statement composite-diameter that each arithmetic would give\n\n"
      "{:<9} {:<14} {:>5} {:>10}  {:>15}  {:<14} {}\n",
      study.tokens, study.dim, study.depth, "form", "arithmetic", "bits", "time", "digits at end",
      "no digit from", "verdict");
  for (const PrecisionRow& row : study.rows)
    text += fmt::format("{:<9} {:<14} {:>5} {:>10}  {:>15.1f}  {:<14} {}\n", name(row.form), row.arithmetic,
                        row.bits, row.seconds ? fmt::format("{:.3g} ms", *row.seconds * 1000) : "-",
                        downward(row.digits.back()), layer(row.blind, "-"), verdict(row));
  text += fmt::format(
      "\nBits that a depth takes: to decide every layer so far in balls on the residual; to see one digit on "
      "the\n"
      "tokens themselves (beyond {} not searched); shared by the tokens, as the enclosures predict\n\n"
      "{:>5} {:>9} {:>9} {:>12}\n",
      most_direct_bits, "depth", "residual", "direct", "predicted");
  for (const DepthNeed& need : study.needs)
    text += fmt::format("{:>5} {:>9} {:>9} {:>12}\n", need.depth, bits(need.residual), bits(need.direct),
                        need.predicted);
  return text;
}

std::string in_csv(const PrecisionStudy& study) {
  std::string text =
      "form,arithmetic,bits,seconds,layer,digits,no_digit_from,refutes_at,refutes_decades,collapsed_at,open_"
      "at\n";
  const auto at = [](const std::optional<std::size_t>& state) { return state ? std::to_string(*state) : ""; };
  for (const PrecisionRow& row : study.rows)
    for (std::size_t k = 0; k < row.digits.size(); ++k)
      text += fmt::format("{},{},{},{},{},{:.2f},{},{},{},{},{}\n", name(row.form), row.arithmetic, row.bits,
                          row.seconds ? fmt::format("{:.6g}", *row.seconds) : "", k,
                          std::floor(row.digits[k] * 100) / 100, at(row.blind), at(row.refutes),
                          row.refutes ? fmt::format("{:.2f}", std::floor(row.decades * 100) / 100) : "",
                          at(row.vanishes), at(row.undecided));
  return text;
}

std::string in_json(const PrecisionStudy& study) {
  using Ordered = nlohmann::ordered_json;
  const auto maybe = [](const auto& value) { return value ? Ordered(*value) : Ordered(nullptr); };
  Ordered root = {{"format", "rankfall-precision/1"},
                  {"network", {{"tokens", study.tokens}, {"dim", study.dim}, {"depth", study.depth}}},
                  {"statement", "composite-diameter"},
                  {"rows", Ordered::array()},
                  {"bits", Ordered::array()}};
  for (const PrecisionRow& row : study.rows) {
    Ordered digits = Ordered::array();
    for (const double d : row.digits) digits.push_back(std::floor(d * 100) / 100);
    root["rows"].push_back(
        {{"form", name(row.form)},
         {"arithmetic", row.arithmetic},
         {"bits", row.bits},
         {"encloses", row.encloses},
         {"seconds", maybe(row.seconds)},
         {"digits", digits},
         {"no_digit_from", maybe(row.blind)},
         {"refutes_at", maybe(row.refutes)},
         {"refutes_decades", row.refutes ? Ordered(std::floor(row.decades * 100) / 100) : Ordered(nullptr)},
         {"collapsed_at", maybe(row.vanishes)},
         {"open_at", maybe(row.undecided)}});
  }
  for (const DepthNeed& need : study.needs)
    root["bits"].push_back({{"depth", need.depth},
                            {"residual", maybe(need.residual)},
                            {"direct", maybe(need.direct)},
                            {"predicted", need.predicted}});
  return root.dump(2) + "\n";
}

}  // namespace

std::string precision_text(const PrecisionStudy& study, PrecisionFormat format) {
  switch (format) {
    case PrecisionFormat::csv:
      return in_csv(study);
    case PrecisionFormat::json:
      return in_json(study);
    case PrecisionFormat::text:
      break;
  }
  return in_words(study);
}

}  // namespace rankfall::verify
