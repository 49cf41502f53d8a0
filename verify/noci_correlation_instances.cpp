#include <fmt/format.h>

#include <boost/multiprecision/eigen.hpp>

#include "theory/averages/noci_correlation.hpp"
#include "theory/expression/evaluate.hpp"
#include "verify/average_instances.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr char noci[] = "noci-correlation";

void add_moments(std::vector<Confirmation>& all, const Matrix<Rational>& X, const Rational& alpha,
                 std::size_t depth, const ValueLaw& law, const std::string& words) {
  Rational size = 0, sum_squared = 0;
  for (Index j = 0; j < X.cols(); ++j) {
    Rational sum = 0;
    for (Index i = 0; i < X.rows(); ++i) {
      sum += X(i, j);
      size += X(i, j) * X(i, j);
    }
    sum_squared += sum * sum;
  }
  Environment values;
  values.set("alpha", alpha)
      .set("L", Rational(static_cast<long>(depth)))
      .set("n", Rational(static_cast<long>(X.rows())));
  values.set("C", {0}, sum_squared).set("M", {0}, size);
  for (const SkipForm form : {SkipForm::branch, SkipForm::skip}) {
    const Moments found = moments(X, alpha, form, law, depth);
    const std::string instance = fmt::format("{}, {} tokens, depth {}, alpha {}: {}",
                                             form == SkipForm::branch ? "X + alpha SA(X)" : "alpha X + SA(X)",
                                             X.rows(), depth, to_text(alpha), words);
    const auto right = [&](std::size_t index) {
      return evaluate_exact(formula(noci, index), values).value();
    };
    all.push_back(identity(noci, "E C_L of " + instance, found.sum_squared, right(0)));
    all.push_back(
        identity(noci, "E M_L of " + instance, found.size, right(form == SkipForm::branch ? 1 : 2)));
  }
}

}  // namespace

std::vector<Confirmation> noci_correlation_instances() {
  std::vector<Confirmation> all;
  add_moments(all, rational_matrix(3, 1, {"0.3", "1.2", "-0.4"}), parse_number("0.7"), 3,
              signed_permutations(1), "all W = +-1");
  add_moments(all, rational_matrix(3, 2, {"1", "1/2", "-2", "3", "1/3", "0"}), Rational(-1, 2), 3,
              signed_permutations(2), "all signed permutations of 2 columns");
  add_moments(all, rational_matrix(2, 4, {"1", "0", "2", "-1", "1/2", "3", "-1", "1"}), Rational(3, 5), 2,
              single_entries(2), "all W of one entry +-2");
  return all;
}

}  // namespace rankfall::verify
