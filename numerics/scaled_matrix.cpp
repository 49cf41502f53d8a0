#include "numerics/matrix.hpp"

namespace rankfall {

void normalise(ScaledMatrix& matrix) {
  bool found = false;
  Integer top = 0;
  for (Index i = 0; i < matrix.mantissa.size(); ++i) {
    const Ball& entry = matrix.mantissa.data()[i];
    if (is_zero(entry) || !is_finite(entry)) continue;
    const Integer exponent = binary_exponent(entry);
    if (!found || exponent > top) top = exponent;
    found = true;
  }
  if (!found) {
    matrix.exponent = 0;
    return;
  }
  if (top == 0) return;
  for (Index i = 0; i < matrix.mantissa.size(); ++i)
    matrix.mantissa.data()[i] = scale(matrix.mantissa.data()[i], -top);
  matrix.exponent += top;
}

}  // namespace rankfall
