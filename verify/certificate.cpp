#include "verify/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "numerics/errors.hpp"
#include "numerics/io/json_network.hpp"
#include "numerics/version.hpp"
#include "theory/expression/print.hpp"
#include "theory/expression/substitute.hpp"
#include "theory/families.hpp"
#include "theory/measured.hpp"
#include "verify/certificate_statement.hpp"
#include "verify/enclosure.hpp"
#include "verify/output.hpp"
#include "verify/recheck/json.hpp"
#include "verify/sha256.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;
using Json = nlohmann::ordered_json;

constexpr int digits_of_ratio = 12;
constexpr long fewest_bits = 128;   // where doubles decided as well
constexpr double plain_ratio = 20;  // of |log2|; beyond it the logarithm is written

/// As many digits as the bits hold.
int digits_of(long bits) {
  return static_cast<int>(std::min<long>(bits * 30103 / 100000, 1000));
}

Json json(const EnclosureText& text) {
  return {{text.unit, {text.low, text.high}}};
}

Json enclosed(const Bracket& value, long bits) {
  return json(signed_text(value, digits_of(bits)));
}
Json enclosed(const Magnitude& value, long bits) {
  return enclosed(Bracket{value, value}, bits);
}

std::string beyond_certificates(const Network& network, std::size_t to) {
  for (std::size_t block = 0; block < to; ++block) {
    const auto* attention = std::get_if<AttentionBlock>(&network.blocks[block]);
    if (!attention) return fmt::format("blocks of kind {} are not rechecked", kind(network.blocks[block]));
    if (attention->pre_norm) return "pre_norm is not rechecked";
    if (std::any_of(attention->heads.begin(), attention->heads.end(),
                    [](const Head& head) { return head.has_row_biases(); }))
      return "score biases that depend on the query are not rechecked";
  }
  return {};
}

/// Sums of these go over all tokens, of which a mask may hide some.
std::string beyond_members(const Network& network, const Decision& decision) {
  const auto family = decision.bound->family;
  if (family != Family::proof_step && family != Family::proof_step_printed) return {};
  const auto keys =
      std::get<AttentionBlock>(network.blocks[decision.from]).mask.shared_keys(network.tokens());
  return keys && static_cast<Index>(keys->size()) == network.tokens()
             ? ""
             : "sums over all tokens are not rechecked beside a mask";
}

Reading reading_of(const Decision& decision) {
  Reading reading{decision.from, decision.to, decision.bound->span,
                  std::nullopt,  Gamma{},     decision.bound->constant};
  for (const Reference reference : all_references)
    if (name(reference) == decision.reference) reading.reference = reference;
  if (decision.gamma) reading.gamma = *decision.gamma;
  return reading;
}

Json states_json(Simulation& simulation, const Decision& decision) {
  Json result = Json::array();
  for (std::size_t k = decision.from; k <= decision.to; ++k) {
    const StateMeasures& state = simulation.state(k);
    Json residual, diameter;
    for (const Reference reference : all_references)
      residual[name(reference)] =
          enclosed(state.residual[static_cast<std::size_t>(reference)], decision.bits);
    residual["minimal"] = enclosed(state.minimal, decision.bits);
    for (const VectorNorm norm : all_vector_norms)
      diameter[name(norm)] = enclosed(state.diameter[static_cast<std::size_t>(norm)], decision.bits);
    diameter["composite"] = enclosed(state.composite_diameter, decision.bits);
    result.push_back({{"index", k}, {"residual", residual}, {"diameter", diameter}});
  }
  return result;
}

/// The formulas of a decision whose symbols are measured.
std::vector<Expression> formulas_of(const Decision& decision, const Reading& reading) {
  const Bound& bound = *decision.bound;
  std::vector<Expression> result;
  if (!bound.family) result.push_back(bound.right);
  if (reading.reference) result.insert(result.end(), bound.middle.begin(), bound.middle.end());
  const bool minimal = decision.statement->references == References::propagated && !reading.reference;
  for (const auto* list :
       {minimal ? &decision.statement->minimal_hypotheses : &decision.statement->hypotheses,
        &bound.hypotheses})
    for (const Hypothesis& h : *list) {
      result.push_back(h.value);
      result.push_back(h.bound);
    }
  return result;
}

