#include "theory/induction.hpp"

#include <set>

#include "numerics/errors.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/simplify.hpp"
#include "theory/expression/substitute.hpp"
#include "theory/power_product.hpp"

namespace rankfall::theory {
namespace {

/// The index of a product under a name that a reader expects.
Expression readable(const Expression& e) {
  const auto free = free_symbols(e);
  for (const char* name : {"l", "j", "k", "m"})
    if (!free.contains({name, 0})) return substitute(e, PowerProduct::range_index, sym(name));
  return e;
}

/// Calls use(base, inside a product or not, exponents) for every base of any of the products.
template <class Use>
void for_each_base(const std::vector<PowerProduct>& products, Use use) {
  std::set<Expression, StructuralLess> bases;
  std::set<PowerProduct::Range> ranges;
  for (const PowerProduct& product : products) {
    for (const auto& [base, exponent] : product.powers()) bases.insert(base);
    for (const auto& [range, exponent] : product.ranges()) ranges.insert(range);
  }
  const auto each = [&](const auto& item, const Expression& base, bool in_product) {
    std::vector<Exponent> exponents;
    for (const PowerProduct& product : products) exponents.push_back(product.exponent_of(item));
    use(base, in_product, exponents);
  };
  for (const Expression& base : bases) each(base, base, false);
  for (const PowerProduct::Range& range : ranges) each(range, range.base, true);
}

std::string exponent_of(const Expression& base, bool in_product) {
  return "exponent of " + to_text(readable(base)) + (in_product ? " in the product" : "");
}

void assume_positive(Proof& proof, const PowerProduct& product) {
  for_each_base({product}, [&](const Expression& base, bool, const std::vector<Exponent>&) {
    if (!base.is(Kind::constant)) proof.positive.push_back(readable(base));
  });
}

/// left = right, one step for each base.
void add_identity(Proof& proof, const std::string& words, const PowerProduct& left,
                  const PowerProduct& right) {
  for_each_base({left, right}, [&](const Expression& base, bool in_product, const std::vector<Exponent>& e) {
    proof.add(relation(words + ", " + exponent_of(base, in_product), readable(e[0].to_expression()), "=",
                       readable(e[1].to_expression()), e[0] == e[1]));
  });
}

/// constant claimed^3 = next, one step for each base.
void add_cubic_step(Proof& proof, const PowerProduct& constant, const PowerProduct& claimed,
                    const PowerProduct& next) {
  for_each_base({constant, claimed, next},
                [&](const Expression& base, bool in_product, const std::vector<Exponent>& e) {
                  const Expression left = readable(e[0].to_expression() + 3 * e[1].to_expression());
                  proof.add(relation("step, " + exponent_of(base, in_product), left, "=",
                                     readable(e[2].to_expression()), e[0] + Exponent(3) * e[1] == e[2]));
                });
}

/// Runs the argument; what has no normal form ends it.
template <class Argument>
Proof argued(std::string claim, Argument argument) {
  Proof proof;
  proof.claim = std::move(claim);
  try {
    argument(proof);
  } catch (const Error& error) {
    if (proof.proved()) proof.failure = error.what();
  }
  return proof;
}

PowerProduct rate_of(const Expression& bound, const std::string& depth) {
  const PowerProduct product = PowerProduct::from(bound);
  if (!product.ranges().empty())
    throw InputError(to_short_text(bound) + " has constants that vary from layer to layer; no K M^(3^L)");
  PowerProduct rate;
  for (const auto& [base, exponent] : product.powers()) {
    const auto parts = exponent.split(3, depth);
    if (!parts || depends_on(base, depth))
      throw InputError("the exponent of " + to_text(base) + " in " + to_short_text(bound) + " is no a 3^" +
                       depth + " + b");
    rate = rate * PowerProduct::from(base).raised(Exponent(2 * parts->first));
  }
  return rate;
}

bool mentions(const Expression& e, const Expression& symbol) {
  return occurs(e, {symbol.name(), symbol.operands().size()});
}

Exponent exponent_in(const Expression& bound, const Expression& entry) {
  const PowerProduct product = PowerProduct::from(bound);
  const PowerProduct lone = PowerProduct::from(entry);
  if (lone.powers().size() != 1 || !lone.powers().begin()->first.is(Kind::symbol))
    throw InputError(to_short_text(entry) + " is no symbol");
  const Expression& wanted = lone.powers().begin()->first;
  Exponent total;
  for (const auto& [base, exponent] : product.powers()) {
    if (base == wanted)
      total = total + exponent;
    else if (mentions(base, wanted))
      throw InputError(to_text(wanted) + " also stands in " + to_short_text(base));
  }
  for (const auto& [range, exponent] : product.ranges()) {
    if (!mentions(range.base, wanted)) continue;
    const auto place = wanted.operands().size() == 1 ? Exponent::from(wanted.operands()[0]) : std::nullopt;
    if (range.base != symbol(wanted.name(), {sym(PowerProduct::range_index)}) || !place || !place->affine() ||
        product.ranges().size() > 1 || !total.is_zero())
      throw InputError("no exponent of " + to_text(wanted) + " in " + to_short_text(bound));
    total = exponent.substituted(PowerProduct::range_index, *place);
  }
  return total;
}

}  // namespace

Proof prove_closed_form(const CubicRecursion& recursion, const Expression& claimed) {
  const Expression &constant = recursion.constant, &start = recursion.start;
  const std::string& depth = recursion.depth;
  const std::string claim = "from r_{l+1} <= C_l r_l^3 with C_" + depth + " = " + to_text(constant) +
                            " and r_0 = " + to_text(start) + " follows r_" + depth +
                            " <= " + to_text(claimed);
  return argued(claim, [&](Proof& proof) {
    const PowerProduct bound = PowerProduct::from(claimed);
    assume_positive(proof, PowerProduct::from(constant) * bound);
    const PowerProduct base = PowerProduct::from(simplify(substitute(claimed, depth, 0)));
    add_identity(proof, "base case " + depth + " = 0", base, PowerProduct::from(start));
    const Expression r = sym("r"), B = sym("B");
    proof.add(relation("step, t -> C t^3 does not decrease for t >= 0, so from r <= B follows",
                       sym("C") * pow(r, 3), "<=", sym("C") * pow(B, 3), true));
    add_cubic_step(proof, PowerProduct::from(constant), bound,
                   PowerProduct::from(substitute(claimed, depth, sym(depth) + 1)));
  });
}

Expression contraction_rate(const Expression& bound, const std::string& depth) {
  const PowerProduct rate = rate_of(bound, depth);
  std::vector<Expression> factors;
  for (const auto& [base, exponent] : rate.powers()) factors.push_back(pow(base, exponent.to_expression()));
  return simplify(multiply(std::move(factors)));
}

Proof prove_limit_criterion(const Expression& bound, const std::string& depth, const Expression& claimed) {
  const std::string claim =
      to_text(bound) + " tends to 0 as " + depth + " grows if and only if " + to_text(claimed) + " < 1";
  return argued(claim, [&](Proof& proof) {
    const PowerProduct rate = rate_of(bound, depth);
    assume_positive(proof, PowerProduct::from(bound));
    const Expression M = sym("M"), K = sym("K"), cubed = pow(3, sym(depth));
    proof.add(relation("M and K > 0 collect the exponents of 3^" + depth + " and those without", bound, "=",
                       K * pow(M, cubed), true));
    proof.add(relation("the logarithm, which falls without bound if M < 1 and does not fall otherwise",
                       log(K * pow(M, cubed)), "=", cubed * log(M) + log(K), true));
    add_identity(proof, "M^2 = " + to_text(claimed), rate, PowerProduct::from(claimed));
  });
}

Expression sensitivity(const Expression& bound, const Expression& symbol) {
  return exponent_in(bound, symbol).to_expression();
}

Proof prove_sensitivity(const Expression& bound, const Expression& symbol, const Expression& claimed) {
  const std::string claim =
      "d log B / d log " + to_text(symbol) + " = " + to_text(claimed) + " for B = " + to_text(bound);
  return argued(claim, [&](Proof& proof) {
    assume_positive(proof, PowerProduct::from(bound));
    const Exponent found = exponent_in(bound, symbol);
    const auto wanted = Exponent::from(claimed);
    if (!wanted) throw InputError(to_short_text(claimed) + " has no normal form as an exponent");
    proof.add(relation("log B is affine in log " + to_text(symbol) + ", with the exponent",
                       found.to_expression(), "=", claimed, found == *wanted));
  });
}

}  // namespace rankfall::theory
