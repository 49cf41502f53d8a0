#include "verify/report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace rankfall::verify {
namespace {

constexpr Canvas chart_canvas;
constexpr double label_gap = 15;  // pixels between baselines of the labels beside the box

double screen_x(double pixels, const Canvas& on = chart_canvas) {
  return pixels / on.width;
}
double screen_y(double pixels, const Canvas& on = chart_canvas) {
  return 1 - pixels / on.height;
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.10g}", value) : "NaN";
}

std::string data_text(const Chart& chart) {
  std::string text = fmt::format("# {}. {}\n", chart.title, chart.description);
  const auto out = std::back_inserter(text);
  for (const Series& series : chart.series) {
    fmt::format_to(out, "\n\n# {}\n# {} {} height height_lo height_hi\n", series.label, chart.x_label,
                   chart.data_columns);
    for (const Series::Point& point : series.points)
      fmt::format_to(out, "{} {} {} {} {}\n", number(point.x), point.data, number(point.y), number(point.low),
                     number(point.high));
  }
  return text;
}

/// Height in pixels of the last point that is drawn.
std::optional<double> end_of(const Series& series, const Chart& chart) {
  const auto drawn = std::find_if(series.points.rbegin(), series.points.rend(),
                                  [](const auto& point) { return std::isfinite(point.y); });
  if (drawn == series.points.rend()) return std::nullopt;
  return chart_canvas.bottom -
         (drawn->y - chart.y_low) / (chart.y_high - chart.y_low) * (chart_canvas.bottom - chart_canvas.top);
}

/// Least and greatest abscissa, apart.
std::pair<double, double> abscissae(const Chart& chart) {
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const Series& series : chart.series)
    for (const Series::Point& point : series.points) {
      first = std::min(first, point.x);
      last = std::max(last, point.x);
    }
  const double room = first < last ? 0 : 0.5;
  return {first - room, last + room};
}

std::string axes(const Chart& chart) {
  const auto [first, last] = abscissae(chart);
  std::string text =
      fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]\nset xlabel {} offset 0,0.4 textcolor rgb '{}'\n",
                  number(first), number(last), number(chart.y_low), number(chart.y_high),
                  quoted(chart.x_label), colour::muted);
  const double step = std::max(1.0, std::ceil((last - first) / 12));
  text += fmt::format("set xtics {},{} textcolor rgb '{}'\n", number(std::ceil(first)), number(step),
                      colour::muted);
  text += "set ytics (";
  for (const Tick& tick : chart.y_ticks)
    text += fmt::format("{}\"{}\" {}", &tick == chart.y_ticks.data() ? "" : ", ", tick.label,
                        number(tick.position));
  text += fmt::format(") textcolor rgb '{}'\nset grid ytics lt 1 lc rgb '{}' lw 1\n", colour::muted,
                      colour::line);
  if (chart.reference)
    text += fmt::format(
        "set arrow from graph 0,first {0} to graph 1,first {0} nohead lc rgb '{1}' lw 1.2 dt 3\n"
        "set label {2} at graph 0.02,first {0} offset 0,0.5 noenhanced textcolor rgb '{1}'\n",
        number(chart.reference->position), colour::muted, quoted(chart.reference->label));
  return text;
}

std::string plots(const Chart& chart) {
  std::vector<std::string> parts;
  const std::string file = quoted(chart.name + ".dat");
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    parts.push_back(
        fmt::format("{} index {} using 1:(column(cols-1)):(column(cols)) with filledcurves fc rgb '{}' "
                    "fs transparent solid 0.16 noborder notitle",
                    file, i, chart.series[i].colour));
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const Series& s = chart.series[i];
    parts.push_back(
        fmt::format("{} index {} using 1:(column(cols-2)) with linespoints lc rgb '{}' lw {} dt {} pt 7 "
                    "ps 0.32 notitle",
                    file, i, s.colour, number(s.width), s.dash));
  }
  std::string text = "plot ";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i ? ", \\\n     " : "") + parts[i];
  return text + "\n";
}

