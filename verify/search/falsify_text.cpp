#include "verify/search/falsify_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "numerics/io/json_network.hpp"
#include "verify/enclosure.hpp"

namespace rankfall::verify {
namespace {

using Json = nlohmann::ordered_json;

std::string counted(Index count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string shape_words(const Shape& shape) {
  std::string words = fmt::format("{}, dim {}, {}, {}", counted(shape.tokens, "token"), shape.dim,
                                  counted(shape.heads, "head"), counted(shape.outputs, "output column"));
  if (shape.depth > 1) words += fmt::format(", depth {}", shape.depth);
  if (shape.skip != 0) words += ", skip " + rankfall::to_text(shape.skip);
  return shape.mlp ? words + ", a relu block" : words;
}

/// What a search without a violation says, and no more.
std::string conclusion(const FalsifyRequest& request, const Finding& finding) {
  if (!finding.violated())
    return fmt::format("no violation found in {} evaluations (seed {})", finding.evaluations, request.seed);
  return fmt::format(
      "VIOLATED by this instance, found in {} evaluations (seed {}); the catalogue holds it {}",
      finding.evaluations, request.seed, name(finding.decision->claim()));
}

Json ends(const EnclosureText& text) {
  return {text.low, text.high};
}

}  // namespace

std::string claim_words(const FalsifyRequest& request) {
  const theory::Statement& s = *request.statement;
  return s.uses_gamma ? fmt::format("{} (gamma {})", s.id, name(request.gamma)) : s.id;
}

std::string falsify_text(const FalsifyRequest& request, const Finding& finding) {
  std::string text =
      fmt::format("{}: {}\n{}\n", claim_words(request), request.statement->title, shape_words(request.shape));
  if (!finding.ratio && finding.violated())
    return text + "left above zero, right zero\n" + conclusion(request, finding) + "\n";
  if (!finding.ratio)
    return text +
           fmt::format("no instance with both sides above zero in {} evaluations\n", finding.evaluations);
  const EnclosureText ratio = value_text(*finding.ratio, ratio_digits);
  const Decision& d = *finding.decision;
  text += fmt::format("largest left/right found: in [{}, {}]\n", ratio.low, ratio.high);
  text += fmt::format("  {}{}, weights of {} bits\n", d.subject(),
                      d.reference.empty() ? "" : ", read at the " + d.reference, finding.weight_bits);
  for (const HypothesisResult& h : d.hypotheses) text += fmt::format("  hypothesis {}: certified\n", h.name);
  return text + conclusion(request, finding) + "\n";
}

std::string falsify_json(const FalsifyRequest& request, const Finding& finding) {
  const Shape& shape = request.shape;
  Json root{{"format", "rankfall-falsify/1"},
            {"statement", request.statement->id},
            {"gamma", request.statement->uses_gamma ? Json(name(request.gamma)) : Json(nullptr)},
            {"tokens", shape.tokens},
            {"dim", shape.dim},
            {"heads", shape.heads},
            {"outputs", shape.outputs},
            {"depth", shape.depth},
            {"seed", request.seed},
            {"evaluations", finding.evaluations},
            {"violated", finding.violated()}};
  if (!finding.decision) {
    root["ratio"] = root["verdict"] = root["network"] = nullptr;
    return root.dump(2) + "\n";
  }
  const Decision& d = *finding.decision;
  root["ratio"] = nullptr;  // without bound where the right side may be zero
  if (finding.ratio) root["ratio"] = {{"value", ends(value_text(*finding.ratio, ratio_digits))}};
  root["verdict"] = name(d.verdict);
  root["quantity"] = d.subject();
  root["reference"] = d.reference.empty() ? Json(nullptr) : Json(d.reference);
  root["weight_bits"] = finding.weight_bits;
  root["network"] = Json::parse(write_network(*finding.network));
  return root.dump(2) + "\n";
}

}  // namespace rankfall::verify
