#pragma once
#include <optional>
#include <string>
#include <vector>

#include "numerics/ball.hpp"
#include "theory/expression/expression.hpp"

namespace rankfall::theory {

/// What is known of a claim in general. On an instance it is decided afresh.
enum class Status { proved, refuted, open };
std::string name(Status status);

/// What a bound bounds, at the state it ends in.
enum class Quantity {
  residual,            ///< the minimal composite residual
  residual_about,      ///< the composite residual about the propagated reference
  composite_diameter,  ///< sqrt(diam_1 diam_inf)
  diameter_1,
  diameter_2,
  diameter_inf,
  first_difference,  ///< |x_2 - x_1|_2
  spread_1,          ///< largest distance of a token from the first, in a vector norm
  spread_2,
  spread_inf,
  oscillation,             ///< largest oscillation of a row of E, at the minimising reference
  attention,               ///< entries of softmax matrices
  entries,                 ///< entries of the residual about the propagated reference
  beyond_leading_order_1,  ///< distance of a token's residual from the leading order, in the 1-norm
  beyond_leading_order_2,
  beyond_leading_order_inf,
  column_oscillation,  ///< largest difference within a column of P X
};
std::string name(Quantity quantity);

/// The numbers named gamma (docs/theory/gammas). `fixed` carries its value; `implied` is a measurement.
struct Gamma {
  enum class Kind { one, sum_max, max_ratio, fixed, implied };
  Kind kind = Kind::one;
  Rational value = 1;
  friend bool operator==(const Gamma&, const Gamma&) = default;
};
std::string name(const Gamma& gamma);
/// "one", "sum-max", "max-ratio", "fixed:VALUE", "implied"; throws InputError naming these.
Gamma parse_gamma(std::string_view text);

/// Inequalities for every entry, token or column of a layer at once (theory/families.hpp).
enum class Family {
  perturbation,
  proof_step_printed,
  proof_step,
  leading_order_1,
  leading_order_2,
  leading_order_inf,
  dobrushin,
  dobrushin_rows,
};

/// value <= bound, to be certified before the conclusion means anything.
struct Hypothesis {
  std::string name;
  std::string words;
  Expression value;
  Expression bound;
};

/// A number that a statement speaks of, computed and not written down.
struct Constant {
  std::string name;
  std::string words;
  Ball (*enclose)(Precision p);
  std::optional<Rational> stand_in = {};  ///< what the hypotheses say for it; must lie below it
};

/// Whether what stands for the constant lies below it for certain; true where nothing does.
bool certified(const Constant& constant, Precision p);

/// What a statement is about beyond plain attention and MLP blocks.
enum class Feature {
  none,
  token_norm,      ///< tokens are normalised after the attention
  column_norm,     ///< columns are normalised after the attention
  token_pre_norm,  ///< tokens are normalised before the attention
  causal_mask,
};
std::string name(Feature feature);  ///< in words

/// What the scores of its attention may be like.
enum class Scores {
  shared,          ///< every query sees the same keys, and no bias depends on the query
  equal_supports,  ///< every query sees the same keys
  any,
};

/// On which architectures a statement speaks.
struct Scope {
  bool one_head = false;     ///< H = 1 in every layer
  bool common_d_qk = false;  ///< one d_qk throughout
  bool skip = false;         ///< about attention with a skip connection (alpha not 0), instead of without
  bool mlp = false;          ///< about attention with MLP blocks after each layer, instead of without
  bool any_skip = false;     ///< about attention with and without a skip connection
  Feature feature = Feature::none;  ///< that every stretch it speaks of must have
  Scores scores = Scores::shared;
  std::string words;
};

/// One inequality: quantity <= middle... <= right. Symbols: theory/instance.hpp. Formulas of the catalogue do
/// not fall when r0 grows, so that the ends of r0 give their ends; those read from a file may do anything.
struct Bound {
  enum class Span { layer, depth };  ///< one entry a layer, or one for each prefix of the network
  Span span = Span::layer;
  Quantity quantity = Quantity::residual;
  Expression right = {};
  std::vector<Expression> middle = {};
  std::optional<Expression> constant = {};   ///< C of a cubic bound, of one layer
  std::optional<Expression> prefactor = {};  ///< what multiplies the chained cubic form, if anything
  bool from_below = false;                   ///< the quantity is at least `right`
  std::optional<Family> family = {};         ///< one inequality for each member; `right` is how it is written
  std::vector<Hypothesis> hypotheses = {};   ///< of this bound, beside those of the statement
  std::optional<Scope> scope = {};           ///< of this bound, instead of the statement's
  std::string variant = {};                  ///< tells bounds of one statement on one quantity apart
};

/// A formula that is stated and that no single network decides: an identity of matrices, a law of averages, a
/// claim about limits. Its symbols are those of the statement's words.
struct Formula {
  Expression left;
  std::string relation;  ///< "=", "<=", "<", ">="
  Expression right;
  std::string words = {};  ///< what holds then, or when
};

/// Which residuals r0 and E a statement may be read at.
enum class References {
  none,       ///< it names no reference
  minimal,    ///< the minimal residual, known between two bounds
  propagated  ///< mean, median or midrange of the first state, carried along and never recentred
};

/// A claim as an object: it states, prints, evaluates and is decided.
struct Statement {
  std::string id;
  std::string title;
  std::string words;
  std::string source;
  std::string proof;  ///< page and anchor in docs/theory; empty for a bound of one's own
  Status status = Status::open;
  Scope scope;
  References references = References::none;
  bool uses_gamma = false;
  std::vector<Hypothesis> hypotheses;  ///< at the reference
  /// Instead of the above, at the minimising reference; empty: the statement is not read there.
  std::vector<Hypothesis> minimal_hypotheses;
  std::vector<Bound> bounds = {};
  std::vector<Formula> formulas = {};
  std::vector<Constant> constants = {};
  std::string decided_by = {};  ///< the command that decides it, where `check` does not
  std::string file = {};        ///< of a bound of one's own, where it was read
  long line = 0;                ///< where its name stands there

  /// Of the claim read with this gamma.
  Status status_with(const Gamma& gamma) const;
};

/// C chained over the layers: prod_l C_l^(3^(L-1-l)) r0^(3^L), with the heads' constants indexed [l,h].
Expression chained(const Expression& layer_constant, const Expression& start);

}  // namespace rankfall::theory