/// What stands behind each mark.
std::vector<Hover> hovers(const Chart& chart) {
  std::vector<Hover> all;
  const auto [first, last] = abscissae(chart);
  for (const Series& series : chart.series)
    for (const Series::Point& point : series.points) {
      if (!std::isfinite(point.y)) continue;
      all.push_back(
          {chart_canvas.left + (point.x - first) / (last - first) * (chart_canvas.right - chart_canvas.left),
           chart_canvas.bottom - (point.y - chart.y_low) / (chart.y_high - chart.y_low) *
                                     (chart_canvas.bottom - chart_canvas.top),
           fmt::format("{}, {} {:g}: {} = {}", series.label, chart.x_label, point.x, chart.data_columns,
                       point.data)});
    }
  return all;
}

long columns(const Chart& chart) {
  return 5 + std::count(chart.data_columns.begin(), chart.data_columns.end(), ' ');
}

}  // namespace

std::pair<double, double> range(const std::vector<Series>& series) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Series& one : series)
    for (const Series::Point& point : one.points)
      for (const double y : {point.y, point.low, point.high})
        if (std::isfinite(y)) {
          low = std::min(low, y);
          high = std::max(high, y);
        }
  if (low > high) return {0, 1};
  const double room = std::max((high - low) / 20, 0.05);
  return {low - room, high + room};
}

std::string series_labels(const Chart& chart) {
  std::vector<const Series*> named;
  std::vector<double> ends;
  for (const Series& series : chart.series)
    if (const auto end = end_of(series, chart)) {
      named.push_back(&series);
      ends.push_back(*end);
    }
  const std::vector<double> places = spread(ends, label_gap, chart_canvas.top - 4, chart_canvas.bottom);
  std::string text;
  for (std::size_t i = 0; i < named.size(); ++i) {
    text +=
        fmt::format("set arrow from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} nohead lc rgb '{}' lw 0.7\n",
                    screen_x(chart_canvas.right + 5), screen_y(ends[i]), screen_x(chart_canvas.right + 13),
                    screen_y(places[i]), named[i]->colour);
    text += fmt::format("set label {} at screen {:.5f},{:.5f} noenhanced textcolor rgb '{}'\n",
                        quoted(named[i]->label), screen_x(chart_canvas.right + 17), screen_y(places[i] + 0.5),
                        named[i]->colour);
  }
  return text;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::vector<double> spread(std::vector<double> wishes, double gap, double low, double high) {
  std::vector<std::size_t> order(wishes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wishes[a] < wishes[b]; });
  // Least squares under the gaps: pool neighbours that are too near.
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < order.size(); ++i) {
    pools.push_back({wishes[order[i]] - gap * static_cast<double>(i), 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  const double room = high - gap * static_cast<double>(wishes.empty() ? 0 : wishes.size() - 1);
  std::size_t i = 0;
  for (const Pool& pool : pools)
    for (std::size_t k = 0; k < pool.count; ++k, ++i)
      wishes[order[i]] = std::max(low, std::min(pool.mean(), room)) + gap * static_cast<double>(i);
  return wishes;
}

std::string script_head(const std::string& name, const std::string& title, const std::string& subtitle,
                        const Canvas& on) {
  return fmt::format(
             "# gnuplot -d {0}.gp > {0}.svg\n"
             "set terminal svg size {1},{2} dynamic enhanced font \"sans-serif,12\" background rgb "
             "'#ffffff'\n"
             "set encoding utf8\n"
             "set lmargin at screen {3:.5f}\nset rmargin at screen {4:.5f}\n"
             "set tmargin at screen {5:.5f}\nset bmargin at screen {6:.5f}\n",
             name, on.width, on.height, screen_x(on.left, on), screen_x(on.right, on), screen_y(on.top, on),
             screen_y(on.bottom, on)) +
         fmt::format(
             "set border 1 lc rgb '{0}'\nset tics nomirror scale 0.4\nunset key\n"
             "set label {1} at screen 0.01,screen {2:.5f} noenhanced font \"sans-serif:Bold,13\" "
             "textcolor rgb '{3}'\n"
             "set label {4} at screen 0.01,screen {5:.5f} noenhanced textcolor rgb '{0}'\n",
             colour::muted, quoted(title), screen_y(15, on), colour::ink, quoted(subtitle), screen_y(34, on));
}

Figure figure(const Chart& chart) {
  Figure result{chart.name, chart.title, chart.description, data_text(chart), ""};
  result.hovers = hovers(chart);
  result.script = script_head(chart.name, chart.title, chart.subtitle) + axes(chart) + series_labels(chart) +
                  fmt::format("cols = {}\n", columns(chart)) + plots(chart);
  return result;
}

}  // namespace rankfall::verify
