#include "verify/recheck/subject.hpp"

#include <fmt/format.h>

#include "numerics/errors.hpp"

namespace rankfall::recheck {

const Sizes& Subject::sizes_of(std::size_t state) const {
  throw InputError(fmt::format("states[{}]: this kind of instance has no states", state));
}

void Subject::each_member(const Visit&) const {
  throw InputError("members: this kind of instance has none");
}

Number Subject::evaluate(const Formula& formula) const {
  const auto symbols = [this](const std::string& name, const std::vector<long>& indices) {
    return look_up(name, indices);
  };
  return as_number(formula.evaluate(symbols, bits()), bits());
}

void refuse_symbol(const std::string& name, const std::vector<long>& indices) {
  throw InputError(
      fmt::format("the symbol {}[{}] is none that a recheck measures here", name, fmt::join(indices, ",")));
}

void refuse_quantity(const std::string& quantity) {
  throw InputError(fmt::format("the quantity {} is none that a recheck measures here", quantity));
}

}  // namespace rankfall::recheck
