#pragma once
#include <string>
#include <vector>

#include "numerics/ball.hpp"

namespace rankfall::verify {

/// Position of 10^v on an axis of powers of ten of powers of ten: sign(v) log10(1 + |v|), nearest double. NaN
/// for an infinite v.
double tower_height(const Ball& v);

/// log10 of a positive number, nearest double; NaN where it is not certainly positive.
double decade_height(const Ball& number);

/// A mark on an axis; the label is in gnuplot's enhanced text.
struct Tick {
  double position = 0;
  std::string label;
};

/// Marks at 1 and at 10^(+-10^k) between two heights, at most `most` of them (at least 3).
std::vector<Tick> tower_ticks(double low, double high, std::size_t most);

/// Marks at powers of ten on a common logarithmic axis.
std::vector<Tick> decade_ticks(double low, double high, std::size_t most);

}  // namespace rankfall::verify
