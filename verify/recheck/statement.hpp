#pragma once
#include <optional>
#include <string>
#include <vector>

#include "verify/recheck/formula.hpp"

namespace rankfall::recheck {

/// value <= bound.
struct Hypothesis {
  std::string name;
  Formula value, bound;
};

/// A statement as a certificate writes it.
struct Statement {
  struct Member {
    Formula left, right;
  };
  std::string id, quantity;
  bool layer_span = false;       ///< one layer; otherwise a depth from the input on
  bool from_below = false;       ///< the quantity is at least `right`
  bool propagated = false;       ///< read at a propagated reference, or at the minimal residual
  std::optional<Formula> right;  ///< absent where there are members
  std::vector<Formula> middle;
  std::vector<Member> members;  ///< one inequality for every token, entry or column
  std::optional<Formula> constant;
  std::vector<Hypothesis> hypotheses, minimal_hypotheses;
  bool one_head = false, common_d_qk = false, skip = false, any_skip = false;
  bool causal = false, shared_keys = true;  ///< about causal masks; every query sees the same keys
};

/// The stretch of the network, and how the statement is read on it.
struct Reading {
  std::size_t from = 0, to = 0;
  std::string reference;  ///< mean, median, midrange; empty: the minimal residual, or none at all
  std::string gamma;      ///< one, sum-max, max-ratio, fixed:VALUE; empty without
};

}  // namespace rankfall::recheck
