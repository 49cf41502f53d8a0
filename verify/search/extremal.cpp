#include "verify/search/extremal.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "numerics/io/json_network.hpp"
#include "verify/enclosure.hpp"
#include "verify/report/number_text.hpp"
#include "verify/search/falsify_text.hpp"
#include "verify/text_grid.hpp"

namespace rankfall::verify {
namespace {

using Json = nlohmann::ordered_json;

std::string found_text(const Finding& finding, int digits) {
  if (finding.ratio) return certified_text(*finding.ratio, digits, Notation::plain);
  return finding.violated() ? "without bound" : "none";
}

TextGrid grid(const std::vector<ExtremalRow>& rows, int digits) {
  TextGrid result{{"tokens", "dim", "heads", "outputs", "largest left/right found", "violated"}, {}};
  for (const auto& [shape, finding] : rows)
    result.rows.push_back({std::to_string(shape.tokens), std::to_string(shape.dim),
                           std::to_string(shape.heads), std::to_string(shape.outputs),
                           found_text(finding, digits), finding.violated() ? "yes" : "no"});
  return result;
}

TextGrid csv_grid(const std::vector<ExtremalRow>& rows, int digits) {
  TextGrid result{{"tokens", "dim", "heads", "outputs", "ratio_lo", "ratio_hi", "violated"}, {}};
  for (const auto& [shape, finding] : rows) {
    const EnclosureText ratio = finding.ratio ? value_text(*finding.ratio, digits) : EnclosureText{};
    result.rows.push_back({std::to_string(shape.tokens), std::to_string(shape.dim),
                           std::to_string(shape.heads), std::to_string(shape.outputs), ratio.low, ratio.high,
                           finding.violated() ? "true" : "false"});
  }
  return result;
}

std::string json(const FalsifyRequest& request, const std::vector<ExtremalRow>& rows, int digits) {
  Json list = Json::array();
  for (const auto& [shape, finding] : rows) {
    Json ratio = nullptr;
    if (finding.ratio) {
      const EnclosureText text = value_text(*finding.ratio, digits);
      ratio = {{"value", {text.low, text.high}}};
    }
    list.push_back(
        {{"tokens", shape.tokens},
         {"dim", shape.dim},
         {"heads", shape.heads},
         {"outputs", shape.outputs},
         {"evaluations", finding.evaluations},
         {"violated", finding.violated()},
         {"ratio", ratio},
         {"network", finding.network ? Json::parse(write_network(*finding.network)) : Json(nullptr)}});
  }
  return Json{{"format", "rankfall-extremal/1"},
              {"statement", request.statement->id},
              {"gamma", request.statement->uses_gamma ? Json(name(request.gamma)) : Json(nullptr)},
              {"seed", request.seed},
              {"rows", list}}
             .dump(1) +
         "\n";
}

}  // namespace

std::vector<ExtremalRow> extremal_rows(FalsifyRequest request, const std::vector<Shape>& shapes,
                                       const std::function<void(std::size_t)>& before_row) {
  std::vector<ExtremalRow> rows;
  for (const Shape& shape : shapes) {
    before_row(rows.size());
    request.shape = shape;
    const SearchState state = search(request, {}, [](const SearchState&) { return true; });
    rows.push_back({shape, certify(request, state)});
  }
  return rows;
}

std::string extremal_table(const FalsifyRequest& request, const std::vector<ExtremalRow>& rows,
                           TableFormat format, int digits) {
  switch (format) {
    case TableFormat::csv:
      return csv(csv_grid(rows, digits));
    case TableFormat::json:
      return json(request, rows, digits);
    case TableFormat::latex:
      return latex(grid(rows, digits));
    case TableFormat::markdown:
      break;
  }
  return markdown(grid(rows, digits)) +
         fmt::format(
             "\n- {}: {} evaluations of each size, seed {}; every ratio is certified on one exact network\n",
             claim_words(request), request.evaluations.value_or(0), request.seed);
}

}  // namespace rankfall::verify
