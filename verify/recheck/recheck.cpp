#include "verify/recheck/recheck.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"
#include "verify/recheck/direct.hpp"
#include "verify/recheck/enclosures.hpp"
#include "verify/recheck/instance.hpp"
#include "verify/recheck/matrix_subject.hpp"
#include "verify/recheck/statement_reader.hpp"
#include "verify/recheck/unit_tokens.hpp"
#include "verify/sha256.hpp"

namespace rankfall::recheck {
namespace {

constexpr double most_operations = 5e8;  // of one pass
constexpr long start_bits = 128;

/// proved, refuted or inconclusive.
std::string verdict_of(const Number& left, const Number& right) {
  if (certainly_less_equal(left, right)) return "proved";
  return certainly_less(right, left) ? "refuted" : "inconclusive";
}

/// Of inequalities that must all hold: refuted by one, proved by all.
class Verdicts {
 public:
  void take(const std::string& verdict) {
    refuted_ = refuted_ || verdict == "refuted";
    proved_ = proved_ && verdict == "proved";
  }
  std::string together() const { return refuted_ ? "refuted" : proved_ ? "proved" : "inconclusive"; }

 private:
  bool refuted_ = false, proved_ = true;
};

void require_affordable(const Network& network) {
  const double n = static_cast<double>(network.input.rows);
  double operations = 0;
  for (const Layer& layer : network.layers)
    for (const Head& head : layer.heads) {
      const double in = static_cast<double>(head.input_width()),
                   out = static_cast<double>(head.output_width());
      const double factors = head.W_QK.empty() ? in * (in + out) * static_cast<double>(head.W_Q.cols) : 0;
      operations += n * n * (3 * in + out + 8) + n * in * (in + out) + factors;
    }
  if (operations > most_operations)
    throw InputError(fmt::format("network: some {:.0e} operations a pass; a recheck follows up to {:.0e}",
                                 operations, most_operations));
}

/// What a certificate is about: a network, unit tokens, or matrices.
struct Matter {
  std::optional<Network> network;
  std::optional<UnitTokens> unit_tokens;
  const Json* matrices = nullptr;

  explicit Matter(const Json& certificate) : matrices(certificate.find("matrices")) {
    if (const Json* tokens = certificate.find("unit_tokens")) unit_tokens = read_unit_tokens(*tokens);
    if (certificate.find("network")) network = read_network(certificate);
    if (network.has_value() + unit_tokens.has_value() + (matrices != nullptr) != 1)
      certificate.refuse("one of network, unit_tokens and matrices");
    if (network) require_affordable(*network);
  }
  std::size_t layers() const { return network ? network->layers.size() : 1; }
};

class Recheck {
 public:
  explicit Recheck(const Json& certificate)
      : certificate_(certificate),
        matter_(certificate),
        statement_(read_statement(certificate.at("statement"))),
        reading_(read_reading(certificate.at("reading"), statement_, matter_.layers())),
        verdict_(certificate.at("verdict").as_text()) {
    if (verdict_ != "proved" && verdict_ != "refuted" && verdict_ != "inconclusive")
      certificate.at("verdict").refuse("proved, refuted or inconclusive");
    ratio_ = certificate.find("ratio");
    if (ratio_ && ratio_->kind == Json::Kind::null) ratio_ = nullptr;
    if (ratio_) claimed_ratio_.emplace(*ratio_);
    if (verdict_ == "inconclusive" && !ratio_)
      certificate.at("verdict").refuse("a ratio where nothing else was decided");
  }

  Outcome run() {
    Outcome outcome;
    outcome.summary = fmt::format("{} {}, {} from state {} to {}", statement_.id, verdict_,
                                  statement_.quantity, reading_.from, reading_.to);
    if (ratio_) outcome.summary += ", " + ratio_words();
    const std::string outside = matter_.network ? outside_scope(statement_, reading_, *matter_.network) : "";
    if (!outside.empty()) {
      outcome.faults.push_back("outside the scope of the statement: " + outside);
      return outcome;
    }
    const long limit = 1024 + 64 * static_cast<long>(matter_.layers());
    for (long bits = start_bits;; bits = std::min(2 * bits, limit)) {
      outcome.bits = bits;
      faults_.clear();
      pass({bits});
      if (faults_.empty() || contradicted_ || bits == limit) break;
    }
    if (witness_) {
      outcome.direct_bits = witness_->bits.count;
      outcome.direct_states = witness_->last_state;
    }
    outcome.faults = faults_;
    return outcome;
  }

