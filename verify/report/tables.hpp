#pragma once
#include <string>
#include <vector>

#include "verify/report/provenance.hpp"
#include "verify/report/statistics.hpp"

namespace rankfall::verify {

/// tightness.csv (docs/formats): one line an instance, in the order given; RFC 4180 with line feeds.
/// Enclosures are outward-rounded; a field that has no value is empty.
std::string tightness_csv(const std::vector<Instance>& instances, int digits);
/// One line for each hypothesis of each.
std::string margins_csv(const std::vector<Instance>& instances, int digits);

/// tightness.md: one line a claim.
std::string tightness_markdown(const std::vector<Digest>& digests, const Provenance& made,
                               std::size_t networks);

/// verdicts.json, "rankfall-verdicts/1": counts by statement, gamma and verdict, and the exceptions:
/// refutations of claims held true and what stayed undecided for lack of precision, each with a command that
/// repeats it.
std::string verdicts_json(const std::vector<Digest>& digests, const Provenance& made, std::size_t networks,
                          int digits);

inline constexpr char verdicts_format[] = "rankfall-verdicts/1";

}  // namespace rankfall::verify