/// The symbol with every choice of its indices: [head] from 1, [layer,head], or [layer].
std::vector<Expression> every_index(const FreeSymbol& symbol, std::size_t layers, std::size_t heads) {
  if (symbol.indices == 0) return {sym(symbol.name)};
  std::vector<Expression> result;
  if (symbol.indices == 1 && (symbol.name == "p" || symbol.name == "sigma_min")) {
    for (std::size_t l = 0; l < layers; ++l)
      result.push_back(theory::symbol(symbol.name, {Expression(static_cast<long>(l))}));
    return result;
  }
  for (std::size_t l = 0; l < (symbol.indices == 2 ? layers : 1); ++l)
    for (std::size_t h = 1; h <= heads; ++h) {
      std::vector<Expression> indices;
      if (symbol.indices == 2) indices.emplace_back(static_cast<long>(l));
      indices.emplace_back(static_cast<long>(h));
      result.push_back(theory::symbol(symbol.name, indices));
    }
  return result;
}

Json symbols_json(Simulation& simulation, const Decision& decision, const Reading& reading) {
  std::size_t heads = 0;
  for (std::size_t block = decision.from; block < decision.to; ++block)
    heads = std::max(heads, std::get<AttentionBlock>(simulation.network().blocks[block]).heads.size());
  const Instance low(simulation, reading, End::low), high(simulation, reading, End::high);
  Json result = Json::object();
  for (const Expression& formula : formulas_of(decision, reading))
    for (const FreeSymbol& symbol : free_symbols(formula))
      for (const Expression& each : every_index(symbol, decision.depth, heads))
        result[to_text(each)] = enclosed(Bracket{low.evaluate(each), high.evaluate(each)}, decision.bits);
  return result;
}

Json hypotheses_json(Simulation& simulation, const Decision& decision, const Reading& reading) {
  const bool minimal = decision.statement->references == References::propagated && !reading.reference;
  std::vector<Hypothesis> stated =
      minimal ? decision.statement->minimal_hypotheses : decision.statement->hypotheses;
  stated.insert(stated.end(), decision.bound->hypotheses.begin(), decision.bound->hypotheses.end());
  const Instance low(simulation, reading, End::low), high(simulation, reading, End::high);
  Json result = Json::array();
  for (std::size_t i = 0; i < stated.size(); ++i)
    result.push_back(
        {{"name", stated[i].name},
         {"holds", *decision.hypotheses[i].holds},
         {"value", enclosed(decision.hypotheses[i].value, decision.bits)},
         {"bound",
          enclosed(Bracket{low.evaluate(stated[i].bound), high.evaluate(stated[i].bound)}, decision.bits)}});
  return result;
}

/// Letters, digits, dots and dashes.
std::string file_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') c = '-';
  return text + ".json";
}

/// left/right, widened by 2^-36 so that a recheck at other bits finds it inside; none where a side may be
/// zero.
std::optional<EnclosureText> ratio_text(const Bracket& left, const Bracket& right, Precision bits) {
  if (!left.lower.certainly_positive() || !right.lower.certainly_positive()) return std::nullopt;
  const Rational hair(1, Integer(1) << 36U);
  const Bracket ratio{mul(div(left.lower, right.upper, bits), Magnitude(Rational(1 - hair), bits), bits),
                      mul(div(left.upper, right.lower, bits), Magnitude(Rational(1 + hair), bits), bits)};
  const bool plain = std::abs(to_double(lower(ratio.lower.log2(), bits))) < plain_ratio &&
                     std::abs(to_double(upper(ratio.upper.log2(), bits))) < plain_ratio;
  return plain ? value_text(Span{ratio.lower.to_ball(bits), ratio.upper.to_ball(bits)}, digits_of_ratio)
               : log10_text(ratio, digits_of_ratio);
}

/// The largest left/right of the members; none where a right side may be zero and its left side is not.
std::optional<EnclosureText> largest_ratio_text(Simulation& simulation, const Reading& reading,
                                                Family family) {
  const Precision p = simulation.precision();
  std::optional<Magnitude> largest;
  for (const Inequality& member : inequalities(simulation, reading.from, *reading.reference, family)) {
    if (member.left.is_zero() || member.left.sign() == Magnitude::Sign::negative) continue;
    if (!member.right.certainly_positive()) return std::nullopt;
    const Magnitude ratio = div(member.left, member.right, p);
    largest = largest ? max(*largest, ratio, p) : ratio;
  }
  if (!largest) return std::nullopt;
  const Magnitude one(Rational(1), p);
  return ratio_text({*largest, *largest}, {one, one}, p);
}

}  // namespace

Simulation& Certifier::simulation(const Decision& decision) {
  const long bits = std::max(decision.bits, fewest_bits);
  auto& kept = simulations_[bits];
  if (!kept) kept = std::make_unique<Simulation>(network_, Precision(bits));
  return *kept;
}

