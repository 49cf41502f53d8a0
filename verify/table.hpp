#pragma once
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "numerics/magnitude.hpp"
#include "theory/closed_form.hpp"
#include "theory/expression/environment.hpp"
#include "verify/table_axis.hpp"

namespace rankfall::verify {

/// The constants of a table, in the order of its columns.
enum class Constant { depth, tokens, dim, heads, d_qk, beta, gamma, lambda, residual };
inline constexpr std::size_t constants = 9;

/// How a constant is called, what its values may be and what it is when nothing is said.
struct ConstantInfo {
  std::string name;    ///< "d_qk"
  std::string flag;    ///< "d-qk"
  std::string symbol;  ///< in formulas: "d_qk", "r0"
  std::string words;
  std::string standard;  ///< text of the default; empty for d_qk: dim/heads
  AxisRange range;
};
const std::array<ConstantInfo, constants>& constant_infos();

inline constexpr long most_table_rows = 10'000'000;

/// What to tabulate.
struct TableRequest {
  std::vector<const theory::Statement*> statements;  ///< with closed forms
  std::map<Constant, std::string> axes;              ///< texts of the axes that were given
  int digits = 6;  ///< bounds are enclosed until log10 is no wider than 10^-digits max(1, |log10|)
};

/// One combination of constants.
struct TableRow {
  std::array<Rational, constants> values;
  std::vector<Magnitude> bounds;  ///< one a statement, each positive
  std::vector<std::optional<Magnitude>>
      ratios;  ///< bound over the first; none for the first and for other quantities
};

/// A table before its rows are computed.
class Table {
 public:
  /// Throws InputError for an axis that is wrong, more rows than most_table_rows, heads other than 1 beside a
  /// statement about one head, a d_qk that dim/heads does not give, and a statement without a closed form.
  explicit Table(const TableRequest& request);

  const std::vector<const theory::Statement*>& statements() const { return statements_; }
  int digits() const { return digits_; }
  long rows() const { return rows_; }
  /// Whether the constant takes more than one value.
  bool varies(Constant constant) const;
  /// Whether a bound depends on the constant.
  bool uses(Constant constant) const;
  /// Of a constant that does not vary.
  Rational value(Constant constant) const;
  /// What stands below the table: each bound, its status, what its constants mean, and where bounds cross.
  std::vector<std::string> notes() const;

  /// Rows one by one, the depth fastest, until `each` returns false.
  void for_each(const std::function<bool(const TableRow&)>& each) const;

 private:
  const std::optional<Axis>& axis(Constant constant) const {
    return axes_[static_cast<std::size_t>(constant)];
  }
  /// In decades; none where they bound different quantities.
  std::optional<theory::Expression> ratio_to_first(const theory::Statement& statement) const;
  Magnitude ratio_in(const TableRow& row, std::size_t bound, const theory::Environment& values,
                     long depth) const;
  void check_query_width() const;
  TableRow row(long index) const;

  std::vector<const theory::Statement*> statements_;
  std::vector<theory::Expression> bounds_;
  std::vector<std::optional<theory::Expression>> ratios_;
  std::array<std::optional<Axis>, constants> axes_;  ///< none for d_qk when it follows from dim and heads
  int digits_;
  long rows_ = 0;
};

}  // namespace rankfall::verify
