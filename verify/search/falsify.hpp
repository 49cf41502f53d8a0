#pragma once
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "verify/decide.hpp"
#include "verify/search/candidate.hpp"

namespace rankfall::verify {

inline constexpr int ratio_digits = 12;  ///< of the best ratio, in words and in JSON

/// What to search for: an instance of the shape on which the statement's left side is as large as possible
/// against its right side.
struct FalsifyRequest {
  const theory::Statement* statement = nullptr;
  theory::Gamma gamma{theory::Gamma::Kind::sum_max, 1};  ///< where the statement uses one
  Shape shape;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> evaluations;  ///< the search stops behind so many
  std::optional<double> seconds;             ///< and when so much time has passed
  unsigned threads = 1;
};

/// Where a search is between two rounds. From the same state the same search goes on.
struct SearchState {
  std::uint64_t rounds = 0, evaluations = 0;
  Point best;                ///< empty before anything finite was found
  double value = -HUGE_VAL;  ///< log2(left/right) at `best`, certified from below
};

/// What a search has come to: an exact instance, and the decision on it.
struct Finding {
  std::uint64_t evaluations = 0, rounds = 0;
  int weight_bits = 0;                    ///< to which the numbers were rounded
  std::optional<Network> network = {};    ///< none when no instance satisfied the hypotheses
  std::optional<Decision> decision = {};  ///< on it
  std::optional<Span> ratio = {};         ///< encloses left/right

  bool violated() const { return decision && decision->verdict == Verdict::refuted; }
};

/// log2(left/right) of the statement on the last state of the network at p bits, from below, at the reference
/// where that is largest; minus infinity outside the scope and where the hypotheses are not certified.
double tightness(const theory::Statement& statement, const theory::Gamma& gamma, const Network& network,
                 Precision p);

/// The same for a point of the request's shape, at the precision of the search.
double search_value(const FalsifyRequest& request, const Point& point);

/// After each round. Returning false ends the search there.
using RoundEnd = std::function<bool(const SearchState&)>;

/// Searches in rounds, each a tournament of climbs from new starting points and from the best so far. Every
/// value that is compared is a certified lower bound. With a limit on evaluations alone the outcome is a
/// function of the request and does not depend on the threads; `interrupted`, asked at any time, leaves out
/// the round that it breaks off. Throws InputError for a shape on which the statement does not speak.
SearchState search(const FalsifyRequest& request, SearchState from, const RoundEnd& after_round,
                   const std::function<bool()>& interrupted = {});

/// Rounds the best instance to as few bits as keep its value to one part in ten thousand, and decides on it.
Finding certify(const FalsifyRequest& request, const SearchState& state);

}  // namespace rankfall::verify