std::optional<EnclosureText> Certifier::ratio(const Decision& decision) {
  if (!decision.compared) return std::nullopt;
  if (decision.bound->family)
    return largest_ratio_text(simulation(decision), reading_of(decision), *decision.bound->family);
  return ratio_text(decision.left, decision.right, Precision(std::max(decision.bits, fewest_bits)));
}

/// What more bits do not decide still has a ratio.
std::string Certifier::nothing_certain(const Decision& decision) {
  if (decision.verdict == Verdict::inconclusive && (decision.wants_precision() || !ratio(decision)))
    return "undecided (" + decision.reason + ")";
  return {};
}

std::string Certifier::body(const Decision& decision) {
  Simulation& followed = simulation(decision);
  const Reading reading = reading_of(decision);
  Network prefix{network_.input,
                 {network_.blocks.begin(), network_.blocks.begin() + static_cast<long>(decision.to)}};
  std::string network = write_network(prefix);
  network.pop_back();
  const auto part = [](const char* key, const Json& value, int indent) {
    return fmt::format(",\n\"{}\": {}", key, value.dump(indent));
  };
  const bool members = decision.bound->family.has_value();
  const std::optional<EnclosureText> ratio = this->ratio(decision);
  const Json reference = decision.reference.empty() ? Json(nullptr) : Json(decision.reference);
  return fmt::format(
             "{{\n\"format\": \"rankfall-certificate/1\",\n\"version\": \"{}\",\n\"precision\": "
             "{},\n\"network\": {}",
             build::version, std::max(decision.bits, fewest_bits), network) +
         part("statement", Json::parse(statement_text(*decision.statement, *decision.bound)), 1) +
         part("reading",
              {{"from", decision.from},
               {"to", decision.to},
               {"reference", reference},
               {"gamma", decision.gamma ? Json(name(*decision.gamma)) : Json(nullptr)}},
              -1) +
         part("states", states_json(followed, decision), -1) +
         part("symbols", symbols_json(followed, decision, reading), -1) +
         part("hypotheses", hypotheses_json(followed, decision, reading), -1) +
         part("left", members ? Json(nullptr) : enclosed(decision.left, decision.bits), -1) +
         part("right", members ? Json(nullptr) : enclosed(decision.right, decision.bits), -1) +
         part("ratio", ratio ? json(*ratio) : Json(nullptr), -1) +
         part("verdict", name(decision.verdict), -1);
}

Certificate Certifier::certify(const Decision& decision) {
  Certificate result;
  result.name =
      file_name(fmt::format("{}.{}.{}-{}{}", decision.statement->id, decision.subject(), decision.from,
                            decision.to, decision.gamma ? "." + name(*decision.gamma) : ""));
  if (decision.verdict == Verdict::inapplicable) result.reason = "inapplicable";
  if (result.reason.empty())
    result.reason = verify::beyond_certificates(*decision.statement, *decision.bound);
  if (result.reason.empty()) result.reason = beyond_certificates(network_, decision.to);
  if (result.reason.empty()) result.reason = beyond_members(network_, decision);
  if (result.reason.empty()) result.reason = nothing_certain(decision);
  if (result.reason.empty()) result.text = with_digest(body(decision));
  return result;
}

std::string with_digest(const std::string& members) {
  const std::string canonical = recheck::canonical_text(recheck::parse_json(members + "}"));
  return fmt::format("{},\n\"digest\": \"sha256:{}\"\n}}\n", members, sha256(canonical));
}

void CertificateCount::write(const Certificate& certificate, const std::filesystem::path& folder) {
  if (certificate.text.empty()) {
    ++missing[certificate.reason];
    return;
  }
  write_file(folder / certificate.name, certificate.text);
  ++written;
}

std::string CertificateCount::words(const std::filesystem::path& folder) const {
  std::string text = fmt::format("{} certificate{} in {}", written, written == 1 ? "" : "s", folder.string());
  const char* between = "; without one: ";
  for (const auto& [reason, count] : missing) {
    text += fmt::format("{}{} ({})", between, count, reason);
    between = ", ";
  }
  return text;
}

CertificateCount write_certificates(const Network& network, const std::vector<Decision>& decisions,
                                    const std::filesystem::path& folder) {
  make_folder(folder);
  Certifier certifier(network);
  CertificateCount count;
  for (const Decision& decision : decisions) count.write(certifier.certify(decision), folder);
  return count;
}

}  // namespace rankfall::verify
