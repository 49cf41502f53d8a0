#pragma once
#include <vector>

#include "numerics/activation.hpp"

namespace rankfall {

/// The slopes of an activation: where f' turns, found once by certified root isolation, and from it the
/// extremes of f' on any interval. Make one for each activation and precision and pass it around.
class Slope {
 public:
  Slope(Activation activation, Precision p);

  /// Encloses the least Lipschitz constant of f on the line (gelu 1.1289..., silu 1.0998...).
  const Ball& lipschitz() const { return lipschitz_; }
  /// Encloses the least Lipschitz constant of f on the set x.
  Ball lipschitz(const Ball& x) const;
  /// Encloses all (f(b) - f(a))/(b - a) for a, b in x; tight for wide x, unlike derivative().
  Ball range(const Ball& x) const;
  /// Enclosures of the points where f' has an extreme: none, 0, or a pair -c, c.
  const std::vector<Ball>& turning_points() const { return turning_; }

 private:
  Activation activation_;
  Precision precision_;
  std::vector<Ball> turning_, slopes_;  // and f' there
  Ball lipschitz_;
};

}  // namespace rankfall
