#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "verify/enclosure.hpp"
#include "verify/report/figures.hpp"
#include "verify/report/number_text.hpp"

namespace rankfall::verify {
namespace {

constexpr std::size_t collapse_ticks = 9;

/// The residual by state: of every state where the sweep holds them, else the left sides of depth bounds on
/// it.
std::map<std::size_t, Bracket> residual_curve(const CellResult& result, const std::vector<Claim>& claims) {
  std::map<std::size_t, Bracket> curve;
  const auto& states = result.check.states;
  for (std::size_t k = 0; k < states.size(); ++k) curve.emplace(k, states[k].minimal);
  if (!curve.empty()) return curve;
  for (const Claim& claim : claims)
    for (const Instance& instance : claim.instances) {
      const Decision& d = *instance.decision;
      const bool residual = d.quantity == theory::Quantity::residual && !d.bound->from_below;
      if (residual && d.compared && d.from == 0 && d.bound->span == theory::Bound::Span::depth)
        curve.emplace(d.to, d.left);
    }
  return curve;
}

/// One network and what was decided on it.
struct Candidate {
  const CellResult* result = nullptr;
  std::vector<Claim> claims;

  bool one_head() const { return result->cell.spec.heads == 1; }
  bool draws(const BoundStyle& style) const { return one_head() ? style.one_head : style.many_heads; }
  /// At the greatest depth: C_eff r0^2 < 1. Empty where the bound does not apply or it is not known.
  std::optional<bool> falls(const BoundStyle& style) const {
    const Claim* claim = find_claim(claims, style.id, style.gamma);
    if (!claim || !applies(*claim->instances.back().decision)) return std::nullopt;
    const auto non_contracting = claim->instances.back().decision->non_contracting;
    return non_contracting ? std::optional(!*non_contracting) : std::nullopt;
  }
  bool any_falls(std::string_view colour, bool wanted) const {
    return std::any_of(bound_styles().begin(), bound_styles().end(), [&](const BoundStyle& style) {
      return draws(style) && style.colour == colour && falls(style) == wanted;
    });
  }
  bool every_bound(bool wanted) const {
    return std::all_of(bound_styles().begin(), bound_styles().end(), [&](const BoundStyle& style) {
      return !draws(style) || falls(style).value_or(wanted) == wanted;
    });
  }
  bool residual_falls() const {
    const auto curve = residual_curve(*result, claims);
    return curve.size() > 1 && certainly_less(curve.rbegin()->second.upper, curve.begin()->second.lower);
  }
};

/// What a figure is to show; the network is the last of the sweep that does, with the first seed.
struct Choice {
  const char* name;
  const char* title;
  std::function<bool(const Candidate&)> fits;
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> all = {
      {"collapse-all-fall", "Every bound falls with the residual",
       [](const Candidate& c) {
         return c.one_head() && c.every_bound(true) && c.any_falls(colour::paper, true);
       }},
      {"collapse-printed-rises", "Printed bound rises, diameter bound falls",
       [](const Candidate& c) {
         return c.one_head() && c.any_falls(colour::paper, false) && c.any_falls(colour::diameter, true);
       }},
      {"collapse-many-heads", "Several heads: printed rises, diameter falls",
       [](const Candidate& c) {
         return !c.one_head() && c.any_falls(colour::paper, false) && c.any_falls(colour::diameter, true);
       }},
      {"collapse-none-fall", "The residual falls, no bound does", [](const Candidate& c) {
         return c.every_bound(false) && c.any_falls(colour::diameter, false) && c.residual_falls();
       }}};
  return all;
}

Series::Point point(std::size_t depth, const Bracket& value, int digits) {
  const EnclosureText text = log10_text(value, digits);
  const Span log10 = log10_span(value);
  const double low = tower_height(log10.low), high = tower_height(log10.high);
  return {static_cast<double>(depth), text.low + " " + text.high, (low + high) / 2, low, high};
}

std::vector<Series> series_of(const Candidate& candidate, int digits) {
  std::vector<Series> all{{"residual", colour::ink, 1, 2.8, {}}};
  for (const auto& [state, residual] : residual_curve(*candidate.result, candidate.claims))
    all[0].points.push_back(point(state, residual, digits));
  for (const BoundStyle& style : bound_styles(candidate.claims)) {
    const Claim* claim =
        candidate.draws(style) ? find_claim(candidate.claims, style.id, style.gamma) : nullptr;
    if (!claim) continue;
    Series series{style.label, style.colour, style.dash, 1.8, {}};
    for (const Instance& instance : claim->instances)
      if (applies(*instance.decision))
        series.points.push_back(point(instance.decision->to, instance.decision->right, digits));
    if (!series.points.empty()) all.push_back(std::move(series));
  }
  return all;
}

Figure collapse_figure(const Choice& choice, const Candidate& candidate, int digits) {
  Chart chart;
  chart.name = choice.name;
  chart.title = choice.title;
  chart.subtitle = cell_text(candidate.result->cell.spec);
  chart.description = fmt::format(
      "Composite residual and its bounds against depth, on an axis of powers of ten of "
      "powers of ten; one random network: {}.",
      chart.subtitle);
  chart.x_label = "depth";
  chart.data_columns = "log10_lo log10_hi";
  chart.series = series_of(candidate, digits);
  std::tie(chart.y_low, chart.y_high) = range(chart.series);
  chart.y_ticks = tower_ticks(chart.y_low, chart.y_high, collapse_ticks);
  return figure(chart);
}

}  // namespace

FigureGroup collapse_figures(const std::vector<CellResult>& results, const Grid& grid) {
  FigureGroup group;
  group.id = "collapse";
  group.heading = "The residual and its bounds";
  group.caption =
      "Composite residual of the tokens (black, between the certified bounds of its minimum) and what each "
      "bound "
      "allows, against depth. The axis carries powers of ten of powers of ten, y = sign(log<sub>10</sub> r) "
      "log<sub>10</sub>(1 + |log<sub>10</sub> r|): on it a straight line downwards is doubly exponential "
      "decay, each "
      "layer cubing what is left. <i>Printed</i> is the paper\u2019s theorem 2.2 or 2.3, <i>max-ratio</i> "
      "and "
      "<i>sum-max</i> the same with gamma so read, <i>diameter</i> this project\u2019s "
      "<code>composite-diameter</code>; "
      "a bound is drawn where its hypotheses are certified.";
  std::vector<Candidate> candidates;
  for (const CellResult& result : results)
    if (result.cell.spec.seed == grid.seeds.front())
      candidates.push_back({&result, claims(instances(result, grid))});
  for (const Choice& choice : choices()) {
    const auto found = std::find_if(candidates.rbegin(), candidates.rend(), choice.fits);
    if (found != candidates.rend())
      group.figures.push_back(collapse_figure(choice, *found, grid.options.digits));
  }
  return group;
}

}  // namespace rankfall::verify
