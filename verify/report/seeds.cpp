#include "verify/report/seeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "verify/report/heat.hpp"
#include "verify/report/number_text.hpp"
#include "verify/report/scale.hpp"

namespace rankfall::verify {
namespace {

constexpr Canvas seeds_canvas;
constexpr double boxes_width = 0.84;  // of the boxes of one beta

auto size_of(const GenerateSpec& spec) {
  return std::tuple(spec.tokens, spec.dim, query_width(spec));
}

/// Everything but the seed, as a key.
std::string kind_of_network(const GenerateSpec& spec) {
  return fmt::format("{} {} {} {} {} {} {} {}", spec.tokens, spec.dim, spec.heads, query_width(spec),
                     beta_text(spec), spec.law, spec.input_law, spec.blocks);
}

struct SeedGroup {
  GenerateSpec spec;
  std::vector<Span> looseness, slack;
};

/// The largest network with one head, or with the most heads where that is more than one.
std::optional<GenerateSpec> largest(const std::vector<SeedRow>& rows, bool one_head) {
  const SeedRow* best = nullptr;
  for (const SeedRow& row : rows) {
    if ((row.spec.heads == 1) != one_head) continue;
    const auto key = [](const SeedRow& r) { return std::tuple(r.spec.heads, size_of(r.spec)); };
    if (!best || key(*best) < key(row)) best = &row;
  }
  return best ? std::optional(best->spec) : std::nullopt;
}

AxisValue beta_of(const GenerateSpec& spec) {
  return spec.beta ? AxisValue{*spec.beta, beta_text(spec)} : AxisValue{std::nullopt, "unscaled"};
}

/// One box: a bound at a beta.
struct Box {
  const SeedRow* row;
  std::size_t column;
};
struct BoxSeries {
  BoundStyle style;
  std::vector<Box> boxes;
};

std::vector<BoxSeries> box_series(const std::vector<SeedRow>& rows, const std::vector<AxisValue>& betas,
                                  bool one_head) {
  std::vector<Claim> claims;
  for (const SeedRow& row : rows) claims.push_back(*row.claim);
  std::vector<BoxSeries> all;
  for (const BoundStyle& style : bound_styles(claims)) {
    if (!(one_head ? style.one_head : style.many_heads)) continue;
    BoxSeries series{style, {}};
    for (const SeedRow& row : rows) {
      const Claim& claim = *row.claim;
      const bool this_one =
          claim.statement->id == style.id && (!claim.gamma || claim.gamma->kind == style.gamma);
      if (!this_one || row.looseness.count == 0) continue;
      const auto at = std::find(betas.begin(), betas.end(), beta_of(row.spec));
      series.boxes.push_back({&row, static_cast<std::size_t>(at - betas.begin())});
    }
    if (!series.boxes.empty()) all.push_back(std::move(series));
  }
  return all;
}

Figure boxes_figure(const std::vector<SeedRow>& rows, const GenerateSpec& spec, bool one_head) {
  std::set<AxisValue> distinct;
  for (const SeedRow& row : rows) distinct.insert(beta_of(row.spec));
  const std::vector<AxisValue> betas(distinct.begin(), distinct.end());
  const std::vector<BoxSeries> all = box_series(rows, betas, one_head);

  Figure figure;
  figure.name = one_head ? "seeds-one-head" : "seeds-many-heads";
  figure.title = one_head ? "Over seeds, one head" : "Over seeds, several heads";
  figure.description =
      "Looseness over the seeds of one kind of network by beta: the box reaches from quartile to quartile, "
      "the "
      "whiskers to the extremes, the bar is the median.";
  const double step = boxes_width / static_cast<double>(std::max<std::size_t>(all.size(), 1));
  double low = HUGE_VAL, high = -HUGE_VAL;
  std::string plot = "plot ";
  std::vector<Series> labelled;
  figure.data = fmt::format(
      "# {}. {}\n# place count least_lo least_hi lower_quartile_lo lower_quartile_hi median_lo median_hi "
      "upper_quartile_lo upper_quartile_hi greatest_lo greatest_hi heights of the five\n",
      figure.title, figure.description);
  for (std::size_t i = 0; i < all.size(); ++i) {
    figure.data += fmt::format("\n\n# {}\n", all[i].style.label);
    Series label{all[i].style.label, all[i].style.colour, 1, 1, {}};
    for (const Box& box : all[i].boxes) {
      const Distribution& d = box.row->looseness;
      const double x = static_cast<double>(box.column) +
                       step * (static_cast<double>(i) - (static_cast<double>(all.size()) - 1) / 2);
      const std::array five = {&d.least, &d.lower_quartile, &d.median, &d.upper_quartile, &d.greatest};
      std::string data = std::to_string(d.count), heights;
      for (const Span* number : five) {
        data += " " + ends_text(*number, figure_digits);
        heights += fmt::format(" {:.10g}", middle_decade(*number));
      }
      figure.data += fmt::format("{:.10g} {}{}\n", x, data, heights);
      for (const Span* number : five)
        if (const double height = middle_decade(*number); std::isfinite(height)) {
          low = std::min(low, height);
          high = std::max(high, height);
        }
      label.points.push_back(
          {x, data, middle_decade(d.median), middle_decade(d.least), middle_decade(d.greatest)});
    }
    labelled.push_back(std::move(label));
  }
  if (low > high) low = high = 0;
  low = std::floor(low - 0.05);  // whole decades, so that both ends have a mark
  high = std::ceil(high + 0.05);
  const auto count = static_cast<double>(betas.size());
  figure.script = script_head(figure.name, figure.title,
                              fmt::format("{}, depth {}", network_text([&] {
                                            GenerateSpec s = spec;
                                            s.beta = {};
                                            return s;
                                          }()),
                                          rows.front().depth));
  Chart chart;  // for the names beside the box
  chart.series = labelled;
  chart.y_low = low;
  chart.y_high = high;
  figure.script += series_labels(chart);
  const auto out = std::back_inserter(figure.script);
  fmt::format_to(out, "set xrange [-0.5:{}]\nset yrange [{:.10g}:{:.10g}]\nset boxwidth {:.10g}\nset xtics (",
                 count - 0.5, low, high, 0.8 * step);
  for (std::size_t i = 0; i < betas.size(); ++i)
    fmt::format_to(out, "{}{} {}", i > 0 ? ", " : "", quoted(betas[i].text), i);
  fmt::format_to(
      out,
      ") noenhanced textcolor rgb '{0}'\nset xlabel \"beta\" offset 0,0.4 textcolor rgb '{0}'\nset ytics (",
      colour::muted);
  const std::vector<Tick> ticks = decade_ticks(low, high, 8);
  for (std::size_t i = 0; i < ticks.size(); ++i)
    fmt::format_to(out, "{}\"{}\" {:g}", i > 0 ? ", " : "", ticks[i].label, ticks[i].position);
  fmt::format_to(out, ") textcolor rgb '{}'\nset grid ytics lt 1 lc rgb '{}' lw 1\n", colour::muted,
                 colour::line);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string file = quoted(figure.name + ".dat");
    plot += fmt::format(
        "{0}{1} index {2} using 1:14:13:17:16 with candlesticks lc rgb '{3}' fs transparent solid 0.25 "
        "notitle whiskerbars 0.6, \\\n     {1} index {2} using 1:15:15:15:15 with candlesticks lc rgb '{3}' "
        "lw 2.2 "
        "notitle",
        i > 0 ? ", \\\n     " : "", file, i, all[i].style.colour);
    for (const Series::Point& point : labelled[i].points)
      figure.hovers.push_back(
          {seeds_canvas.left + (point.x + 0.5) / count * (seeds_canvas.right - seeds_canvas.left),
           seeds_canvas.bottom - (point.y - low) / (high - low) * (seeds_canvas.bottom - seeds_canvas.top),
           fmt::format("{}: count, least, quartile, median, quartile, greatest = {}", all[i].style.label,
                       point.data)});
  }
  figure.script += plot + "\n";
  return figure;
}

}  // namespace

