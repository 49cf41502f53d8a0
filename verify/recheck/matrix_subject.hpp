#pragma once
#include "verify/recheck/json.hpp"
#include "verify/recheck/subject.hpp"

namespace rankfall::recheck {

/// Claims about composites of plain matrices: symbols X_c and Y_c, the quantities composite-of-sum (of X + Y)
/// and residual-of-largest-entries (the minimal residual of the column max_l |X_il|).
class MatrixSubject final : public Subject {
 public:
  /// Throws InputError naming the place.
  MatrixSubject(const Json& matrices, const Statement& statement, Bits p);

  Bits bits() const override { return p_; }
  Value look_up(const std::string& name, const std::vector<long>& indices) const override;
  Number left() const override;

 private:
  Matrix X_, Y_;
  const Statement& statement_;
  Bits p_;
};

}  // namespace rankfall::recheck
