#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "verify/architectures_output.hpp"
#include "verify/enclosure.hpp"
#include "verify/report/chart.hpp"

namespace rankfall::verify {
namespace {

constexpr std::size_t most_ticks = 9;

const char* colour_of(Parts parts) {
  switch (parts) {
    case Parts::attention:
      return colour::ink;
    case Parts::with_mlp:
      return colour::paper;
    case Parts::with_skip:
      return colour::repaired;
    case Parts::whole:
      return colour::diameter;
  }
  return colour::ink;
}

/// As the label of a line, beside which little room is left.
std::string label_of(Parts parts) {
  switch (parts) {
    case Parts::with_mlp:
      return "with mlp";
    case Parts::with_skip:
      return "with skip";
    default:
      return name(parts);
  }
}

Series::Point point(std::size_t layer, const Spread& spread, int digits) {
  if (spread.zeros == spread.runs) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {static_cast<double>(layer), "-inf -inf -inf -inf -inf -inf", none, none, none};
  }
  std::string data;
  for (const Ball* number : {&spread.mean, &spread.least, &spread.greatest}) {
    const EnclosureText ends = value_text(*number, digits);
    data += (data.empty() ? "" : " ") + ends.low + " " + ends.high;
  }
  return {static_cast<double>(layer), data, tower_height(spread.mean), tower_height(spread.least),
          tower_height(spread.greatest)};
}

Figure figure_of(const std::vector<const Profile*>& profiles, int digits, const std::string& runs) {
  Chart chart;
  const std::string& model = profiles.front()->model;
  chart.name = "architectures-" + model;
  std::replace_if(
      chart.name.begin(), chart.name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '-');
  chart.title = "Relative residual by layer: " + model;
  chart.subtitle = runs;
  chart.description = fmt::format(
      "Composite norm of what the token mean leaves over, relative to that of the tokens, behind each layer "
      "of "
      "{}, with parts taken out; the mean of its logarithm over {}, in a band from the least to the "
      "greatest.",
      model, runs);
  chart.x_label = "layer";
  chart.data_columns = "mean_lo mean_hi least_lo least_hi greatest_lo greatest_hi";
  for (const Profile* profile : profiles) {
    Series series{label_of(profile->parts),
                  colour_of(profile->parts),
                  1,
                  profile->parts == Parts::attention ? 2.8 : 1.8,
                  {}};
    for (std::size_t layer = 0; layer < profile->layers.size(); ++layer)
      series.points.push_back(point(layer, profile->layers[layer], digits));
    chart.series.push_back(std::move(series));
  }
  std::tie(chart.y_low, chart.y_high) = range(chart.series);
  chart.y_ticks = tower_ticks(chart.y_low, chart.y_high, most_ticks);
  return figure(chart);
}

}  // namespace

std::vector<Figure> architecture_figures(const std::vector<Profile>& profiles, int digits,
                                         const std::string& runs) {
  std::vector<Figure> figures;
  std::vector<const Profile*> model;
  for (const Profile& profile : profiles) {
    if (!model.empty() && model.front()->model != profile.model)
      figures.push_back(figure_of(std::exchange(model, {}), digits, runs));
    model.push_back(&profile);
  }
  if (!model.empty()) figures.push_back(figure_of(model, digits, runs));
  return figures;
}

}  // namespace rankfall::verify
