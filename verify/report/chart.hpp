#pragma once
#include <optional>
#include <string>
#include <vector>

#include "verify/report/figure.hpp"
#include "verify/report/scale.hpp"

namespace rankfall::verify {

/// A line, and a band about it, over the same abscissae.
struct Series {
  struct Point {
    double x = 0;
    std::string data;          ///< the enclosures behind it, as they stand in the data file
    double y = 0;              ///< NaN: no mark
    double low = 0, high = 0;  ///< of the band
  };
  std::string label;  ///< beside its right end
  std::string colour;
  int dash = 1;  ///< gnuplot's dash type
  double width = 1.8;
  std::vector<Point> points;
};

/// Lines against a common abscissa.
struct Chart {
  std::string name, title, subtitle, description;
  std::string x_label;
  std::string data_columns;  ///< names of the columns in Point::data, separated by blanks
  std::vector<Series> series;
  std::vector<Tick> y_ticks;
  double y_low = 0, y_high = 1;
  std::optional<Tick> reference;  ///< a horizontal line with its label inside the box
};

/// The range of every band and line, widened by a twentieth on both sides; {0, 1} when there is none.
std::pair<double, double> range(const std::vector<Series>& series);

Figure figure(const Chart& chart);

/// The series' names at the right of the box, each in its colour and led to its last point, as a part of a
/// script.
std::string series_labels(const Chart& chart);
/// The opening of every script: terminal, fonts, margins, title.
std::string script_head(const std::string& name, const std::string& title, const std::string& subtitle,
                        const Canvas& canvas = {});
/// Text for a double-quoted string of gnuplot, without any markup.
std::string quoted(const std::string& text);
/// One label each as near as possible to its wish, `gap` apart, between low and high; the order is kept.
std::vector<double> spread(std::vector<double> wishes, double gap, double low, double high);

}  // namespace rankfall::verify
