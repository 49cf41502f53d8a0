#include <functional>

#include "numerics/san/engine.hpp"
#include "numerics/san/generate.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "theory/chain_proof.hpp"
#include "theory/models/few_tokens.hpp"
#include "theory/models/skip_models.hpp"
#include "verify/audit.hpp"
#include "verify/audit_instances.hpp"
#include "verify/check.hpp"
#include "verify/other_claims.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

/// Whether every layer leaves the residual's first columns exactly as they are.
bool keeps_columns(const Network& network, Index columns, Precision p) {
  const ResidualEngine engine(network, p);
  const ResidualState start = engine.input(Reference::mean);
  ResidualState state = start;
  for (std::size_t block = 0; block < engine.blocks(); ++block) state = engine.apply(block, state).output;
  for (Index i = 0; i < start.residual.mantissa.rows(); ++i)
    for (Index j = 0; j < columns; ++j) {
      const Ball before = scale(start.residual.mantissa(i, j), start.residual.exponent);
      const Ball after = scale(state.residual.mantissa(i, j), state.residual.exponent);
      if (!is_exact(before) || !is_exact(after) || !contains(before, after)) return false;
    }
  return true;
}

/// The network with the same change to each attention block, and a block behind each where one is given.
Network changed(Network network, const std::function<void(AttentionBlock&)>& change,
                const std::optional<Block>& behind = {}) {
  std::vector<Block> blocks;
  for (Block& block : network.blocks) {
    change(std::get<AttentionBlock>(block));
    blocks.emplace_back(std::move(block));
    if (behind) blocks.emplace_back(*behind);
  }
  network.blocks = std::move(blocks);
  return network;
}

MlpBlock mixing_mlp(Index width) {
  std::vector<double> mixed;
  for (Index i = 0; i < width; ++i)
    for (Index j = 0; j < width; ++j) mixed.push_back(i == j ? 0.75 : (i < j ? 0.125 : -0.25));
  const ExactMatrix W = ExactMatrix::from(width, width, mixed);
  return {.skip = 0, .activation = Activation::relu, .layers = {{W, {}}, {W, {}}}};
}

/// A pure network with every kind of block that statements speak of.
std::vector<Network> variants(const Network& pure) {
  const auto as_it_is = [](AttentionBlock&) {};
  const Normalisation tokens{.of = Normalisation::Of::token, .epsilon = Rational(1, 1000)};
  const Normalisation columns{.of = Normalisation::Of::column, .epsilon = Rational(1, 1000)};
  return {pure,
          changed(pure, [](AttentionBlock& block) { block.skip = 1; }),
          changed(pure, as_it_is, mixing_mlp(pure.dim())),
          changed(pure, as_it_is, columns),
          changed(pure, as_it_is, tokens),
          changed(pure, [&](AttentionBlock& block) { block.pre_norm = tokens; }),
          changed(pure, [](AttentionBlock& block) { block.mask = Mask::causal(); })};
}

void sample(const Network& network, Evidence& evidence) {
  CheckOptions options;
  options.digits = 4;
  for (const Decision& d : check(network, options).decisions) {
    if (d.verdict == Verdict::proved) ++evidence.proved[d.statement->id];
    if (d.verdict == Verdict::refuted && d.claim() == Status::proved) ++evidence.refuted[d.statement->id];
  }
}

void sample_networks(Evidence& evidence) {
  for (const long heads : {1, 2})
    for (const char* beta : {"0.01", "1", "10"})
      for (const std::uint64_t seed : {1, 2, 3}) {
        GenerateSpec spec;
        spec.tokens = 6;
        spec.dim = 4;
        spec.heads = heads;
        spec.depth = 3;
        spec.beta = parse_number(beta);
        spec.seed = seed;
        const Network pure = generate(spec);
        if (seed > 1)
          sample(pure, evidence);
        else
          for (const Network& network : variants(pure)) sample(network, evidence);
      }
}

void prove_symbolically(Evidence& evidence) {
  evidence.symbolic["chaining"] = prove_chaining();
  for (const Statement& s : catalogue()) {
    if (s.status != Status::proved) continue;
    for (const Bound& bound : s.bounds)
      if (auto proof = prove_chain(bound)) evidence.symbolic[s.id].push_back(*std::move(proof));
  }
}

}  // namespace

Evidence gather_evidence(Precision p) {
  Evidence evidence;
  evidence.refutations = refutations(p);
  for (const Statement& s : catalogue()) evidence.written[s.id] = s.proof;
  for (const OtherClaim& other : other_claims()) evidence.written[other.id] = other.proof;
  prove_symbolically(evidence);
  if (const auto intervals = cover_every_t({}, p)) evidence.intervals["dong-2.2-v1-few-tokens"] = *intervals;
  const ExactMatrix tokens = ExactMatrix::from(4, 2, std::vector<double>{1, 2, -3, 0.5, 0.25, -1, 2, 7});
  constexpr std::size_t layers = 12;
  evidence.skips_kept += keeps_columns(skip_with_zero_values(tokens, layers, 5), 2, p);
  evidence.skips_kept +=
      keeps_columns(skip_into_other_columns(tokens, layers, Rational(1, 5), Rational(1, 1000)), 2, p);
  sample_networks(evidence);
  add_path_evidence(evidence);
  add_average_evidence(evidence);
  return evidence;
}

}  // namespace rankfall::verify
