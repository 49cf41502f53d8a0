#include "verify/recheck/matrix_subject.hpp"

#include "verify/recheck/network.hpp"

namespace rankfall::recheck {
namespace {

Number composite_of(const Matrix& a, Bits p) {
  return composite(a, single(a.rows), single(a.cols), p);
}

}  // namespace

MatrixSubject::MatrixSubject(const Json& matrices, const Statement& statement, Bits p)
    : statement_(statement), p_(p) {
  matrices.require_keys({"X", "Y"});
  const Table X = read_matrix(matrices.at("X"));
  X_ = Matrix(X, p);
  Y_ = Matrix(X.rows, X.cols);
  if (const Json* second = matrices.find("Y")) {
    const Table Y = read_matrix(*second);
    if (Y.rows != X.rows || Y.cols != X.cols) second->refuse("the shape of X");
    Y_ = Matrix(Y, p);
  }
}

Value MatrixSubject::look_up(const std::string& name, const std::vector<long>& indices) const {
  if (indices.empty() && name == "X_c") return composite_of(X_, p_);
  if (indices.empty() && name == "Y_c") return composite_of(Y_, p_);
  refuse_symbol(name, indices);
}

Number MatrixSubject::left() const {
  if (statement_.quantity == "composite-of-sum") {
    Matrix sum = X_;
    for (std::size_t i = 0; i < sum.entries.size(); ++i)
      sum.entries[i] = add(sum.entries[i], Y_.entries[i], p_);
    return composite_of(sum, p_);
  }
  if (statement_.quantity != "residual-of-largest-entries") refuse_quantity(statement_.quantity);
  Matrix images(X_.rows, 1);
  for (long i = 0; i < X_.rows; ++i)
    for (long j = 0; j < X_.cols; ++j) images(i, 0) = max(images(i, 0), abs(X_(i, j)));
  return sizes(images, single(images.rows), single(1), p_).minimal;
}

}  // namespace rankfall::recheck
