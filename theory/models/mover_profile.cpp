#include "theory/models/rounded.hpp"
#include "theory/models/sharper_family.hpp"

namespace rankfall::theory {
namespace {

constexpr Precision working(
    128);  // the logits are rounded to four decimals, whatever the precision of the verdict

}  // namespace

SharperFamily family(const MoverProfile& profile) {
  const Precision p = working;
  const Ball u(profile.u, p), c_min(profile.c_min, p), q_0(profile.q_0, p),
      boost = expm1(Ball(profile.t, p), p);
  SharperFamily result{profile.tokens, profile.hub, profile.far, profile.t, {}};
  for (long i = 1; 2 * i - 1 < profile.tokens; ++i) {
    const Rational above =
        1 - Rational(2 * i - 1, profile.tokens);  // share of tokens above c_i, less that below
    const Ball level = sub(sqrt(Ball(Rational(profile.K / above), p), p), u, p);
    const Ball c = midpoint_less(level, c_min) ? c_min : level;
    if (!midpoint_less(c, q_0)) break;
    const Ball weight = div(sub(div(q_0, c, p), Ball(1), p), boost, p);
    const Rational logit = profile.hub + rounded(log(div(weight, q_0, p), p), 10'000);
    if (!result.movers.empty() && result.movers.back().logit == logit)
      ++result.movers.back().count;
    else
      result.movers.push_back({1, logit});
  }
  return result;
}

}  // namespace rankfall::theory
