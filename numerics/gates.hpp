#pragma once
#include "numerics/ball.hpp"

namespace rankfall {

/// Distribution functions G that gate an activation x G(x). All results enclose; arguments may be wide or
/// huge. Differences G(x + h) - G(x) keep a relative accuracy near p bits for exact x and h of any size.

/// 1/(1 + e^-x)
Ball logistic(const Ball& x, Precision p);
Ball logistic_density(const Ball& x, Precision p);
Ball logistic_difference(const Ball& x, const Ball& h, Precision p);

/// Of the standard normal law.
Ball normal_distribution(const Ball& x, Precision p);
Ball normal_density(const Ball& x, Precision p);
Ball normal_difference(const Ball& x, const Ball& h, Precision p);

}  // namespace rankfall
