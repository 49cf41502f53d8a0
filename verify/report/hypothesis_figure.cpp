#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "verify/enclosure.hpp"
#include "verify/report/figures.hpp"
#include "verify/report/number_text.hpp"
#include "verify/report/statistics.hpp"

namespace rankfall::verify {
namespace {

constexpr std::size_t hypothesis_ticks = 9;
constexpr char oscillation[] = "1.256";

/// The instances by target beta, least first, unscaled last; at most as many betas as there are colours.
std::vector<std::pair<std::string, std::vector<Instance>>> by_beta(const Claim& claim) {
  std::map<Rational, std::vector<Instance>> scaled;
  std::vector<Instance> unscaled;
  for (const Instance& instance : claim.instances) {
    const auto& beta = instance.cell->cell.spec.beta;
    (beta ? scaled[*beta] : unscaled).push_back(instance);
  }
  std::vector<std::pair<std::string, std::vector<Instance>>> all;
  all.reserve(scaled.size() + 1);
  for (auto& [beta, instances] : scaled) all.emplace_back("\u03b2 " + to_text(beta), std::move(instances));
  if (!unscaled.empty()) all.emplace_back("unscaled", std::move(unscaled));
  while (all.size() > std::size(colour::ordinal)) all.erase(all.begin() + static_cast<long>(all.size() / 2));
  return all;
}

const char* shade(std::size_t index, std::size_t count) {
  return colour::ordinal[count < 2 ? std::size(colour::ordinal) - 1
                                   : index * (std::size(colour::ordinal) - 1) / (count - 1)];
}

/// The value of the hypothesis on the oscillation, where the decision was taken under it.
std::optional<Bracket> largest_oscillation(const Decision& decision) {
  for (const HypothesisResult& hypothesis : decision.hypotheses)
    if (hypothesis.name == oscillation) return hypothesis.value;
  return std::nullopt;
}

/// Median and range of numbers by layer or depth, at sign(v) log10(1 + |v|).
Series distribution_series(const std::string& label,
                           const std::map<std::size_t, std::vector<Span>>& by_abscissa) {
  Series series{label, "", 1, 1.8, {}};
  for (const auto& [at, numbers] : by_abscissa) {
    const Distribution d = distribution(numbers);
    std::string data = std::to_string(d.count);
    for (const Span* number : {&d.least, &d.median, &d.greatest})
      data += " " + ends_text(*number, figure_digits);
    series.points.push_back({static_cast<double>(at), data,
                             (tower_height(d.median.low) + tower_height(d.median.high)) / 2,
                             tower_height(d.least.low), tower_height(d.greatest.high)});
  }
  return series;
}

Series oscillation_series(const std::string& label, const std::vector<Instance>& instances) {
  std::map<std::size_t, std::vector<Span>> by_layer;
  for (const Instance& instance : instances)
    if (const auto value = largest_oscillation(*instance.decision))
      by_layer[instance.decision->to].push_back(log10_span(*value));
  return distribution_series(label, by_layer);
}

Series margin_series(const std::string& label, const std::vector<Instance>& instances) {
  std::map<std::size_t, std::vector<Span>> by_depth;
  for (const Instance& instance : instances)
    if (const auto margin = least_margin(*instance.decision))
      by_depth[instance.decision->depth].push_back(*margin);
  return distribution_series(label, by_depth);
}

Series certified_series(const std::string& label, const std::vector<Instance>& instances) {
  std::map<std::size_t, Share> by_depth;
  for (const Instance& instance : instances)
    by_depth[instance.decision->depth].count(applies(*instance.decision));
  Series series{label, "", 1, 1.8, {}};
  for (const auto& [depth, share] : by_depth) {
    const double part = static_cast<double>(share.yes) / static_cast<double>(share.known);
    series.points.push_back(
        {static_cast<double>(depth), fmt::format("{} {}", share.yes, share.known), part, part, part});
  }
  return series;
}

using SeriesOf = Series (*)(const std::string&, const std::vector<Instance>&);

std::vector<Series> all_series(const Claim& claim, SeriesOf series_of) {
  std::vector<Series> all;
  const auto groups = by_beta(claim);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Series series = series_of(groups[i].first, groups[i].second);
    series.colour = shade(i, groups.size());
    if (!series.points.empty()) all.push_back(std::move(series));
  }
  return all;
}

std::optional<Figure> oscillation_figure(const std::vector<Claim>& claims) {
  const Claim* claim = find_claim(claims, "layer-cubic");
  if (!claim) return std::nullopt;
  Chart chart;
  chart.series = all_series(*claim, oscillation_series);
  if (chart.series.empty()) return std::nullopt;
  chart.name = "oscillation";
  chart.title = "Oscillation of the logits, one head";
  chart.subtitle = "largest of a layer; median and range";
  chart.description =
      "Largest oscillation of a row of E in each layer of the networks with one head, by beta: median, "
      "least and greatest, on an axis of powers of ten of powers of ten; the line is 1.256.";
  chart.x_label = "layer";
  chart.data_columns =
      "count least_log10_lo least_log10_hi median_log10_lo median_log10_hi greatest_log10_lo "
      "greatest_log10_hi";
  std::tie(chart.y_low, chart.y_high) = range(chart.series);
  chart.y_high = std::max(chart.y_high, 0.2);
  chart.y_ticks = tower_ticks(chart.y_low, chart.y_high, hypothesis_ticks);
  chart.reference = Tick{tower_height(Ball(0.0989896)), "1.256"};  // log10 of 1.256, for a line on a plot
  return figure(chart);
}

/// Marks at 0, 1/2, 1, 10, 100, ... and their negatives.
std::vector<Tick> signed_ticks(double low, double high) {
  std::vector<Tick> ticks = {{0, "0"}};
  const double top = std::max(high, -low);
  const auto add = [&](double value, const std::string& label) {
    const double height = std::log10(1 + value);
    if (height <= high) ticks.push_back({height, label});
    if (-height >= low) ticks.push_back({-height, "\u2212" + label});
  };
  if (top < 1.5) add(0.5, "0.5");
  const int decades = static_cast<int>(top), step = decades / 4 + 1;
  for (int k = 0; k <= decades; k += step)
    add(std::pow(10, k), k < 4 ? fmt::format("{:.0f}", std::pow(10, k)) : fmt::format("10^{{{}}}", k));
  std::sort(ticks.begin(), ticks.end(), [](const Tick& a, const Tick& b) { return a.position < b.position; });
  return ticks;
}

std::optional<Figure> margin_figure(const std::vector<Claim>& claims) {
  const Claim* claim = find_claim(claims, "dong-2.3-repaired");
  if (!claim) return std::nullopt;
  Chart chart;
  chart.series = all_series(*claim, margin_series);
  if (chart.series.empty()) return std::nullopt;
  chart.name = "margins";
  chart.title = "Margin of the hypotheses";
  chart.subtitle = "dong-2.3-repaired, the one nearest to failing; median and range";
  chart.description =
      "Bound less value of the hypothesis of dong-2.3-repaired that is nearest to failing, up to each depth, "
      "by beta: "
      "median, least and greatest, below zero where it fails; the axis is linear about zero and logarithmic "
      "away from "
      "it.";
  chart.x_label = "depth";
  chart.data_columns = "count least_lo least_hi median_lo median_hi greatest_lo greatest_hi";
  std::tie(chart.y_low, chart.y_high) = range(chart.series);
  chart.y_low = std::min(chart.y_low, -0.05);
  chart.y_high = std::max(chart.y_high, 0.05);
  chart.y_ticks = signed_ticks(chart.y_low, chart.y_high);
  chart.reference = Tick{0, "fails below"};
  return figure(chart);
}

std::optional<Figure> certified_figure(const std::vector<Claim>& claims) {
  const Claim* claim = find_claim(claims, "dong-2.3-repaired");
  if (!claim) return std::nullopt;
  Chart chart;
  chart.series = all_series(*claim, certified_series);
  chart.name = "certified";
  chart.title = "Networks inside the hypotheses";
  chart.subtitle = "share certified, of dong-2.3-repaired";
  chart.description =
      "Share of the networks, any number of heads, on which the hypotheses of dong-2.3-repaired are "
      "certified up to each depth, by beta.";
  chart.x_label = "depth";
  chart.data_columns = "certified of";
  chart.y_low = -0.04;
  chart.y_high = 1.04;
  chart.y_ticks = {{0, "0 %%"}, {0.25, "25 %%"}, {0.5, "50 %%"}, {0.75, "75 %%"}, {1, "100 %%"}};
  return figure(chart);
}

}  // namespace

FigureGroup hypothesis_figures(const std::vector<Claim>& claims) {
  FigureGroup group;
  group.id = "hypotheses";
  group.heading = "Hypotheses";
  group.caption = "The repaired bounds ask that the rows of E oscillate by at most 1.256 in every layer. ";
  if (auto drawn = oscillation_figure(claims)) {
    group.caption +=
        "<i>Oscillation</i>: how far the networks with one head are inside or outside, layer by layer; once "
        "the "
        "residual falls, so do the logits. ";
    group.figures.push_back(*std::move(drawn));
  }
  if (auto drawn = margin_figure(claims)) {
    group.caption += "<i>Margin</i>: how far the hypothesis nearest to failing is from it, on all networks. ";
    group.figures.push_back(*std::move(drawn));
  }
  if (auto drawn = certified_figure(claims)) {
    group.caption +=
        "<i>Share certified</i>: of all networks, those on which the hypotheses are certified from the first "
        "layer on, at the mean, median or midrange of the input or by small logits at the minimiser.";
    group.figures.push_back(*std::move(drawn));
  }
  return group;
}

}  // namespace rankfall::verify
