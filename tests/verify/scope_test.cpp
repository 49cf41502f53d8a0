// Every statement on every architecture: no true statement is refuted, and what is outside the scope says
// why.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "tests/numerics/san/models.hpp"
#include "tests/support.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/check.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using test::Draws;
using Of = Normalisation::Of;

namespace {

constexpr Index n = 4, d = 3;

enum class Keys { all, padded, causal, listed };
enum class Biases { none, relative, fixed };
enum class Before { nothing, token, column };
enum class Behind { nothing, mlp, normed_mlp, token, column, token_and_mlp };

/// What is put into every layer.
struct Architecture {
  std::size_t heads;
  bool skip;
  Keys keys;
  Biases biases;
  Before before;
  Behind behind;
};

std::vector<Architecture> all_architectures() {
  std::vector<Architecture> all;
  for (const std::size_t heads : {1U, 2U})
    for (const bool skip : {false, true})
      for (const Keys keys : {Keys::all, Keys::padded, Keys::causal, Keys::listed})
        for (const Biases biases : {Biases::none, Biases::relative, Biases::fixed})
          for (const Before before : {Before::nothing, Before::token, Before::column})
            for (const Behind behind : {Behind::nothing, Behind::mlp, Behind::normed_mlp, Behind::token,
                                        Behind::column, Behind::token_and_mlp})
              all.push_back({heads, skip, keys, biases, before, behind});
  return all;
}

Mask mask(Keys keys) {
  switch (keys) {
    case Keys::all:
      return {};
    case Keys::padded:
      return Mask::listed(n, {1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1});
    case Keys::causal:
      return Mask::causal();
    case Keys::listed:
      return Mask::listed(n, {1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1});
  }
  return {};
}

Network network_of(const Architecture& a, Draws& draws) {
  Network network;
  network.input = test::random_exact(n, d, draws);
  const auto norm = [&](Of of) {
    return Normalisation{of, Rational(1, 1000), test::random_exact(1, d, draws),
                         test::random_exact(1, d, draws)};
  };
  for (int layer = 0; layer < 2; ++layer) {
    AttentionBlock block{a.skip ? 1 : 0, {}, {}, mask(a.keys)};
    if (a.before != Before::nothing)
      block.pre_norm = norm(a.before == Before::token ? Of::token : Of::column);
    for (std::size_t h = 0; h < a.heads; ++h) {
      Head head = test::random_head(d, 2, d, d, draws);
      Matrix<Rational> queries =
          test::rationals(head.W_Q);  // small: hypotheses on the scores shall hold somewhere
      for (Index i = 0; i < queries.size(); ++i) queries.data()[i] /= 16;
      head.W_Q = test::exact_matrix(queries);
      if (a.biases == Biases::relative) head.relative_keys = test::random_exact(2 * n - 1, 2, draws);
      if (a.biases == Biases::fixed) head.score_bias = test::random_exact(n, n, draws);
      block.heads.push_back(head);
    }
    network.blocks.emplace_back(block);
    if (a.behind == Behind::token || a.behind == Behind::token_and_mlp)
      network.blocks.emplace_back(norm(Of::token));
    if (a.behind == Behind::column) network.blocks.emplace_back(norm(Of::column));
    if (a.behind == Behind::mlp || a.behind == Behind::normed_mlp || a.behind == Behind::token_and_mlp) {
      MlpBlock mlp{0,
                   Activation::gelu,
                   {{test::random_exact(d, 2, draws), {}}, {test::random_exact(2, d, draws), {}}}};
      if (a.behind == Behind::normed_mlp) mlp.pre_norm = norm(Of::token);
      network.blocks.emplace_back(mlp);
    }
  }
  return network;
}

/// Whether the statement says something about the first layer of such a network; depth statements may lose
/// their scope behind it.
bool in_scope(const std::string& id, const Architecture& a) {
  const bool shared = (a.keys == Keys::all || a.keys == Keys::padded) && a.biases == Biases::none;
  const bool pure = shared && a.before == Before::nothing;
  const std::set<std::string> one_head{"proof-step-printed", "proof-step",      "layer-cubic", "layer-sharp",
                                       "layer-cubic-sharp",  "dong-2.2-v1",     "dong-2.2",    "dong-3.2-mlp",
                                       "dobrushin",          "causal-geometric"};
  if (one_head.contains(id) && a.heads != 1) return false;
  if (id == "layernorm-lifted")
    return shared && ((a.before == Before::nothing &&
                       (a.behind == Behind::token || a.behind == Behind::token_and_mlp)) ||
                      a.before == Before::token);
  if (id == "dong-layernorm") return pure && !a.skip && a.behind == Behind::column;
  if (id == "causal-geometric") return a.keys == Keys::causal && !a.skip && a.before == Before::nothing;
  if (id == "dobrushin") return !a.skip && a.before == Before::nothing;
  if (id == "diameter-skip") return pure && a.skip;
  if (id == "dong-3.2-mlp" || id == "dong-3.2-repaired" || id == "diameter-mlp")
    return pure && !a.skip && a.behind == Behind::mlp;
  return pure && !a.skip;
}

bool says_something(const Decision& decision) {
  return decision.compared || decision.verdict != Verdict::inapplicable;
}

}  // namespace

