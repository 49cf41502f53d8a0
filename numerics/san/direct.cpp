#include "numerics/san/direct.hpp"

#include <cmath>
#include <utility>

#include "numerics/errors.hpp"
#include "numerics/san/direct_normalisation.hpp"

namespace rankfall {
namespace {

void add_product(double& sum, double a, double b) {
  sum += a * b;
}
void add_product(float& sum, float a, float b) {
  sum += a * b;
}
void add_product(Real& sum, const Real& a, const Real& b) {
  mpfr_fma(sum.backend().data(), a.backend().data(), b.backend().data(), sum.backend().data(), MPFR_RNDN);
}

double complementary_error(double x) {
  return std::erfc(x);
}
float complementary_error(float x) {
  return std::erfc(x);
}

double pi(double) {
  return 3.14159265358979323846;
}
float pi(float) {
  return 3.14159265358979323846F;
}
Real pi(const Real&) {
  Real result;
  mpfr_const_pi(result.backend().data(), MPFR_RNDN);
  return result;
}

/// erf(x) / (2 x e^(-x^2) / sqrt(pi)) for y = 2 x^2: the sum over k of y^k / (1 3 5 ... (2k+1)), to some
/// 2^-bits. Few products of full length: y^k is put together from powers below and above the root of the
/// number of terms.
Real error_series(const Real& y, long bits) {
  long exponent = 0;
  const double mantissa = mpfr_get_d_2exp(&exponent, y.backend().data(), MPFR_RNDN);
  const double log2_y = std::log2(mantissa) + static_cast<double>(exponent), ratio = std::exp2(log2_y);
  unsigned long terms = 1;
  for (double log2_term = 0; log2_term > static_cast<double>(-bits) || static_cast<double>(terms) < ratio;
       ++terms)
    log2_term += log2_y - std::log2(static_cast<double>(2 * terms + 1));
  const auto step = static_cast<std::size_t>(std::sqrt(static_cast<double>(terms))) + 1;
  std::vector<Real> powers{Real(1)};
  while (powers.size() <= step) powers.push_back(powers.back() * y);
  Real sum(0);
  for (unsigned long k = terms; k-- > 0;) {
    if ((k + 1) % step == 0) sum *= powers[step];
    sum += powers[k % step];
    mpfr_div_ui(sum.backend().data(), sum.backend().data(), 2 * k + 1, MPFR_RNDN);
  }
  return sum;
}

/// erfc(x) x e^(x^2) sqrt(pi) for y = 2 x^2: 1 - 1/y + 1 3/y^2 - ..., whose terms shrink to some e^-(x^2).
Real complementary_series(const Real& y) {
  const Real inverse = 1 / y;
  Real sum(0), term(1);
  for (unsigned long k = 1; mpfr_get_exp(term.backend().data()) > -current_bits(); k += 2) {
    sum += term;
    term *= inverse;
    mpfr_mul_si(term.backend().data(), term.backend().data(), -static_cast<long>(k), MPFR_RNDN);
  }
  return sum;
}

/// MPFR's own took minutes on some networks.
Real complementary_error(const Real& x) {
  Real result;
  // erfc is about 2^-decay, or that far from 2.
  const double decay = 1.4426950408889634 * x.convert_to<double>() * x.convert_to<double>();
  if (!isfinite(x) || decay > 1e18 || (x < 0 && decay > static_cast<double>(current_bits()))) {
    mpfr_erfc(result.backend().data(), x.backend().data(), MPFR_RNDN);  // 2, or all but zero
    return result;
  }
  const bool far = decay > static_cast<double>(current_bits() + 96);
  const long cancelled = x > 0 && !far ? static_cast<long>(decay) : 0;
  const PrecisionScope scope{Precision(current_bits() + cancelled + 64)};
  Real u;
  mpfr_set(u.backend().data(), x.backend().data(), MPFR_RNDN);
  const Real y = 2 * u * u, bell = exp(Real(-u * u)) / sqrt(pi(u));
  const Real erfc =
      far ? bell / u * complementary_series(y) : 1 - 2 * u * bell * error_series(y, current_bits());
  mpfr_set(result.backend().data(), erfc.backend().data(), MPFR_RNDN);
  return result;
}

template <class Scalar>
Matrix<Scalar> zeros(Index rows, Index cols) {
  return Matrix<Scalar>::Constant(rows, cols, Scalar(0));
}

template <class Scalar>
Matrix<Scalar> product(const Matrix<Scalar>& a, const Matrix<Scalar>& b) {
  if (a.cols() != b.rows())
    throw InputError("product of a " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                     " and a " + std::to_string(b.rows()) + " x " + std::to_string(b.cols()) + " matrix");
  Matrix<Scalar> result = zeros<Scalar>(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.cols(); ++j)
      for (Index k = 0; k < a.cols(); ++k) add_product(result(i, j), a(i, k), b(k, j));
  return result;
}

template <class Scalar>
void add_to_rows(Matrix<Scalar>& matrix, const ExactMatrix& bias) {
  if (bias.empty()) return;
  if (bias.cols() != matrix.cols())
    throw InputError("bias of width " + std::to_string(bias.cols()) + " for rows of width " +
                     std::to_string(matrix.cols()));
  for (Index j = 0; j < matrix.cols(); ++j) {
    const Scalar entry = rounded<Scalar>(bias(0, j));
    for (Index i = 0; i < matrix.rows(); ++i) matrix(i, j) += entry;
  }
}

template <class Scalar>
Matrix<Scalar> projected(const Matrix<Scalar>& X, const ExactMatrix& weight, const ExactMatrix& bias) {
  Matrix<Scalar> result = product<Scalar>(X, rounded<Scalar>(weight));
  add_to_rows(result, bias);
  return result;
}

/// The softmax of each row over the keys that it may see.
template <class Scalar>
void softmax_rows(Matrix<Scalar>& scores, const Mask& mask) {
  using std::exp;
  for (Index i = 0; i < scores.rows(); ++i) {
    Index first = 0;
    while (!mask.allows(i, first)) ++first;
    Scalar largest = scores(i, first);
    for (Index j = first + 1; j < scores.cols(); ++j)
      if (mask.allows(i, j) && largest < scores(i, j)) largest = scores(i, j);
    Scalar sum(0);
    for (Index j = 0; j < scores.cols(); ++j) {
      scores(i, j) = mask.allows(i, j) ? Scalar(exp(Scalar(scores(i, j) - largest))) : Scalar(0);
      sum += scores(i, j);
    }
    for (Index j = 0; j < scores.cols(); ++j) scores(i, j) /= sum;
  }
}

/// scores_ij += (W_Q^T x_i + b_R) . k_(i-j).
template <class Scalar>
void add_relative_scores(Matrix<Scalar>& scores, const Head& head, const Matrix<Scalar>& X) {
  const Matrix<Scalar> queries = projected<Scalar>(X, head.W_Q, head.b_R);
  const Matrix<Scalar> keys = rounded<Scalar>(head.relative_keys);
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index j = 0; j < scores.cols(); ++j)
      for (Index c = 0; c < queries.cols(); ++c)
        add_product(scores(i, j), queries(i, c), keys(i - j + scores.rows() - 1, c));
}

template <class Scalar>
Matrix<Scalar> attention(const Head& head, const Mask& mask, const Matrix<Scalar>& X) {
  using std::sqrt;
  const Matrix<Scalar> queries = projected<Scalar>(X, head.fused ? head.W_QK : head.W_Q, head.b_Q);
  const Matrix<Scalar> keys = head.fused ? X : projected<Scalar>(X, head.W_K, head.b_K);
  Matrix<Scalar> scores = product<Scalar>(queries, keys.transpose());
  if (!head.relative_keys.empty()) add_relative_scores(scores, head, X);
  const Scalar width = sqrt(rounded<Scalar>(Rational(head.d_qk)));
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index j = 0; j < scores.cols(); ++j) {
      scores(i, j) /= width;
      if (!head.score_bias.empty()) scores(i, j) += rounded<Scalar>(head.score_bias(i, j));
    }
  softmax_rows(scores, mask);
  return scores;
}

