#include <array>

#include "theory/models/composites.hpp"
#include "theory/models/gamma_references.hpp"
#include "theory/models/refutation.hpp"
#include "theory/models/scalar_model.hpp"
#include "theory/models/sharper_family.hpp"
#include "theory/models/simple_family.hpp"
#include "theory/models/skip_models.hpp"
#include "theory/models/two_heads.hpp"

namespace rankfall::theory {
namespace {

Rational number(const char* text) {
  return parse_number(text);
}

SharperFamily one_logit(long tokens, long movers, const char* far, const char* logit, const char* t) {
  return {tokens, 60, number(far), number(t), {{movers, number(logit)}}};
}

SharperFamily one_logit_per_mover(long tokens, const char* far, const char* t, const char* q_0, const char* K,
                                  const char* u) {
  return family(
      MoverProfile{tokens, number(far), number(t), number(q_0), number("0.21053"), number(K), number(u)});
}

std::vector<Refutation> against_dong_2_2(Precision p) {
  const SharperFamily refined =
      one_logit_per_mover(3573, "53.1256", "10.44", "0.87658", "0.49178744", "0.99572995");
  return {against_simple_family({3500, 60, number("49.9906"), number("12.6")}, p),
          against_simple_family({4000, 60, number("49.857"), number("12.75")}, p),
          against_simple_family({5000, 60, number("49.6339"), number("13.03")}, p),
          against_sharper_family(one_logit(4000, 1600, "53.2088", "50.5132", "10.46"), p),
          against_sharper_family(one_logit(3700, 1480, "53.2088", "50.5911", "10.39"), p),
          against_sharper_family(one_logit(3638, 1455, "53.2411", "50.6059", "10.3734"), p),
          against_sharper_family(refined, p),
          against_sharper_family_without_biases(refined, Rational(power(Integer(2), 40)), p),
          against_sharper_family(
              one_logit_per_mover(3568, "53.1263", "10.4388", "0.87657", "0.49139145", "0.99572727"), p)};
}

std::vector<Refutation> against_dong_2_3(const std::string& id, Precision p) {
  return {against_two_heads(two_heads(70'000, number("0.01")), id, p),
          against_two_heads(two_heads(65'026, number("0.00001")), id, p),
          against_two_heads(two_heads(64'514, number("0.000001"), true), id, p),
          against_two_heads(two_heads_many_tokens(1000, 22'242, number("0.0001")), id, p),
          against_two_heads(two_heads_many_tokens(10'000, 16'549, number("0.0001")), id, p)};
}

struct Family {
  const char* statement_id;
  std::vector<Refutation> (*instances)(Precision);
};

constexpr std::array families{
    Family{"proof-step-printed",
           [](Precision p) {
             return std::vector{against_printed_proof_step({1, number("0.1"), 1}, p)};
           }},
    Family{"dong-2.2-v1", against_dong_2_2},
    Family{"gamma-at-the-midrange",
           [](Precision p) {
             return std::vector{against_gamma_at_the_midrange({17, number("0.0001")}, p)};
           }},
    Family{"sharp-gamma-at-the-mean",
           [](Precision p) {
             return std::vector{against_sharp_gamma_at_the_mean({4, number("0.0001")}, p)};
           }},
    Family{"dong-2.3-v1", [](Precision p) { return against_dong_2_3("dong-2.3-v1", p); }},
    Family{"dong-2.3", [](Precision p) { return against_dong_2_3("dong-2.3", p); }},
    Family{"convergence-remark",
           [](Precision p) {
             return std::vector{against_convergence_remark({4, number("0.01"), 10}, 6, p)};
           }},
    Family{"composite-triangle", [](Precision p) { return std::vector{against_composite_triangle(4, p)}; }},
    Family{"dong-3.1-orthogonal",
           [](Precision p) { return std::vector{against_orthogonal_outputs(orthogonal_skip(60), p)}; }},
    Family{"dong-3.2-vector-norm", [](Precision p) { return std::vector{against_vector_norms(8, p)}; }},
};

}  // namespace

Refutation refutation(std::string statement_id, std::string description, std::vector<Parameter> parameters,
                      Magnitude left, Magnitude right, bool hypotheses, RefutingInstance instance) {
  const bool certified = hypotheses && certainly_less(right, left);
  return {std::move(statement_id), std::move(description), std::move(parameters),
          std::move(left),         std::move(right),       certified,
          std::move(instance)};
}

std::vector<Refutation> refutations(Precision p) {
  std::vector<Refutation> result;
  for (const Family& family : families)
    for (Refutation& instance : family.instances(p)) result.push_back(std::move(instance));
  return result;
}

std::vector<Refutation> refutations(std::string_view statement_id, Precision p) {
  for (const Family& family : families)
    if (family.statement_id == statement_id) return family.instances(p);
  return {};
}

}  // namespace rankfall::theory
