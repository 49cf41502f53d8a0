#pragma once
#include <functional>
#include <string>
#include <vector>

#include "verify/recheck/measures.hpp"
#include "verify/recheck/statement.hpp"

namespace rankfall::recheck {

/// What a statement is read on: gives the symbols of its formulas, and the left side.
class Subject {
 public:
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  virtual Bits bits() const = 0;
  /// Throws InputError for a symbol that a recheck does not measure here.
  virtual Value look_up(const std::string& name, const std::vector<long>& indices) const = 0;
  /// Of the bound.
  virtual Number left() const = 0;

  /// Of a state; not of every subject.
  virtual const Sizes& sizes_of(std::size_t state) const;
  /// Goes through the members: for every head and every choice of their indices, the two sides. Not of every
  /// subject.
  using Visit = std::function<void(const Number& left, const Number& right)>;
  virtual void each_member(const Visit& visit) const;

  Number evaluate(const Formula& formula) const;
};

/// Throws InputError: no such symbol, no such quantity.
[[noreturn]] void refuse_symbol(const std::string& name, const std::vector<long>& indices);
[[noreturn]] void refuse_quantity(const std::string& quantity);

}  // namespace rankfall::recheck
