#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "numerics/magnitude.hpp"
#include "numerics/san/network.hpp"

namespace rankfall {

/// On the tokens themselves, or on their residual (san/recursion).
enum class Form { naive, residual };
std::string name(Form form);

/// A kind of number that a network can be evaluated in, at one precision.
struct NumberKind {
  std::string name;  ///< "bf16", "float32", "double", "long double", "double-double", "cpp_bin_float",
                     ///< "mpfr", "mpfi", "ball"
  long bits;
  bool encloses;  ///< results are enclosures; else points, of which nothing is certified
  /// The composite diameter of every state as this arithmetic sees it, the input first; nothing where it sees
  /// no finite number.
  std::function<std::vector<std::optional<Magnitude>>(const Network&, Form)> diameters;
};

/// bf16, float32, double, long double, double-double and cpp_bin_float at their bits; mpfr, mpfi and ball at
/// each of `bits`.
std::vector<NumberKind> number_kinds(const std::vector<long>& bits);
/// Of at least so many bits: Boost counts its precision in decimal digits.
NumberKind mpfr_kind(long bits);
NumberKind mpfi_kind(long bits);
NumberKind ball_kind(long bits);

/// Throws InputError unless every block is plain attention: no mask, pre_norm or score biases.
void require_plain_attention(const Network& network);

}  // namespace rankfall
