#pragma once

namespace rankfall {

/// Whether Boost keeps the precision of new numbers for each thread (from 1.76 on), or for the whole process.
template <class Number>
concept HasThreadDefault = requires(unsigned digits) {
  Number::thread_default_precision(digits);
};

/// Decimal digits that Numbers of this thread are made with.
template <class Number>
unsigned default_digits() {
  if constexpr (HasThreadDefault<Number>)
    return Number::thread_default_precision();
  else
    return Number::default_precision();
}

template <class Number>
void set_default_digits(unsigned digits) {
  if constexpr (HasThreadDefault<Number>)
    Number::thread_default_precision(digits);
  else
    Number::default_precision(digits);
}

}  // namespace rankfall
