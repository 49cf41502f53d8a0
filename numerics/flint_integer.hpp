#pragma once
#include <gmp.h>  // before FLINT, so that its conversions from GMP are declared

#include <flint/fmpz.h>

#include "numerics/exact.hpp"

namespace rankfall {

/// An Integer as FLINT holds it, for the length of a call.
class FlintInteger {
 public:
  explicit FlintInteger(const Integer& value) {
    fmpz_init(value_);
    fmpz_set_mpz(value_, value.backend().data());
  }
  FlintInteger(const FlintInteger&) = delete;
  FlintInteger& operator=(const FlintInteger&) = delete;
  ~FlintInteger() { fmpz_clear(value_); }
  const fmpz* get() const { return value_; }

 private:
  fmpz_t value_;
};

inline Integer to_integer(const fmpz* value) {
  Integer result;
  fmpz_get_mpz(result.backend().data(), value);
  return result;
}

}  // namespace rankfall
