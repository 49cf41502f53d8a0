#pragma once
#include <string>
#include <vector>

#include "verify/architectures.hpp"
#include "verify/report/figure.hpp"

namespace rankfall::verify {

/// Tables of profiles: log10 of the relative residual by layer, its mean over the runs with the least and the
/// greatest. Digits that the enclosure does not back are not shown.
std::string architectures_markdown(const std::vector<Profile>& profiles, int digits);
/// model, parts, layer, runs, zeros, then both ends of mean, least and greatest.
std::string architectures_csv(const std::vector<Profile>& profiles, int digits);
/// "rankfall-architectures/1".
std::string architectures_json(const std::vector<Profile>& profiles, int digits);

/// One figure a model, "architectures-MODEL": its four profiles against the layer, with a band from the least
/// to the greatest, on an axis of powers of ten of powers of ten. `runs` says what they are of.
std::vector<Figure> architecture_figures(const std::vector<Profile>& profiles, int digits,
                                         const std::string& runs);

}  // namespace rankfall::verify
