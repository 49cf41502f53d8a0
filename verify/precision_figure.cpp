#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "verify/precision.hpp"
#include "verify/report/chart.hpp"

namespace rankfall::verify {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

struct Line {
  const char* arithmetic;
  const char* colour;
  int dash;
};
constexpr Line lines[] = {{"bf16", colour::muted, 1},
                          {"float32", colour::paper, 1},
                          {"double", colour::repaired, 1},
                          {"long double", colour::repaired, 2},
                          {"double-double", colour::sharp, 1},
                          {"cpp_bin_float", colour::own, 2},
                          {"mpfr", colour::ink, 1},
                          {"mpfi", colour::ink, 2},
                          {"ball", colour::diameter, 1}};

std::string subtitle(const PrecisionStudy& study) {
  return fmt::format("{} tokens, dim {}, {} layers", study.tokens, study.dim, study.depth);
}

/// Of kinds at several bits the one with most.
const PrecisionRow* row_of_most_bits(const PrecisionStudy& study, Form form, const std::string& arithmetic) {
  const PrecisionRow* most = nullptr;
  for (const PrecisionRow& row : study.rows)
    if (row.form == form && row.arithmetic == arithmetic && (!most || row.bits > most->bits)) most = &row;
  return most;
}

/// With its bits where they were chosen.
std::string label_of(const PrecisionRow& row) {
  const bool chosen = row.arithmetic == "mpfr" || row.arithmetic == "mpfi" || row.arithmetic == "ball";
  return chosen ? fmt::format("{} {}", row.arithmetic, row.bits) : row.arithmetic;
}

Figure digits_figure(const PrecisionStudy& study, Form form) {
  Chart chart;
  chart.name = "precision-" + name(form);
  chart.title = fmt::format("Right digits, {}", form == Form::naive ? "on the tokens" : "on the residual");
  chart.subtitle = subtitle(study);
  chart.description = fmt::format(
      "Decimal digits of the composite diameter behind each layer that are certainly right, evaluated on the "
      "{} in each kind of number.",
      form == Form::naive ? "tokens themselves" : "residual");
  chart.x_label = "layer";
  chart.data_columns = "digits";
  for (const Line& line : lines) {
    const PrecisionRow* row = row_of_most_bits(study, form, line.arithmetic);
    if (!row) continue;
    Series series{label_of(*row), line.colour, line.dash, 1.8, {}};
    for (std::size_t k = 0; k < row->digits.size(); ++k) {
      const double digits = std::floor(row->digits[k] * 100) / 100;
      series.points.push_back(
          {static_cast<double>(k), fmt::format("{:.2f}", digits), digits, absent, absent});
    }
    chart.series.push_back(std::move(series));
  }
  std::tie(chart.y_low, chart.y_high) = range(chart.series);
  for (int digits = 0; digits <= chart.y_high; digits += 10)
    chart.y_ticks.push_back({static_cast<double>(digits), std::to_string(digits)});
  return figure(chart);
}

Figure bits_figure(const PrecisionStudy& study) {
  Chart chart;
  chart.name = "precision-bits";
  chart.title = "Bits that a depth takes";
  chart.subtitle = subtitle(study);
  chart.description =
      "Least bits that decide every layer in balls on the residual, least bits that show one digit on the "
      "tokens themselves, and the bits that tokens share, by depth.";
  chart.x_label = "depth";
  chart.data_columns = "bits";
  chart.series = {{"residual", colour::diameter, 1, 2.8, {}},
                  {"direct", colour::paper, 1, 1.8, {}},
                  {"predicted", colour::muted, 2, 1.8, {}}};
  for (const DepthNeed& need : study.needs) {
    const std::optional<long> bits[] = {need.residual, need.direct, need.predicted};
    for (std::size_t k = 0; k < chart.series.size(); ++k)
      chart.series[k].points.push_back(
          {static_cast<double>(need.depth), bits[k] ? std::to_string(*bits[k]) : "NaN",
           bits[k] && *bits[k] > 0 ? std::log10(static_cast<double>(*bits[k])) : absent, absent, absent});
  }
  constexpr std::size_t most_ticks = 8;
  std::tie(chart.y_low, chart.y_high) = range(chart.series);
  chart.y_ticks = decade_ticks(chart.y_low, chart.y_high, most_ticks);
  return figure(chart);
}

}  // namespace

std::vector<Figure> precision_figures(const PrecisionStudy& study) {
  return {digits_figure(study, Form::naive), digits_figure(study, Form::residual), bits_figure(study)};
}

}  // namespace rankfall::verify
