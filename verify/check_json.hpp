#pragma once
#include <string>

#include "verify/check.hpp"

namespace rankfall::verify {

/// Where a checked network came from.
struct Source {
  std::string file;    ///< as given, or "-" for standard input
  std::string sha256;  ///< of its bytes, in hexadecimal
};

/// The result as rankfall-check/1 (docs/formats).
std::string check_json(const CheckResult& result, const Source& source, const std::string& engine,
                       int digits);

}  // namespace rankfall::verify