 private:
  /// Collects the faults at a precision: what is contradicted for certain, and what could not be confirmed.
  void pass(Bits p) try {
    std::optional<Recursion> followed;
    std::unique_ptr<Subject> subject;
    if (matter_.network) {
      followed.emplace(*matter_.network, p);
      subject = std::make_unique<Instance>(*followed, statement_, reading_);
    } else if (matter_.unit_tokens) {
      subject = std::make_unique<UnitTokensSubject>(*matter_.unit_tokens, statement_, p);
    } else {
      subject = std::make_unique<MatrixSubject>(*matter_.matrices, statement_, p);
    }
    compare_hypotheses(*subject);
    const std::string verdict = statement_.members.empty() ? decide(*subject) : decide_members(*subject);
    if (verdict != verdict_) {
      contradicted_ = contradicted_ || verdict != "inconclusive";
      faults_.push_back(fmt::format("the verdict is {}, the certificate says {}", verdict, verdict_));
    }
    compare_states(*subject);
    for (const auto& [name, value] : certificate_.at("symbols").as_object())
      compare(value, subject->evaluate(Formula(name)), "the symbol " + name);
    if (!followed || !faults_.empty()) return;
    witness_ = direct_witness(*followed);
    if (witness_) faults_ = witness_->contradictions;
    contradicted_ = contradicted_ || !faults_.empty();
  } catch (const DomainError& error) {
    faults_.push_back(fmt::format("at {} bits: {}", p.count, error.what()));
  }

  std::string decide(const Subject& subject) {
    std::vector<Number> sides{subject.left()};
    if (!reading_.reference.empty())
      for (const Formula& middle : statement_.middle) sides.push_back(subject.evaluate(middle));
    sides.push_back(subject.evaluate(*statement_.right));
    if (statement_.from_below) std::reverse(sides.begin(), sides.end());
    Verdicts verdicts;
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) verdicts.take(verdict_of(sides[i], sides[i + 1]));
    compare(certificate_.at("left"), sides.front(), "the left side");
    compare(certificate_.at("right"), sides.back(), "the right side");
    if (ratio_) confirm_ratio(div(sides.front(), sides.back(), subject.bits()), subject.bits());
    return verdicts.together();
  }

  /// The one enclosure that is itself claimed: what is found must lie inside.
  void confirm_ratio(const Number& found, Bits p) {
    if (encloses(*claimed_ratio_, found, p)) return;
    contradicted_ = contradicted_ || !consistent(*claimed_ratio_, found, p);
    faults_.emplace_back("left/right is not certified to lie where the certificate says");
  }

  std::string ratio_words() const {
    const auto& [unit, ends] = ratio_->members.front();
    return fmt::format("{}left/right in [{}, {}]", unit == "log10" ? "log10 of " : "", ends.items[0].text,
                       ends.items[1].text);
  }

  std::string decide_members(const Subject& subject) {
    Verdicts verdicts;
    std::optional<Number> largest;  // left/right; what is certainly not positive is not
    subject.each_member([&](const Number& left, const Number& right) {
      verdicts.take(verdict_of(left, right));
      if (!ratio_ || certainly_less_equal(left, Number())) return;
      const Number ratio = div(left, right, subject.bits());
      largest = largest ? max(*largest, ratio) : ratio;
    });
    if (ratio_ && !largest) ratio_->refuse("null, where no left side is above zero");
    if (largest) confirm_ratio(*largest, subject.bits());
    for (const char* side : {"left", "right"})
      if (certificate_.at(side).kind != Json::Kind::null)
        certificate_.at(side).refuse("null, where there are members");
    return verdicts.together();
  }

  void compare(const Json& claimed, const Number& value, const std::string& what) {
    if (consistent(Enclosure(claimed), value, {start_bits})) return;
    contradicted_ = true;
    faults_.push_back(what + " is not where the certificate says");
  }

