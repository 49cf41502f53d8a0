#include "verify/search/least_size.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "numerics/errors.hpp"
#include "theory/models/skip_models.hpp"
#include "theory/models/two_heads.hpp"
#include "verify/enclosure.hpp"
#include "verify/search/falsify.hpp"
#include "verify/search/mover_search.hpp"
#include "verify/search/simplex.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr Precision size_decision_bits(256);
constexpr long largest_size = 1L << 20;
constexpr std::uint64_t least_cell = 0x6c65617374000000;
constexpr double clear_violation = 1e-6, hopeless = -1e-3;  // estimates of log2 of the ratio
constexpr unsigned long output_bits = 60;

/// What is known of a family: which statement it is against, how large its members may be, how good the one
/// with these numbers is, in fast arithmetic, and its refutation where it exists.
struct FamilySearch {
  std::string family, size_name;
  long smallest;  ///< size that is tried
  Point start;
  std::function<double(long size, const Point& point)> estimate;
  std::function<Refutation(long size, const Point& point)> certify;  ///< throws DomainError without a member
};

/// One decade of scores is as good as another once they are small: only the width is searched.
FamilySearch two_heads_search(const std::string& id) {
  const auto against = [id](long size, const Point&) {
    return against_two_heads(two_heads(size, Rational(1, 1'000'000)), id, size_decision_bits);
  };
  return {"two-heads", "m", 64, {{0}, {1}}, [](long, const Point&) { return HUGE_VAL; }, against};
}

FamilySearch mover_search() {
  const auto against = [](long size, const Point& point) {
    return against_sharper_family(movers(size, point), size_decision_bits);
  };
  return {"one-logit-per-mover", "n", 64, first_movers(), mover_estimate, against};
}

/// Inputs (k, 1, ..., 1), and outputs orthogonal to them by construction. With one column they are zero.
FamilySearch orthogonal_search() {
  const auto estimate = [](long size, const Point& point) {
    const double k = point.numbers.front(), others = static_cast<double>(size - 1), first = k + others / k;
    return k < 1 ? -HUGE_VAL : std::log2(2 * k * (k + others)) / 2 - std::log2(2 * first * first) / 2;
  };
  const auto against = [](long size, const Point& point) {
    const Rational k(std::llround(point.numbers.front() * 1024), 1024);
    return against_orthogonal_outputs(orthogonal_skip(output_bits, size, k), size_decision_bits);
  };
  return {"orthogonal-outputs", "d", 1, {{4}, {1}}, estimate, against};
}

FamilySearch search_of(const std::string& id) {
  const std::string family = family_of(id);
  if (family == "two-heads") return two_heads_search(id);
  return family == "orthogonal-outputs" ? orthogonal_search() : mover_search();
}

/// The violation found at one size, if any; the climb goes on from the best point of the size before.
class AtSize {
 public:
  AtSize(const FamilySearch& search, std::uint64_t seed, std::uint64_t evaluations)
      : search_(search), seed_(seed), each_(evaluations), best_(search.start) {}

  std::optional<Refutation> violation(long size) {
    const Goal goal = [&](const Point& point) { return search_.estimate(size, point); };
    const Stream stream(seed_, least_cell, static_cast<std::uint64_t>(size), 0);
    const SearchOutcome outcome = simplex_search(goal, best_, stream, each_, clear_violation);
    evaluations_ += outcome.evaluations;
    if (std::isfinite(outcome.value)) best_ = outcome.best;
    if (outcome.value < hopeless) return std::nullopt;
    try {
      Refutation found = search_.certify(size, best_);
      if (found.certified) return found;
    } catch (const DomainError&) {  // no such member
    }
    return std::nullopt;
  }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  const FamilySearch& search_;
  std::uint64_t seed_, each_, evaluations_ = 0;
  Point best_;
};

EnclosureText ratio(const Refutation& r) {
  return value_text(div(r.left, r.right, size_decision_bits), ratio_digits);
}

}  // namespace

std::string family_of(const std::string& id) {
  if (id == "dong-2.3" || id == "dong-2.3-v1") return "two-heads";
  if (id == "dong-3.1-orthogonal") return "orthogonal-outputs";
  return id == "dong-2.2-v1" ? "one-logit-per-mover" : "";
}

std::optional<LeastInstance> least_instance(const std::string& id, std::uint64_t seed,
                                            std::uint64_t evaluations,
                                            const std::function<void(long)>& at_size) {
  const FamilySearch search = search_of(id);
  AtSize trial(search, seed, evaluations);
  long below = 0, above = search.smallest;
  at_size(above);
  std::optional<Refutation> found = trial.violation(above);
  while (!found && above < largest_size) {
    below = above;
    above *= 2;
    at_size(above);
    found = trial.violation(above);
  }
  if (!found) return std::nullopt;
  while (above - below > 1) {
    const long middle = below + (above - below) / 2;
    at_size(middle);
    if (auto smaller = trial.violation(middle)) {
      found = std::move(smaller);
      above = middle;
    } else {
      below = middle;
    }
  }
  return LeastInstance{search.family, search.size_name, above, *std::move(found), below, trial.evaluations()};
}

std::string least_instance_text(const LeastInstance& found, std::uint64_t seed) {
  const EnclosureText text = ratio(found.refutation);
  return fmt::format(
      "{}, family {}: violated from {} = {} on the sizes tried, left/right in [{}, {}]\n"
      "no violation found at {} = {}; {} evaluations (seed {})\n",
      found.refutation.statement_id, found.family, found.size_name, found.size, text.low, text.high,
      found.size_name, found.not_found_at, found.evaluations, seed);
}

std::string least_instance_json(const LeastInstance& found, std::uint64_t seed) {
  using Json = nlohmann::ordered_json;
  const EnclosureText text = ratio(found.refutation);
  Json parameters = Json::object();
  for (const Parameter& parameter : found.refutation.parameters)
    parameters[parameter.name] = to_text(parameter.value);
  return Json{{"format", "rankfall-falsify/1"},
              {"statement", found.refutation.statement_id},
              {"family", found.family},
              {"size", {{found.size_name, found.size}}},
              {"not_found_at", found.not_found_at},
              {"seed", seed},
              {"evaluations", found.evaluations},
              {"violated", true},
              {"ratio", {{"value", {text.low, text.high}}}},
              {"parameters", parameters}}
             .dump(2) +
         "\n";
}

}  // namespace rankfall::verify
