#pragma once
#include <cstddef>
#include <string_view>

namespace rankfall {

/// How a floating-point number stands in a binary file.
enum class FloatFormat { f64, f32, f16, bf16 };

std::size_t bytes_of(FloatFormat format);  ///< 8, 4, 2, 2

/// The exact value of the number that begins at `bytes`, as a double, which holds every one of them;
/// infinities and NaN as such.
double float_value(const char* bytes, FloatFormat format, bool big_endian);

}  // namespace rankfall