  void compare_hypotheses(const Subject& subject) {
    const Json& list = certificate_.at("hypotheses");
    const bool minimal = statement_.propagated && reading_.reference.empty();
    const auto& stated = minimal ? statement_.minimal_hypotheses : statement_.hypotheses;
    if (list.as_list().size() != stated.size())
      list.refuse(fmt::format("{} hypotheses, those of the statement", stated.size()));
    for (std::size_t i = 0; i < stated.size(); ++i) {
      const Json& claimed = list.items[i];
      claimed.require_keys({"name", "holds", "value", "bound"});
      if (claimed.at("name").as_text() != stated[i].name) claimed.refuse("the hypothesis " + stated[i].name);
      const Number value = subject.evaluate(stated[i].value), bound = subject.evaluate(stated[i].bound);
      const std::string holds = verdict_of(value, bound);
      if (holds != "proved" || !claimed.at("holds").as_truth()) {
        contradicted_ = contradicted_ || holds != "inconclusive";
        faults_.push_back(fmt::format("the hypothesis {} is not certified", stated[i].name));
      }
      compare(claimed.at("value"), value, "the value of " + stated[i].name);
      compare(claimed.at("bound"), bound, "the bound of " + stated[i].name);
    }
  }

  void compare_states(const Subject& subject) {
    const auto& states = certificate_.at("states").as_list();
    if (!states.empty() && states.size() != reading_.to - reading_.from + 1)
      certificate_.at("states").refuse("every state of the reading, or none");
    for (std::size_t i = 0; i < states.size(); ++i) compare_state(subject, states[i], reading_.from + i);
  }

  void compare_state(const Subject& subject, const Json& state, std::size_t index) {
    state.require_keys({"index", "residual", "diameter"});
    const auto number = static_cast<long>(index);
    state.at("index").as_count(number, number);
    const Sizes& sizes = subject.sizes_of(index);
    const auto each = [&](const char* kind,
                          std::initializer_list<std::pair<const char*, const Number*>> named) {
      const Json& object = state.at(kind);
      if (object.as_object().size() != named.size())
        object.refuse(fmt::format("{} enclosures", named.size()));
      for (const auto& [name, value] : named)
        compare(object.at(name), *value, fmt::format("state {}, {} {}", index, kind, name));
    };
    each("residual", {{"mean", &sizes.residual[0]},
                      {"median", &sizes.residual[1]},
                      {"midrange", &sizes.residual[2]},
                      {"minimal", &sizes.minimal}});
    each("diameter", {{"1", &sizes.diameter[0]},
                      {"2", &sizes.diameter[1]},
                      {"inf", &sizes.diameter[2]},
                      {"composite", &sizes.composite_diameter}});
  }

  const Json& certificate_;
  Matter matter_;
  Statement statement_;
  Reading reading_;
  std::string verdict_;
  const Json* ratio_ = nullptr;
  std::optional<Enclosure> claimed_ratio_;
  std::vector<std::string> faults_;
  std::optional<Witness> witness_;
  bool contradicted_ = false;  ///< more bits will not help
};

void check_catalogue(const Json& statement, const Catalogue& catalogue, Outcome& outcome) {
  const std::vector<std::string> known = catalogue(statement.at("id").as_text());
  if (known.empty())
    outcome.summary += "; the statement is not in the catalogue and was taken as it stands";
  else if (std::find(known.begin(), known.end(), canonical_text(statement)) == known.end())
    outcome.faults.emplace_back("the statement is not the one of the catalogue with this id");
}

}  // namespace

Outcome recheck(std::string_view text, const Catalogue& catalogue) {
  const Json certificate = parse_json(text);
  if (certificate.at("format").as_text() != "rankfall-certificate/1")
    certificate.at("format").refuse("rankfall-certificate/1");
  const std::string digest = "sha256:" + verify::sha256(canonical_text(certificate, "digest"));
  if (certificate.at("digest").as_text() != digest)
    return {{"the digest does not belong to the text, which has been altered"},
            "its contents were not looked into",
            0};
  certificate.require_keys({"format", "version", "precision", "network", "tokens", "columns", "unit_tokens",
                            "matrices", "statement", "reading", "states", "symbols", "hypotheses", "left",
                            "right", "ratio", "verdict", "digest"});
  certificate.at("version").as_text();
  certificate.at("precision").as_count(2, 1'000'000'000);
  Outcome outcome = Recheck(certificate).run();
  check_catalogue(certificate.at("statement"), catalogue, outcome);
  return outcome;
}

}  // namespace rankfall::recheck
