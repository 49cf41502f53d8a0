#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "numerics/magnitude.hpp"

namespace rankfall::theory {

/// A number that fixes an instance, under the name that docs/theory/refutations gives it.
struct Parameter {
  std::string name;
  Rational value;
};

/// A claim "left <= right" and an instance, given by its exact parameters, that decides against it.
struct Refutation {
  std::string statement_id;
  std::string description;
  std::vector<Parameter> parameters;
  Magnitude left;   ///< encloses a lower bound of the left side
  Magnitude right;  ///< encloses an upper bound of the right side
  bool certified;   ///< the claim's hypotheses hold, and left > right for certain
};

/// The record of an instance whose hypotheses are decided exactly by the caller.
Refutation refutation(std::string statement_id, std::string description, std::vector<Parameter> parameters,
                      Magnitude left, Magnitude right, bool hypotheses);

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