template <class Scalar>
Matrix<Scalar> head_output(const Head& head, const Mask& mask, const Matrix<Scalar>& X) {
  const Matrix<Scalar> values = projected<Scalar>(X, head.fused ? head.W : head.W_V, head.b_V);
  Matrix<Scalar> mixed = product<Scalar>(attention(head, mask, X), values);
  if (head.fused || head.W_O.empty()) return mixed;
  return product<Scalar>(mixed, rounded<Scalar>(head.W_O));
}

template <class Scalar>
void accumulate(Matrix<Scalar>& sum, const Matrix<Scalar>& term, const Scalar& factor) {
  if (sum.rows() != term.rows() || sum.cols() != term.cols())
    throw InputError("sum of a " + std::to_string(sum.rows()) + " x " + std::to_string(sum.cols()) +
                     " and a " + std::to_string(term.rows()) + " x " + std::to_string(term.cols()) +
                     " matrix");
  for (Index i = 0; i < sum.rows(); ++i)
    for (Index j = 0; j < sum.cols(); ++j) add_product(sum(i, j), factor, term(i, j));
}

template <class Scalar>
Matrix<Scalar> transformed(const AttentionBlock& block, const Matrix<Scalar>& X) {
  Matrix<Scalar> sum;
  for (const Head& head : block.heads) {
    Matrix<Scalar> output = head_output(head, block.mask, X);
    if (sum.size() == 0)
      sum = std::move(output);
    else
      accumulate(sum, output, Scalar(1));
  }
  add_to_rows(sum, block.b_O);
  return sum;
}

