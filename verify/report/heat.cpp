#include "verify/report/heat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "verify/report/number_text.hpp"
#include "verify/report/scale.hpp"

namespace rankfall::verify {
namespace {

constexpr int cell_digits = 2;
constexpr std::size_t most_columns = 12;

AxisValue whole_value(long n) {
  return {Rational(n), std::to_string(n)};
}

bool of_depth(const Claim& claim) {
  return claim.bound->span == theory::Bound::Span::depth;
}

std::size_t greatest_depth(const std::vector<Instance>& instances) {
  std::size_t depth = 0;
  for (const Instance& instance : instances) depth = std::max(depth, instance.decision->depth);
  return depth;
}

/// The instances that a map without a depth axis is taken over.
bool counts_at(const Claim& claim, const Instance& instance, std::size_t depth) {
  return !of_depth(claim) || depth == 0 || instance.decision->depth == depth;
}

/// At most so many, evenly spread, the ends among them.
template <class Value>
std::vector<Value> thinned(const std::set<Value>& all) {
  std::vector<Value> values(all.begin(), all.end());
  if (values.size() <= most_columns) return values;
  std::vector<Value> some;
  for (std::size_t i = 0; i < most_columns; ++i)
    some.push_back(values[i * (values.size() - 1) / (most_columns - 1)]);
  return some;
}

double shade_height(Measure measure, const HeatCell& cell) {
  const Distribution& d = cell.numbers;
  if (d.count == 0) return NAN;
  if (measure == Measure::vacuous) return static_cast<double>(cell.ones) / static_cast<double>(d.count);
  if (measure != Measure::slack) return middle_decade(d.median);
  return (tower_height(d.median.low) + tower_height(d.median.high)) / 2;
}

using Spans = std::map<AxisValue, std::vector<Span>>;

std::vector<HeatCell> heat_row(Measure measure, const Spans& spans, const std::vector<AxisValue>& columns) {
  std::vector<HeatCell> row;
  for (const AxisValue& column : columns) {
    HeatCell cell;
    if (const auto found = spans.find(column); found != spans.end()) {
      cell.numbers = distribution(found->second);
      cell.ones = static_cast<std::size_t>(
          std::count_if(found->second.begin(), found->second.end(),
                        [](const Span& number) { return certainly_positive(number.low); }));
    }
    cell.height = shade_height(measure, cell);
    row.push_back(std::move(cell));
  }
  return row;
}

}  // namespace

std::string name(Axis axis) {
  switch (axis) {
    case Axis::depth:
      return "depth";
    case Axis::heads:
      return "heads";
    case Axis::dim:
      return "dim";
    case Axis::tokens:
      return "tokens";
    case Axis::d_qk:
      return "d_qk";
    case Axis::beta:
      return "beta";
    case Axis::law:
      return "law";
    case Axis::input_law:
      return "input_law";
    case Axis::blocks:
      return "blocks";
  }
  return {};
}

bool operator<(const AxisValue& a, const AxisValue& b) {
  if (a.number && b.number) return *a.number < *b.number;
  if (a.number.has_value() != b.number.has_value()) return a.number.has_value();
  return a.text < b.text;
}

AxisValue value(Axis axis, const Instance& instance) {
  const GenerateSpec& spec = instance.cell->cell.spec;
  switch (axis) {
    case Axis::depth:
      return whole_value(static_cast<long>(instance.decision->depth));
    case Axis::heads:
      return whole_value(spec.heads);
    case Axis::dim:
      return whole_value(spec.dim);
    case Axis::tokens:
      return whole_value(spec.tokens);
    case Axis::d_qk:
      return whole_value(query_width(spec));
    case Axis::beta:
      return spec.beta ? AxisValue{*spec.beta, beta_text(spec)} : AxisValue{std::nullopt, "unscaled"};
    case Axis::law:
      return {std::nullopt, spec.law};
    case Axis::input_law:
      return {std::nullopt, spec.input_law};
    case Axis::blocks:
      return {std::nullopt, spec.blocks};
  }
  return {};
}

std::vector<Axis> varying_axes(const std::vector<Claim>& claims) {
  std::vector<Axis> varying;
  bool d_qk_of_its_own = false;
  for (const Axis axis : all_axes) {
    std::set<AxisValue> values;
    for (const Claim& claim : claims)
      for (const Instance& instance : claim.instances) {
        if (axis == Axis::depth && !of_depth(claim)) continue;
        values.insert(value(axis, instance));
        d_qk_of_its_own = d_qk_of_its_own || instance.cell->cell.spec.d_qk != 0;
      }
    if (values.size() > 1 && (axis != Axis::d_qk || d_qk_of_its_own)) varying.push_back(axis);
  }
  return varying;
}

std::string HeatMap::heading() const {
  std::string text = fmt::format("{} by {} and {}", words(measure), row_axis, column_axis);
  return depth > 0 ? fmt::format("{}, at depth {}", text, depth) : text;
}

std::string HeatMap::text(std::size_t row, std::size_t column, bool html) const {
  const HeatCell& cell = cells[row][column];
  if (cell.numbers.count == 0) return "";
  if (measure == Measure::vacuous) return percentage(cell.ones, cell.numbers.count);
  return certified_text(cell.numbers.median, cell_digits, html ? Notation::html : Notation::plain);
}

std::optional<double> HeatMap::shade(std::size_t row, std::size_t column) const {
  const double h = cells[row][column].height;
  if (!std::isfinite(h)) return std::nullopt;
  if (measure == Measure::vacuous) return h;
  double least = h, most = h;
  for (const auto& line : cells)
    for (const HeatCell& cell : line)
      if (std::isfinite(cell.height)) {
        least = std::min(least, cell.height);
        most = std::max(most, cell.height);
      }
  return most > least ? (h - least) / (most - least) : 0.5;
}

HeatMap heat_map(Measure measure, Axis columns, const std::vector<Claim>& claims, Measurer& measurer) {
  HeatMap map;
  map.measure = measure;
  map.row_axis = "bound";
  map.column_axis = name(columns);
  map.name = name(measure) + "-by-" + name(columns);
  for (const Claim& claim : claims)
    if (of_depth(claim) && columns != Axis::depth)
      map.depth = std::max(map.depth, greatest_depth(claim.instances));
  std::vector<std::pair<const Claim*, Spans>> rows;
  std::set<AxisValue> values;
  for (const Claim& claim : claims) {
    if (!claim.bound->constant || (columns == Axis::depth && !of_depth(claim))) continue;
    Spans spans;
    for (const Instance& instance : claim.instances)
      if (counts_at(claim, instance, map.depth))
        if (const auto measured = measurer(measure, instance))
          spans[value(columns, instance)].push_back(*measured);
    if (spans.empty()) continue;
    for (const auto& [at, list] : spans) values.insert(at);
    rows.emplace_back(&claim, std::move(spans));
  }
  const std::vector<AxisValue> shown = thinned(values);
  for (const AxisValue& at : shown) map.columns.push_back(at.text);
  for (const auto& [claim, spans] : rows) {
    map.rows.push_back(claim->label());
    map.cells.push_back(heat_row(measure, spans, shown));
  }
  return map;
}

HeatMap heat_map(Measure measure, Axis rows, Axis columns, const Claim& claim, Measurer& measurer) {
  HeatMap map;
  map.measure = measure;
  map.row_axis = name(rows);
  map.column_axis = name(columns);
  map.name = fmt::format("{}-by-{}-and-{}", name(measure), name(rows), name(columns));
  if (of_depth(claim) && rows != Axis::depth && columns != Axis::depth)
    map.depth = greatest_depth(claim.instances);
  std::map<AxisValue, Spans> spans;
  std::set<AxisValue> row_values, column_values;
  for (const Instance& instance : claim.instances)
    if (counts_at(claim, instance, map.depth))
      if (const auto measured = measurer(measure, instance)) {
        const AxisValue row = value(rows, instance), column = value(columns, instance);
        spans[row][column].push_back(*measured);
        row_values.insert(row);
        column_values.insert(column);
      }
  const std::vector<AxisValue> shown = thinned(column_values);
  for (const AxisValue& at : shown) map.columns.push_back(at.text);
  for (const AxisValue& row : thinned(row_values)) {
    map.rows.push_back(row.text);
    map.cells.push_back(heat_row(measure, spans[row], shown));
  }
  return map;
}

std::vector<HeatChoice> heat_choices(const std::vector<Claim>& claims, Measurer& measurer) {
  std::vector<HeatChoice> choices;
  const std::vector<Axis> axes = varying_axes(claims);
  for (const Measure measure : all_measures)
    for (const Claim& claim : claims) {
      if (!of_depth(claim) || !claim.bound->constant) continue;
      for (std::size_t r = 0; r < axes.size(); ++r)
        for (std::size_t c = r + 1; c < axes.size(); ++c)
          if (HeatMap map = heat_map(measure, axes[r], axes[c], claim, measurer); !map.empty())
            choices.push_back({claim.label(), axes[r], axes[c], std::move(map)});
    }
  return choices;
}

std::vector<HeatMap> heat_maps(const std::vector<Claim>& claims, Measurer& measurer) {
  std::vector<HeatMap> maps;
  const std::vector<Axis> axes = varying_axes(claims);
  for (const Measure measure : all_measures)
    for (const Axis axis : axes)
      if (HeatMap map = heat_map(measure, axis, claims, measurer); !map.empty())
        maps.push_back(std::move(map));
  return maps;
}

}  // namespace rankfall::verify
