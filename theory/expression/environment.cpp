#include "theory/expression/environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "numerics/errors.hpp"
#include "numerics/nearest.hpp"

namespace rankfall::theory {
namespace {

std::string written(const std::string& name, const std::vector<long>& indices) {
  return indices.empty() ? name : fmt::format("{}[{}]", name, fmt::join(indices, ","));
}

}  // namespace

Environment& Environment::set(const std::string& name, Value value) {
  families_[name].plain = std::move(value);
  return *this;
}

Environment& Environment::set(const std::string& name, std::vector<long> indices, Value value) {
  if (indices.empty()) return set(name, std::move(value));
  families_[name].indexed.insert_or_assign(std::move(indices), std::move(value));
  return *this;
}

const Value* Environment::find(const std::string& name) const {
  const auto family = families_.find(name);
  return family == families_.end() || !family->second.plain ? nullptr : &*family->second.plain;
}

const Value* Environment::find(const std::string& name, const std::vector<long>& indices) const {
  if (indices.empty()) return find(name);
  const auto family = families_.find(name);
  if (family == families_.end()) return nullptr;
  const auto entry = family->second.indexed.find(indices);
  return entry == family->second.indexed.end() ? nullptr : &entry->second;
}

void Environment::unknown(const std::string& name, const std::vector<long>& indices,
                          const std::vector<std::string>& also) const {
  if (const auto family = families_.find(name); family != families_.end()) {
    const std::string known =
        family->second.indexed.empty()
            ? name + " without indices"
            : fmt::format("{} at {} places, the first {}", name, family->second.indexed.size(),
                          written(name, family->second.indexed.begin()->first));
    throw InputError(fmt::format("no value for {}; known is {}", written(name, indices), known));
  }
  std::vector<std::string> names = also;
  for (const auto& [known, family] : families_) names.push_back(known);
  const std::string meant = nearest(name, names);
  std::string advice =
      names.empty() ? "no symbol is known" : fmt::format("known are {}", fmt::join(names, ", "));
  if (!meant.empty()) advice = fmt::format("did you mean '{}'?", meant);
  throw InputError(fmt::format("unknown symbol '{}'; {}", name, advice));
}

}  // namespace rankfall::theory
