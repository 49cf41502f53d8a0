#pragma once
#include <stdexcept>
#include <string>

namespace rankfall {

/// Root of every failure the library reports. The message says what was found, where, and what is allowed.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file or a value handed in from outside is not acceptable.
class InputError : public Error {
 public:
  using Error::Error;
};

/// An operation was asked of a value outside its domain (shape break, division by an enclosure of zero).
class DomainError : public Error {
 public:
  using Error::Error;
};

/// The same where no precision helps: zero to the power -1, the logarithm of zero.
class UndefinedError : public DomainError {
 public:
  using DomainError::DomainError;
};

/// A result could not be enclosed tightly enough at the highest admissible precision.
class PrecisionLimit : public Error {
 public:
  using Error::Error;
};

}  // namespace rankfall
