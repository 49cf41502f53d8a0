#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "numerics/exact.hpp"

namespace rankfall::verify {

/// What the values of an axis must be.
struct AxisRange {
  bool integer = true;
  Rational least = 1, most = 1;
  std::string allowed;  ///< in words, for messages: "integers from 1 to 100000"
};

/// The values that one constant of a table takes, in the order written. Ranges are kept as such, so that an
/// axis of 10^9 values costs nothing before it is refused.
class Axis {
 public:
  /// A value, or a list a,b,c of values and ranges first:last or first:last:step (step 1 when absent, last
  /// included when the steps meet it). Numbers are exact: 0.1 is one tenth, 1/3 a third. Throws InputError
  /// that names the axis, the offending part and what is allowed.
  Axis(std::string name, std::string_view text, const AxisRange& range);

  const std::string& name() const { return name_; }
  const Integer& size() const { return size_; }
  /// The value at index, below size(), which must fit a long.
  Rational at(long index) const;

 private:
  struct Stretch {
    Rational first, step;
    Integer count;
  };
  void append(std::string_view part, const AxisRange& range);

  std::string name_;
  std::vector<Stretch> stretches_;
  Integer size_ = 0;
};

}  // namespace rankfall::verify
