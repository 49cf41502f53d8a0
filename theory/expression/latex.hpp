#pragma once
#include <string>

#include "theory/expression/expression.hpp"

namespace rankfall::theory {

/// LaTeX of a formula, for mathematics mode, as a person would write it: \frac{4 \gamma \beta
/// H}{\sqrt{d_{qk}}}, (3^L - 1)/2 in an exponent, r_0, W_{1,h}, \sum_{h=1}^{H}. Letters after an underscore
/// and figures at the end of a name are subscripts; names of Greek letters become them; other names of
/// several letters are set upright.
std::string to_latex(const Expression& e);

}  // namespace rankfall::theory
