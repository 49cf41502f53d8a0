#include "verify/search/search_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "numerics/errors.hpp"
#include "numerics/version.hpp"

namespace rankfall::verify {
namespace {

using Json = nlohmann::ordered_json;

constexpr char format_name[] = "rankfall-search/1";

/// What the course of a search depends on besides its state.
Json request_json(const FalsifyRequest& request) {
  const Shape& shape = request.shape;
  return {{"statement", request.statement->id},
          {"gamma", request.statement->uses_gamma ? name(request.gamma) : ""},
          {"tokens", shape.tokens},
          {"dim", shape.dim},
          {"heads", shape.heads},
          {"outputs", shape.outputs},
          {"skip", to_text(shape.skip)},
          {"mlp", shape.mlp},
          {"depth", shape.depth},
          {"seed", request.seed},
          {"version", build::version}};
}

class Reader {
 public:
  Reader(std::string_view text, std::string name) : name_(std::move(name)) {
    root_ = Json::parse(text, nullptr, false);
    if (root_.is_discarded() || !root_.is_object() || root_.value("format", "") != format_name)
      fail(fmt::format("is no file of a search (\"format\": \"{}\")", format_name));
  }

  [[noreturn]] void fail(const std::string& words) const { throw InputError(name_ + ": " + words); }

  void require_same(const Json& wanted) const {
    for (const auto& [key, value] : wanted.items())
      if (!root_.contains(key) || root_.at(key) != value)
        fail(fmt::format("belongs to another search: {} is {} there and {} here", key,
                         root_.contains(key) ? root_.at(key).dump() : "absent", value.dump()));
  }

  std::uint64_t count(const char* key) const {
    if (!root_.contains(key) || !root_.at(key).is_number_unsigned())
      fail(fmt::format("\"{}\" is no count", key));
    return root_.at(key).get<std::uint64_t>();
  }

  std::vector<double> numbers(const char* key) const {
    if (!root_.contains(key) || !root_.at(key).is_array()) fail(fmt::format("\"{}\" is no list", key));
    std::vector<double> result;
    for (const Json& each : root_.at(key)) {
      if (!each.is_number() || !std::isfinite(each.get<double>()))
        fail(fmt::format("{}[{}] is no number", key, result.size()));
      result.push_back(each.get<double>());
    }
    return result;
  }

 private:
  std::string name_;
  Json root_;
};

}  // namespace

std::string search_state_text(const FalsifyRequest& request, const SearchState& state) {
  Json root{{"format", format_name}};
  root.update(request_json(request));
  root["rounds"] = state.rounds;
  root["evaluations"] = state.evaluations;
  root["best"] = state.best.numbers;  // shortest decimals that give the same doubles back
  return root.dump(1) + "\n";
}

SearchState parse_search_state(std::string_view text, const std::string& name,
                               const FalsifyRequest& request) {
  const Reader reader(text, name);
  reader.require_same(request_json(request));
  SearchState state;
  state.rounds = reader.count("rounds");
  state.evaluations = reader.count("evaluations");
  std::vector<double> numbers = reader.numbers("best");
  if (numbers.empty()) return state;
  state.best = starting_point(request.shape, request.seed, 0);
  if (numbers.size() != state.best.numbers.size())
    reader.fail(fmt::format("best has {} numbers; {} are needed", numbers.size(), state.best.numbers.size()));
  state.best.numbers = std::move(numbers);
  state.value = search_value(request, state.best);
  return state;
}

}  // namespace rankfall::verify
