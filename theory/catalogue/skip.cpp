// With a skip connection the residual need not fall: two-sided bounds say so.
#include "theory/catalogue/catalogue.hpp"
#include "theory/catalogue/constants.hpp"

namespace rankfall::theory {
namespace {

Statement diameter_skip() {
  Statement s;
  s.id = "diameter-skip";
  s.title = "With a skip connection the diameter stays near |alpha| times itself";
  s.words =
      "A layer with skip alpha moves the diameter in the vector norm p to |alpha| diam_p, up to "
      "sum_h op_p(W_h) tanh(k_h diam_p^2) diam_p in either direction: two-sided, so it proves that collapse "
      "does "
      "not happen where it is below |alpha|.";
  s.source = "this project";
  s.proof = "skip.md#diameter-skip";
  s.status = Status::proved;
  s.scope.skip = true;
  s.scope.words = "any heads, any biases, a skip connection";
  for (const auto& [quantity, p] :
       {std::pair{Quantity::diameter_1, "1"}, std::pair{Quantity::diameter_2, "2"},
        std::pair{Quantity::diameter_inf, "inf"}}) {
    const Expression diam = sym(std::string("diam_") + p), kept = sym("alpha") * diam,
                     moved = diameter_rate(p) * diam;
    Bound above{.span = Bound::Span::layer, .quantity = quantity, .right = kept + moved};
    Bound below = above;
    below.right = max(kept - moved, 0);
    below.from_below = true;
    s.bounds.push_back(std::move(above));
    s.bounds.push_back(std::move(below));
  }
  return s;
}

Statement no_collapse() {
  Statement s;
  s.id = "dong-3.1-skip";
  s.decided_by = "rankfall audit";
  s.decided_by = "rankfall audit";
  s.title = "With a skip connection the residual need not fall";
  s.words =
      "With a skip in every layer infinitely many parametrisations, with beta as small as one likes, keep "
      "the "
      "residual at least as large as that of the input, at any depth: those without values, and those whose "
      "outputs stand in columns that the input leaves empty.";
  s.source = "Dong, Cordonnier, Loukas 2021, Section 3.1";
  s.proof = "skip.md#dong-3.1-skip";
  s.status = Status::proved;
  s.scope.skip = true;
  s.scope.words = "any heads, a skip connection of 1 in every layer, networks as constructed";
  s.formulas = {{sym("r", {"L"}), ">=", sym("r0"), "for the networks of the two constructions"}};
  return s;
}

}  // namespace

std::vector<Statement> skip_statements() {
  return {no_collapse(), diameter_skip()};
}

}  // namespace rankfall::theory
