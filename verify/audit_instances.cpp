#include "verify/audit_instances.hpp"

#include "numerics/san/generate.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "theory/expression/evaluate.hpp"
#include "verify/averages.hpp"
#include "verify/path_answer.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

void count(Evidence& evidence, const std::string& id, Verdict verdict) {
  if (verdict == Verdict::proved) ++evidence.proved[id];
  if (verdict == Verdict::refuted) ++evidence.refuted[id];
}

/// Goes through every path of `left` more layers.
void count_paths(long heads, long left, std::size_t length, std::vector<Integer>& of_length) {
  if (left == 0) {
    ++of_length[length];
    return;
  }
  count_paths(heads, left - 1, length, of_length);
  for (long head = 0; head < heads; ++head) count_paths(heads, left - 1, length + 1, of_length);
}

/// Every formula of path-count against the paths themselves.
bool counts_hold(long heads, long depth) {
  std::vector<Integer> of_length(static_cast<std::size_t>(depth) + 1);
  count_paths(heads, depth, 0, of_length);
  Integer total = 0, lengths = 0;
  for (std::size_t k = 0; k < of_length.size(); ++k) {
    total += of_length[k];
    lengths += of_length[k] * static_cast<long>(k);
  }
  Environment values;
  values.set("H", Rational(heads)).set("L", Rational(depth));
  const auto formula = [&](std::size_t index) {
    return evaluate_exact(find_statement("path-count").formulas.at(index).right, values);
  };
  for (std::size_t k = 0; k < of_length.size(); ++k) {
    values.set("k", Rational(static_cast<long>(k)));
    if (formula(0) != Rational(of_length[k]) || formula(2) != Rational(of_length[k], total)) return false;
  }
  return formula(1) == Rational(total) && formula(3) == Rational(lengths, total);
}

}  // namespace

void add_path_evidence(Evidence& evidence) {
  for (long heads = 1; heads <= 3; ++heads)
    for (long depth = 1; depth <= 5; ++depth)
      count(evidence, "path-count", counts_hold(heads, depth) ? Verdict::proved : Verdict::refuted);
  for (const long heads : {1, 2})
    for (const Rational& skip : {Rational(0), Rational(1), Rational(-1, 2)}) {
      GenerateSpec spec;
      spec.tokens = 4;
      spec.dim = 4;
      spec.heads = heads;
      spec.depth = 4;
      Network network = generate(spec);
      for (Block& block : network.blocks) std::get<AttentionBlock>(block).skip = skip;
      count(evidence, "path-decomposition", path_answer(network, {}).verdict());
    }
}

void add_average_evidence(Evidence& evidence) {
  for (const std::string& id : average_ids())
    for (const Confirmation& c : confirmations(id, {.samples = 1}))
      if (!c.confidence) count(evidence, id, c.verdict);
}

}  // namespace rankfall::verify
