#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "numerics/magnitude.hpp"
#include "numerics/san/network.hpp"

namespace rankfall::theory {

/// A number that fixes an instance, under the name that docs/theory/refutations gives it.
struct Parameter {
  std::string name;
  Rational value;
};

/// A network in which a row of the input may stand for several equal tokens, and a column of the output for
/// several equal columns; no counts: each for one.
struct FoldedNetwork {
  Network network;
  std::vector<long> tokens = {}, columns = {};
};

/// Tokens of one layer of one head that are zero or unit vectors, each in a coordinate of its own, and differ
/// within their class in that coordinate alone.
struct UnitTokenClass {
  long count = 1;
  bool unit = true;
  Rational logit = 0;                                         ///< r in its coordinates
  Rational self = 0;                                          ///< A_xx
  std::vector<std::pair<std::size_t, Rational>> scores = {};  ///< A_xy for y in another class; absent: 0
  std::vector<Rational> values = {};                          ///< W in the output columns that all share
  Rational own = 0;  ///< W in an output column of the coordinate's own
};
struct UnitTokens {
  std::vector<UnitTokenClass> classes;
  std::size_t outputs = 1;  ///< shared columns; the first gives the lower bound
  std::vector<std::pair<std::size_t, std::size_t>> pairs = {};  ///< of classes, for the lower bound
  std::optional<Rational> constant =
      {};  ///< logits as A's last row times a last column in which every token is this
};

/// What a claim about composites of plain matrices is decided on; Y may be empty.
struct MatrixPair {
  ExactMatrix X, Y;
};

/// An instance in full, as a certificate holds it.
using RefutingInstance = std::variant<FoldedNetwork, UnitTokens, MatrixPair>;

/// A claim "left <= right" and an instance, given by its exact parameters, that decides against it.
struct Refutation {
  std::string statement_id;
  std::string description;
  std::vector<Parameter> parameters;
  Magnitude left;   ///< encloses a lower bound of the left side
  Magnitude right;  ///< encloses an upper bound of the right side
  bool certified;   ///< the claim's hypotheses hold, and left > right for certain
  RefutingInstance instance;
};

/// The record of an instance whose hypotheses are decided exactly by the caller.
Refutation refutation(std::string statement_id, std::string description, std::vector<Parameter> parameters,
                      Magnitude left, Magnitude right, bool hypotheses, RefutingInstance instance = {});

/// Every refuted claim with its instances, computed here and now from closed forms (docs/theory/refutations).
/// Ids are those of the catalogue where the claim is a statement of it, and otherwise: `composite-triangle`
/// the composite is subadditive; `gamma-at-the-midrange`    `dong-2.2` with `sum-max` at the midrange;
/// `sharp-gamma-at-the-mean`  its sharp constant with `sum-max` at the mean;
/// `dong-3.1-orthogonal`      a skip with outputs orthogonal to the inputs keeps the residual;
/// `dong-3.2-vector-norm`     a row-wise map raises the residual by at most its Lipschitz constant in a
/// vector norm.
std::vector<Refutation> refutations(Precision p);
/// Those of one id; none when no instance is known.
std::vector<Refutation> refutations(std::string_view statement_id, Precision p);

}  // namespace rankfall::theory
