#pragma once
#include "theory/expression/expression.hpp"
#include "verify/averages.hpp"

namespace rankfall::verify {

// One function a statement; what they share.
std::vector<Confirmation> gaussian_rate_instances(const AverageOptions& options);
std::vector<Confirmation> noci_correlation_instances();
std::vector<Confirmation> kim_lipschitz_instances();

/// Precision of every enclosure here.
inline constexpr Precision average_precision(256);

/// Right side of a statement's formula in the catalogue.
const theory::Expression& formula(const char* id, std::size_t index);
/// Row by row; entries as parse_number reads them.
Matrix<Rational> rational_matrix(Index rows, Index cols, std::initializer_list<const char*> entries);

/// Proved where both agree to 10^-60 of the right side, refuted where they cannot agree.
Confirmation identity(const char* id, std::string instance, const Ball& left, const Ball& right);
/// Decided exactly.
Confirmation identity(const char* id, std::string instance, const Rational& left, const Rational& right);
Confirmation at_most(const char* id, std::string instance, const Ball& left, const Ball& right);

}  // namespace rankfall::verify
