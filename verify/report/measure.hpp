#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "verify/report/instances.hpp"

namespace rankfall::verify {

/// What is measured on one instance of a claim (docs/theory/tightness.md).
enum class Measure {
  looseness,
  slack,             ///< decades
  implied_constant,  ///< the constant that would make the bound an equality
  implied_gamma,     ///< the gamma that would
  vacuous            ///< 1 where the bound exceeds the trivial one, else 0: its mean is a share
};
inline constexpr std::array all_measures = {Measure::looseness, Measure::slack, Measure::implied_constant,
                                            Measure::implied_gamma, Measure::vacuous};
std::string name(Measure measure);   ///< "implied-constant"
std::string words(Measure measure);  ///< "Implied constant"

/// Takes measures off instances, fresh or from a ledger alike.
class Measurer {
 public:
  /// An enclosure; none where the claim does not apply to the instance or the number does not exist or is not
  /// known. The implied constant, looseness times C, is known where C depends on nothing but the sizes and
  /// the beta that all heads were scaled to; the implied gamma is the looseness of a reading with gamma one.
  std::optional<Span> operator()(Measure measure, const Instance& instance);

 private:
  using Key = std::tuple<const theory::Bound*, Index, Index, Index, Rational>;
  std::optional<Span> constant(const Instance& instance);
  std::map<Key, Span> constants_;
};

}  // namespace rankfall::verify
