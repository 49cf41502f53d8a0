#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "theory/expression/value.hpp"

namespace rankfall::theory {

/// What the symbols of an expression stand for: a value for a name, or for a name with integer indices.
class Environment {
 public:
  Environment& set(const std::string& name, Value value);
  Environment& set(const std::string& name, std::vector<long> indices, Value value);

  /// Null when unknown.
  const Value* find(const std::string& name) const;
  const Value* find(const std::string& name, const std::vector<long>& indices) const;
  /// Throws InputError that names what is unknown and what is known instead. `also` are names known
  /// elsewhere.
  [[noreturn]] void unknown(const std::string& name, const std::vector<long>& indices,
                            const std::vector<std::string>& also) const;

 private:
  struct Family {
    std::optional<Value> plain;
    std::map<std::vector<long>, Value> indexed;
  };
  std::map<std::string, Family> families_;
};

}  // namespace rankfall::theory
