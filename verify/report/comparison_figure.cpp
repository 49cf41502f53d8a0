#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "verify/enclosure.hpp"
#include "verify/report/figures.hpp"
#include "verify/report/number_text.hpp"
#include "verify/report/statistics.hpp"

namespace rankfall::verify {
namespace {

constexpr Canvas strip_canvas;
constexpr double strip_left = 112, strip_right = 414;  // names stand at the left of their strips

/// One mark: how loose the bound is on one network.
struct Mark {
  Span looseness;
  double position;  ///< log10 of its middle
  bool applies;
  std::string network;
};

struct Strip {
  const BoundStyle* style;
  std::vector<Mark> marks;
};

Strip strip_of(const BoundStyle& style, const Claim& claim, bool one_head) {
  std::size_t deepest = 0;
  for (const Instance& instance : claim.instances) deepest = std::max(deepest, instance.decision->depth);
  Strip strip{&style, {}};
  for (const Instance& instance : claim.instances) {
    const Decision& d = *instance.decision;
    if ((instance.cell->cell.spec.heads == 1) == one_head && d.depth == deepest && d.looseness)
      strip.marks.push_back(
          {*d.looseness, middle_decade(*d.looseness), applies(d), cell_text(instance.cell->cell.spec)});
  }
  return strip;
}

/// Height of the k-th mark within its strip: marks of a strip fan out in a fixed, even manner.
double fan(std::size_t k) {
  constexpr double golden = 0.6180339887498949;
  const double turn = static_cast<double>(k) * golden;
  return 0.62 * (turn - std::floor(turn) - 0.5);
}

std::string data_text(const std::vector<Strip>& strips, const std::string& title) {
  std::string text = "# " + title + "\n# looseness_lo looseness_hi position height applies\n";
  for (std::size_t row = 0; row < strips.size(); ++row) {
    text += fmt::format("\n\n# {}\n", strips[row].style->label);
    for (std::size_t k = 0; k < strips[row].marks.size(); ++k) {
      const Mark& mark = strips[row].marks[k];
      text += fmt::format("{} {:.10g} {:.6g} {}\n", ends_text(mark.looseness, figure_digits), mark.position,
                          -static_cast<double>(row) + fan(k), mark.applies ? 1 : 0);
    }
  }
  return text;
}

/// Middle of the marks of a strip that speak of the claim.
std::optional<double> strip_median(const Strip& strip) {
  std::vector<Span> numbers;
  for (const Mark& mark : strip.marks)
    if (mark.applies) numbers.push_back(mark.looseness);
  if (numbers.empty()) return std::nullopt;
  return middle_decade(distribution(numbers).median);
}

/// Where the axis begins.
double axis_start(const std::vector<Strip>& strips) {
  double least = 0;
  for (const Strip& strip : strips)
    for (const Mark& mark : strip.marks) least = std::min(least, mark.position);
  return least - 0.15;
}

std::vector<Hover> hovers(const std::vector<Strip>& strips) {
  const double low = axis_start(strips), rows = static_cast<double>(strips.size());
  std::vector<Hover> all;
  for (std::size_t row = 0; row < strips.size(); ++row)
    for (std::size_t k = 0; k < strips[row].marks.size(); ++k) {
      const Mark& mark = strips[row].marks[k];
      const EnclosureText ends = value_text(mark.looseness, figure_digits);
      const double height = -static_cast<double>(row) + fan(k);
      all.push_back(
          {strip_left + (mark.position - low) / (0.15 - low) * (strip_right - strip_left),
           strip_canvas.top + (0.6 - height) / (0.2 + rows) * (strip_canvas.bottom - strip_canvas.top),
           fmt::format("{}, {}: looseness {} to {}{}", strips[row].style->label, mark.network, ends.low,
                       ends.high, mark.applies ? "" : ", hypotheses not certified")});
    }
  return all;
}

std::string script_text(const std::vector<Strip>& strips, const std::string& name, const std::string& head) {
  const double low = axis_start(strips), rows = static_cast<double>(strips.size());
  std::string text = head;
  const auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n"
                 "set xrange [{:.10g}:0.15]\nset yrange [{}:0.6]\nunset ytics\n"
                 "set xlabel \"looseness\" offset 0,0.4 textcolor rgb '{}'\nset xtics (",
                 strip_left / strip_canvas.width, strip_right / strip_canvas.width, low, 0.4 - rows,
                 colour::muted);
  for (const Tick& tick : decade_ticks(low, 0.15, 8))
    fmt::format_to(out, "\"{}\" {:g}, ", tick.label, tick.position);
  text.resize(text.size() - 2);
  fmt::format_to(out, ") textcolor rgb '{}'\nset grid xtics lt 1 lc rgb '{}' lw 1\n", colour::muted,
                 colour::line);
  std::string plot = "plot ";
  for (std::size_t row = 0; row < strips.size(); ++row) {
    const BoundStyle& style = *strips[row].style;
    const double y = -static_cast<double>(row);
    fmt::format_to(out, "set label {} at graph 0,first {} offset -1,0 right noenhanced textcolor rgb '{}'\n",
                   quoted(style.label), y, style.colour);
    if (const auto x = strip_median(strips[row]))
      fmt::format_to(out,
                     "set arrow from first {0:.10g},first {1} to first {0:.10g},first {2} nohead front lc "
                     "rgb '{3}' lw 2.4\n",
                     *x, y - 0.42, y + 0.42, colour::ink);
    for (const int applies : {0, 1})
      plot +=
          fmt::format("{}{} index {} using ($5=={} ? $3 : NaN):4 with points pt {} ps {} lc rgb '{}' notitle",
                      row + static_cast<std::size_t>(applies) ? ", \\\n     " : "", quoted(name + ".dat"),
                      row, applies, applies ? 7 : 6, applies ? 0.42 : 0.36, style.colour);
  }
  return text + plot + "\n";
}

std::optional<Figure> comparison_figure(const std::vector<Claim>& claims, bool one_head) {
  const std::vector<BoundStyle> styles = bound_styles(claims);
  std::vector<Strip> strips;
  for (const BoundStyle& style : styles) {
    const Claim* claim = find_claim(claims, style.id, style.gamma);
    if (!claim || !(one_head ? style.one_head : style.many_heads)) continue;
    Strip strip = strip_of(style, *claim, one_head);
    if (!strip.marks.empty()) strips.push_back(std::move(strip));
  }
  if (strips.empty()) return std::nullopt;
  Figure figure;
  figure.name = one_head ? "networks-one-head" : "networks-many-heads";
  figure.title = one_head ? "Bound beside bound, one head" : "Bound beside bound, several heads";
  figure.description =
      "Looseness of each network at the greatest depth, one strip a bound; hollow where the "
      "hypotheses are not certified; the bar is the median of the others.";
  figure.hovers = hovers(strips);
  figure.data = data_text(strips, figure.title + ". " + figure.description);
  figure.script =
      script_text(strips, figure.name,
                  script_head(figure.name, figure.title, "one mark a network, at the greatest depth"));
  return figure;
}

}  // namespace

FigureGroup comparison_figures(const std::vector<Claim>& claims) {
  FigureGroup group;
  group.id = "networks";
  group.heading = "Bound beside bound";
  group.caption =
      "The same measure network by network at the greatest depth, so that the paper\u2019s bound, its repair "
      "and the "
      "diameter bound stand on the same instances. Filled where the bound applies, hollow where its "
      "hypotheses are not "
      "certified and the number is a measurement only; the bar is the median of the filled.";
  for (const bool one_head : {true, false})
    if (auto drawn = comparison_figure(claims, one_head)) group.figures.push_back(*std::move(drawn));
  return group;
}

}  // namespace rankfall::verify