TEST_CASE("statement by architecture: scope, reasons, and no true statement refuted") {
  Draws draws(361);
  CheckOptions options;
  options.digits = 3;
  options.max_bits = 256;
  options.gammas = {{theory::Gamma::Kind::sum_max, 1}};
  for (const theory::Statement& statement : theory::catalogue()) options.statements.push_back(statement.id);
  std::map<std::string, int> decided;
  const std::vector<Architecture> all = all_architectures();
  const std::size_t stride = test::multiplier() > 1 ? 1 : 5;  // 5 has no factor in common with the choices
  for (std::size_t i = 0; i < all.size(); i += stride) {
    const Architecture& a = all[i];
    CAPTURE(a.heads);
    CAPTURE(a.skip);
    CAPTURE(static_cast<int>(a.keys));
    CAPTURE(static_cast<int>(a.biases));
    CAPTURE(static_cast<int>(a.before));
    CAPTURE(static_cast<int>(a.behind));
    const CheckResult result = check(network_of(a, draws), options);
    CHECK_FALSE(result.refutes_a_true_statement());
    std::map<std::string, bool> about_first_layer;
    for (const Decision& decision : result.decisions) {
      const std::string& id = decision.statement->id;
      CAPTURE(id);
      CAPTURE(decision.reason);
      if (decision.verdict == Verdict::inapplicable) CHECK_FALSE(decision.reason.empty());
      if (decision.from == 0 && decision.depth == 1) about_first_layer[id] |= says_something(decision);
      if (decision.verdict == Verdict::proved) ++decided[id];
    }
    for (const auto& [id, something] : about_first_layer) {
      CAPTURE_BOUND(id);
      CHECK(something == in_scope(id, a));
    }
  }
  for (const std::string id : {"dong-layernorm", "layernorm-lifted", "causal-geometric", "dobrushin"}) {
    CAPTURE(id);
    CHECK(decided[id] > 0);
  }
}

TEST_CASE("out of scope says what stands in the way") {
  Draws draws(363);
  const auto reason = [&](const Architecture& a, const std::string& id) {
    CheckOptions options;
    options.statements = {id};
    options.digits = 3;
    return check(network_of(a, draws), options).decisions.front().reason;
  };
  const Architecture plain{1, false, Keys::all, Biases::none, Before::nothing, Behind::nothing};
  Architecture a = plain;
  a.keys = Keys::causal;
  CHECK(reason(a, "diameter") == "blocks[0] has a mask that differs between queries, outside the scope");
  CHECK(reason(plain, "causal-geometric") == "blocks[0] has no causal mask, which the statement is about");
  a = plain;
  a.biases = Biases::fixed;
  CHECK(reason(a, "diameter") == "blocks[0] has score biases that depend on the query, outside the scope");
  a = plain;
  a.before = Before::token;
  CHECK(reason(a, "diameter") == "blocks[0] has a pre_norm, outside the scope");
  a.before = Before::column;
  CHECK(reason(a, "dong-layernorm") == "blocks[0] has a pre_norm, outside the scope");
  CHECK(reason(plain, "dong-layernorm") ==
        "no normalisation of columns follows the attention, which the statement is about");
  CHECK(reason(plain, "layernorm-lifted") ==
        "no normalisation of tokens follows the attention, which the statement is about");
  a = plain;
  a.behind = Behind::normed_mlp;
  CHECK(reason(a, "diameter-mlp") == "blocks[1] has a pre_norm, outside the scope");
}