std::string network_text(const GenerateSpec& spec) {
  std::string text = cell_text(spec);
  text.resize(text.rfind(", seed "));
  if (!spec.beta) text.erase(text.find(", beta unscaled"), std::string_view(", beta unscaled").size());
  return text;
}

std::vector<SeedRow> over_seeds(const std::vector<Claim>& claims) {
  std::vector<SeedRow> rows;
  for (const Claim& claim : claims) {
    if (!claim.bound->constant || claim.bound->span != theory::Bound::Span::depth) continue;
    std::map<std::pair<std::string, std::size_t>, SeedGroup> groups;
    std::vector<std::pair<std::string, std::size_t>> order;
    for (const Instance& instance : claim.instances) {
      const Decision& d = *instance.decision;
      if (!applies(d) || !d.compared) continue;
      const std::pair key{kind_of_network(instance.cell->cell.spec), d.depth};
      const auto [group, fresh] = groups.try_emplace(key);
      if (fresh) {
        group->second.spec = instance.cell->cell.spec;
        order.push_back(key);
      }
      group->second.slack.push_back(d.slack);
      if (d.looseness) group->second.looseness.push_back(*d.looseness);
    }
    for (const auto& key : order) {
      const SeedGroup& group = groups.at(key);
      rows.push_back(
          {&claim, group.spec, key.second, distribution(group.looseness), distribution(group.slack)});
    }
  }
  return rows;
}

std::vector<SeedRow> shown_over_seeds(const std::vector<SeedRow>& rows) {
  std::vector<SeedRow> shown;
  std::size_t depth = 0;
  for (const SeedRow& row : rows) depth = std::max(depth, row.depth);
  for (const bool one_head : {true, false}) {
    const auto wanted = largest(rows, one_head);
    if (!wanted) continue;
    for (const SeedRow& row : rows)
      if (row.depth == depth && row.spec.heads == wanted->heads && size_of(row.spec) == size_of(*wanted) &&
          row.spec.law == wanted->law && row.spec.input_law == wanted->input_law &&
          row.spec.blocks == wanted->blocks)
        shown.push_back(row);
  }
  return shown;
}

FigureGroup seed_figures(const std::vector<SeedRow>& shown) {
  FigureGroup group;
  group.id = "seeds";
  group.heading = "Over seeds";
  group.caption =
      "Looseness of networks that differ in nothing but the seed: median, quartiles (box) and extremes "
      "(whiskers), bound beside bound, at the greatest depth of the largest networks. "
      "<code>tables/seeds.csv</code> has every size and depth.";
  for (const bool one_head : {true, false}) {
    std::vector<SeedRow> rows;
    std::copy_if(shown.begin(), shown.end(), std::back_inserter(rows), [&](const SeedRow& row) {
      return (row.spec.heads == 1) == one_head && row.looseness.count > 0;
    });
    if (!rows.empty()) group.figures.push_back(boxes_figure(rows, rows.front().spec, one_head));
  }
  return group;
}

}  // namespace rankfall::verify
