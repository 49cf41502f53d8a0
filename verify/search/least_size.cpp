#include "verify/search/least_size.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "numerics/errors.hpp"
#include "theory/models/sharper_family.hpp"
#include "theory/models/two_heads.hpp"
#include "verify/enclosure.hpp"
#include "verify/search/falsify.hpp"
#include "verify/search/local_search.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr Precision size_search_bits(64), size_decision_bits(256);
constexpr long smallest_size = 64, largest_size = 1L << 20;
constexpr std::uint64_t least_cell = 0x6c65617374000000;
constexpr int decimals = 8;  // of the numbers that fix an instance

/// A member of the family of this size, fixed by the numbers of the point.
using Member = std::function<std::optional<Refutation>(long size, const Point& point, Precision p)>;

struct FamilySearch {
  std::string family, size_name;
  Point start;
  Member member;
};

Rational rounded_number(double value) {
  return Rational(std::llround(value * std::pow(10, decimals)), std::llround(std::pow(10, decimals)));
}

/// One decade of scores is as good as another once they are small: only the width is searched.
FamilySearch two_heads_search(const std::string& id) {
  return {
      "two-heads", "m", {{0}, {1}}, [id](long size, const Point&, Precision p) -> std::optional<Refutation> {
        return against_two_heads(two_heads(size, Rational(1, 1'000'000)), id, p);
      }};
}

/// far, t, q_0, c_min, K, u; the start is the middle of what makes sense, not a known instance.
FamilySearch movers_search() {
  const auto member = [](long size, const Point& point, Precision p) -> std::optional<Refutation> {
    const auto number = [&](std::size_t i) { return rounded_number(point.numbers[i]); };
    MoverProfile profile{size, number(0), number(1), number(2), number(3), number(4), number(5)};
    const bool admissible = profile.far > 0 && profile.far < profile.hub && profile.t > 0 && profile.t < 40 &&
                            profile.q_0 > Rational(1, 2) && profile.q_0 < 1 && profile.c_min > 0 &&
                            profile.K > 0 && profile.u > 0;
    if (!admissible) return std::nullopt;
    try {
      const SharperFamily members = family(profile);
      if (members.mover_count() < 1 || members.zero_rows() < 0) return std::nullopt;
      return against_sharper_family(members, p);
    } catch (const DomainError&) {  // no such member
      return std::nullopt;
    }
  };
  return {"one-logit-per-mover", "n", {{52, 10, 0.85, 0.2, 0.5, 1}, {1, 2, 3, 4, 5, 6}}, member};
}

double value_of(const std::optional<Refutation>& refutation, Precision p) {
  if (!refutation || !refutation->left.certainly_positive() || !refutation->right.certainly_positive())
    return -HUGE_VAL;
  return to_double(lower(sub(refutation->left.log2(), refutation->right.log2(), p), p));
}

/// The violation found at one size, if any; the climb goes on from the best point of the size before.
class AtSize {
 public:
  AtSize(const FamilySearch& search, std::uint64_t seed, std::uint64_t evaluations)
      : search_(search), seed_(seed), each_(evaluations), best_(search.start) {}

  std::optional<Refutation> violation(long size) {
    const Goal goal = [&](const Point& point) {
      return value_of(search_.member(size, point, size_search_bits), size_search_bits);
    };
    const Stream stream(seed_, least_cell, static_cast<std::uint64_t>(size), 0);
    const bool fixed = search_.start.numbers.size() == 1;
    const SearchOutcome outcome = climb(goal, best_, stream, fixed ? 1 : each_);
    evaluations_ += outcome.evaluations;
    if (std::isfinite(outcome.value)) best_ = outcome.best;
    auto found = search_.member(size, outcome.best, size_decision_bits);
    return found && found->certified ? found : std::nullopt;
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
  return id == "dong-2.2-v1" ? "one-logit-per-mover" : "";
}

std::optional<LeastInstance> least_instance(const std::string& id, std::uint64_t seed,
                                            std::uint64_t evaluations,
                                            const std::function<void(long)>& at_size) {
  const FamilySearch search = family_of(id) == "two-heads" ? two_heads_search(id) : movers_search();
  AtSize trial(search, seed, evaluations);
  long below = smallest_size, above = smallest_size;
  std::optional<Refutation> found;
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
