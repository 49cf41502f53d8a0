#include <fmt/format.h>

#include <map>

#include "verify/report/figures.hpp"
#include "verify/report/number_text.hpp"
#include "verify/report/statistics.hpp"

namespace rankfall::verify {
namespace {

constexpr std::size_t looseness_ticks = 8;

/// Median and range of the looseness at each depth, over the networks of one kind to which the claim applies.
Series series_of(const BoundStyle& style, const Claim& claim, bool one_head) {
  std::map<std::size_t, std::vector<Span>> by_depth;
  for (const Instance& instance : claim.instances)
    if ((instance.cell->cell.spec.heads == 1) == one_head && applies(*instance.decision) &&
        instance.decision->looseness)
      by_depth[instance.decision->depth].push_back(*instance.decision->looseness);
  Series series{style.label, style.colour, style.dash, 1.8, {}};
  for (const auto& [depth, numbers] : by_depth) {
    const Distribution d = distribution(numbers);
    series.points.push_back(
        {static_cast<double>(depth),
         fmt::format("{} {} {} {}", d.count, ends_text(d.least, figure_digits),
                     ends_text(d.median, figure_digits), ends_text(d.greatest, figure_digits)),
         middle_decade(d.median), middle_decade(d.least), middle_decade(d.greatest)});
  }
  return series;
}

std::optional<Figure> looseness_figure(const std::vector<Claim>& claims, bool one_head) {
  Chart chart;
  for (const BoundStyle& style : bound_styles(claims)) {
    const Claim* claim = find_claim(claims, style.id, style.gamma);
    if (!claim || !(one_head ? style.one_head : style.many_heads)) continue;
    Series series = series_of(style, *claim, one_head);
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return std::nullopt;
  chart.name = one_head ? "looseness-one-head" : "looseness-many-heads";
  chart.title = one_head ? "Looseness, one head" : "Looseness, several heads";
  chart.subtitle = "median and range; 1 = bound attained";
  chart.description =
      "Implied over stated constant against depth: median, least and greatest over the networks to "
      "which the bound applies.";
  chart.x_label = "depth";
  chart.data_columns = "count least_lo least_hi median_lo median_hi greatest_lo greatest_hi";
  std::tie(chart.y_low, chart.y_high) = range(chart.series);
  chart.y_high = std::max(chart.y_high, 0.1);
  chart.y_ticks = decade_ticks(chart.y_low, chart.y_high, looseness_ticks);
  chart.reference = Tick{0, "attained"};
  return figure(chart);
}

}  // namespace

FigureGroup looseness_figures(const std::vector<Claim>& claims) {
  FigureGroup group;
  group.id = "looseness";
  group.heading = "Tightness against depth";
  group.caption =
      "Looseness, the implied over the stated constant, of each bound on the residual: the line is the "
      "median over the "
      "networks to which the bound applies, the band reaches from the least to the greatest. At 1 a bound is "
      "attained; "
      "0.01 means that a constant a hundred times smaller would have done.";
  for (const bool one_head : {true, false})
    if (auto drawn = looseness_figure(claims, one_head)) group.figures.push_back(*std::move(drawn));
  return group;
}

}  // namespace rankfall::verify