template <class Scalar>
Matrix<Scalar> transformed(const MlpBlock& block, Matrix<Scalar> X) {
  for (std::size_t layer = 0; layer < block.layers.size(); ++layer) {
    if (layer > 0) X = activated<Scalar>(block.activation, std::move(X));
    X = affine<Scalar>(block.layers[layer], X);
  }
  return X;
}

template <class Scalar>
Matrix<Scalar> transformed(const Normalisation& block, Matrix<Scalar> X) {
  return normalised<Scalar>(block, std::move(X));
}

/// x times a factor that rises from 0 to 1, or the plain textbook formulas.
template <class Scalar>
Scalar activated_entry(Activation activation, const Scalar& x) {
  using std::exp, std::sqrt, std::tanh;
  switch (activation) {
    case Activation::identity:
      return x;
    case Activation::relu:
      return x > 0 ? x : Scalar(0);
    case Activation::tanh:
      return tanh(x);
    case Activation::silu:
      return x / (1 + exp(Scalar(-x)));
    case Activation::gelu:
      return x * complementary_error(Scalar(-x / sqrt(Scalar(2)))) / 2;
    case Activation::gelu_tanh: {
      const Scalar cubic = rounded<Scalar>(Rational(44715, 1000000));
      return x * (1 + tanh(Scalar(sqrt(Scalar(2 / pi(x))) * (x + cubic * x * x * x)))) / 2;
    }
  }
  throw InputError("unknown activation");
}

}  // namespace

template <class Scalar>
Matrix<Scalar> affine(const MlpBlock::Layer& layer, const Matrix<Scalar>& X) {
  return projected<Scalar>(X, layer.W, layer.b);
}

template <class Scalar>
Matrix<Scalar> activated(Activation activation, Matrix<Scalar> X) {
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) X(i, j) = activated_entry<Scalar>(activation, X(i, j));
  return X;
}

template <class Scalar>
Matrix<Scalar> apply_block(const Block& block, const Matrix<Scalar>& X) {
  const std::optional<Normalisation>& before = pre_norm(block);
  const Matrix<Scalar> seen = before ? normalised<Scalar>(*before, X) : X;
  Matrix<Scalar> result =
      std::visit([&](const auto& kind) { return transformed<Scalar>(kind, seen); }, block);
  const Rational weight = skip(block);
  if (!weight.is_zero()) accumulate(result, X, rounded<Scalar>(weight));
  return result;
}

template <class Scalar>
std::vector<Matrix<Scalar>> evaluate(const Network& network) {
  std::vector<Matrix<Scalar>> states{rounded<Scalar>(network.input)};
  for (const Block& block : network.blocks) states.push_back(apply_block<Scalar>(block, states.back()));
  return states;
}

template Matrix<Real> apply_block(const Block&, const Matrix<Real>&);
template std::vector<Matrix<Real>> evaluate(const Network&);
template Matrix<Real> affine(const MlpBlock::Layer&, const Matrix<Real>&);
template Matrix<Real> activated(Activation, Matrix<Real>);

template Matrix<double> apply_block(const Block&, const Matrix<double>&);
template std::vector<Matrix<double>> evaluate(const Network&);
template Matrix<double> affine(const MlpBlock::Layer&, const Matrix<double>&);
template Matrix<double> activated(Activation, Matrix<double>);

template Matrix<float> apply_block(const Block&, const Matrix<float>&);
template std::vector<Matrix<float>> evaluate(const Network&);
template Matrix<float> affine(const MlpBlock::Layer&, const Matrix<float>&);
template Matrix<float> activated(Activation, Matrix<float>);

}  // namespace rankfall
