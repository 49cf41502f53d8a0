#pragma once
#include <map>
#include <vector>

#include "verify/recheck/json.hpp"
#include "verify/recheck/subject.hpp"

namespace rankfall::recheck {

/// One layer of one head on tokens that are zero or unit vectors, each in a coordinate of its own, in classes
/// of tokens that differ in their coordinate alone (docs/certificates, unit tokens). Such a layer may have
/// thousands of tokens; what the scores, weights and outputs are by class decides it.
struct UnitTokens {
  struct Class {
    Integer count;
    bool unit = false;                       ///< otherwise zero tokens
    Rational logit;                          ///< added to the score of these keys
    Rational self;                           ///< A_xx of its coordinates
    std::map<std::size_t, Rational> scores;  ///< A_xy for another coordinate y of that class; absent: 0
    std::vector<Rational> values;            ///< W in the output columns that all share
    Rational own;                            ///< W in an output column of the coordinate's own
  };
  std::vector<Class> classes;
  std::size_t outputs = 0, column = 0;                     ///< shared columns, and that of the lower bound
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< of classes, for the lower bound
  Rational constant =
      0;  ///< not 0: the logits are A's last row times a last column in which every token is this
  long d_qk = 0;

  Integer tokens() const;
  Integer width() const;
  /// |A|_1, |W|_1 and |W|_inf, exactly.
  Rational score_norm() const;
  Rational value_norm_1() const;
  Rational value_norm_inf() const;
};

/// Throws InputError naming the place.
UnitTokens read_unit_tokens(const Json& value);

/// `dong-2.2-v1` and other bounds on the residual read there, with r0 from 0 to 1, the residual of the input
/// about the common part of the tokens.
class UnitTokensSubject final : public Subject {
 public:
  UnitTokensSubject(const UnitTokens& tokens, const Statement& statement, Bits p);

  Bits bits() const override { return p_; }
  Value look_up(const std::string& name, const std::vector<long>& indices) const override;
  /// From the column bound to sqrt(n) |W|_{1,inf}.
  Number left() const override;

 private:
  Number output(std::size_t token_class, std::size_t column) const;
  TokenPair pair(std::size_t a, std::size_t b) const;
  Number gap_in_own_columns(std::size_t a, std::size_t b, bool same_token) const;
  Number weight_on(std::size_t query, std::size_t key) const;
  Number weight_on_itself(std::size_t query) const;
  Number count(std::size_t token_class) const;
  Number composite_of_values() const;

  const UnitTokens& tokens_;
  const Statement& statement_;
  Bits p_;
  std::vector<Number> weights_;  ///< e^logit, over the largest
  std::vector<Number> sums_;     ///< of a query's weights, by its class
};

}  // namespace rankfall::recheck
