#pragma once
#include <cstdlib>

namespace rankfall::test {

/// Factor on the number of random instances, from RANKFALL_TEST_MULTIPLIER; 1 when unset or not a positive
/// integer.
inline int multiplier() {
  const char* text = std::getenv("RANKFALL_TEST_MULTIPLIER");
  const int value = text == nullptr ? 1 : std::atoi(text);
  return value > 0 ? value : 1;
}

}  // namespace rankfall::test
