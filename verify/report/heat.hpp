#pragma once
#include <string>
#include <vector>

#include "verify/report/figures.hpp"
#include "verify/report/measure.hpp"
#include "verify/report/statistics.hpp"

namespace rankfall::verify {

/// What the networks of a grid differ in.
enum class Axis { depth, heads, dim, tokens, d_qk, beta, law, input_law, blocks };
inline constexpr std::array all_axes = {Axis::depth, Axis::heads, Axis::dim,       Axis::tokens, Axis::d_qk,
                                        Axis::beta,  Axis::law,   Axis::input_law, Axis::blocks};
std::string name(Axis axis);  ///< "input_law"

/// One value of an axis; numbers come in their order, then words in theirs.
struct AxisValue {
  std::optional<Rational> number;
  std::string text;
  friend bool operator==(const AxisValue&, const AxisValue&) = default;
};
bool operator<(const AxisValue& a, const AxisValue& b);
AxisValue value(Axis axis, const Instance& instance);

/// The axes that take more than one value on the instances of the claims.
std::vector<Axis> varying_axes(const std::vector<Claim>& claims);

/// What falls into one cell of a heat map.
struct HeatCell {
  Distribution numbers;
  std::size_t ones = 0;  ///< where a share is measured: how many are 1
  double height = 0;     ///< of the middle on the scale of the shades; NaN where it has none
};

/// A measure for every row and every value of a column axis: the distribution over all instances that fall
/// there. One-layer bounds are taken at every layer, depth bounds at the greatest depth unless depth is an
/// axis.
struct HeatMap {
  Measure measure = Measure::looseness;
  std::string name;                        ///< of its files: "looseness-by-beta"
  std::string row_axis, column_axis;       ///< "bound", "beta"
  std::vector<std::string> rows, columns;  ///< labels
  std::vector<std::vector<HeatCell>> cells;
  std::size_t depth = 0;  ///< that it is taken at; 0 when depth is an axis
  bool empty() const { return rows.empty() || columns.empty(); }
  /// What a cell shows: its median, or the share where that is what is measured. Empty where there is
  /// nothing.
  std::string text(std::size_t row, std::size_t column, bool html) const;
  /// Where its middle stands between the least (0) and the greatest (1) of the map; shares stand as they are.
  std::optional<double> shade(std::size_t row, std::size_t column) const;
  std::string heading() const;  ///< "Looseness by bound and beta, at depth 10"
};

/// One row a claim that has the measure, over one axis.
HeatMap heat_map(Measure measure, Axis columns, const std::vector<Claim>& claims, Measurer& measurer);
/// One claim over two axes.
HeatMap heat_map(Measure measure, Axis rows, Axis columns, const Claim& claim, Measurer& measurer);

/// Every measure over every varying axis, those that are empty left out.
std::vector<HeatMap> heat_maps(const std::vector<Claim>& claims, Measurer& measurer);

/// Drawn for print: the number in each cell.
Figure heat_figure(const HeatMap& map);

/// Of every depth bound with a constant, every measure over every two varying axes: for the reader to choose
/// from.
struct HeatChoice {
  std::string bound;
  Axis rows, columns;
  HeatMap map;
};
std::vector<HeatChoice> heat_choices(const std::vector<Claim>& claims, Measurer& measurer);

/// The section of the page.
std::string heat_section(const std::vector<HeatMap>& maps, const std::vector<HeatChoice>& choices);

}  // namespace rankfall::verify
