#pragma once
#include <doctest/doctest.h>

#include <cstdlib>

/// CAPTURE of a structured binding, which clang before 16 lets no lambda see.
#define CAPTURE_BOUND(name)     \
  const auto& name##_is = name; \
  INFO(#name " := ", name##_is)

namespace rankfall::test {

/// Factor on the number of random instances, from RANKFALL_TEST_MULTIPLIER; 1 when unset or not a positive
/// integer.
inline int multiplier() {
  const char* text = std::getenv("RANKFALL_TEST_MULTIPLIER");
  const int value = text == nullptr ? 1 : std::atoi(text);
  return value > 0 ? value : 1;
}

}  // namespace rankfall::test
