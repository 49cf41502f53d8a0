#include "verify/certificate_refutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "numerics/errors.hpp"
#include "numerics/io/json_network.hpp"
#include "numerics/version.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/certificate_claims.hpp"
#include "verify/certificate_statement.hpp"
#include "verify/enclosure.hpp"
#include "verify/output.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;
using Json = nlohmann::ordered_json;

constexpr int certified_digits = 30;

std::string text(const Rational& value) {
  return rankfall::to_text(value);
}

Json matrix(const ExactMatrix& a) {
  Json rows = Json::array();
  for (Index i = 0; i < a.rows(); ++i) {
    Json row = Json::array();
    for (Index j = 0; j < a.cols(); ++j) row.push_back(text(a(i, j)));
    rows.push_back(row);
  }
  return rows;
}

Json class_json(const UnitTokenClass& each) {
  if (!each.unit) return {{"count", each.count}, {"unit", false}};
  Json scores = Json::array(), values = Json::array();
  for (const auto& [other, score] : each.scores)
    scores.push_back(Json::array({Json(other), Json(text(score))}));
  for (const Rational& value : each.values) values.push_back(text(value));
  return {{"count", each.count}, {"unit", true},     {"logit", text(each.logit)}, {"self", text(each.self)},
          {"scores", scores},    {"values", values}, {"own", text(each.own)}};
}

/// The least square that the scores fit into.
long query_width(const UnitTokens& tokens) {
  long width = tokens.constant ? 1 : 0, root = 1;
  for (const UnitTokenClass& each : tokens.classes)
    if (each.unit) width += each.count;
  while (root * root < width) ++root;
  return root * root;
}

std::string matter(const FoldedNetwork& folded) {
  std::string result = "\"network\": " + write_network(folded.network);
  result.pop_back();
  if (!folded.tokens.empty()) result += ",\n\"tokens\": " + Json(folded.tokens).dump();
  if (!folded.columns.empty()) result += ",\n\"columns\": " + Json(folded.columns).dump();
  return result;
}

std::string matter(const UnitTokens& tokens) {
  Json pairs = Json::array();
  for (const auto& [a, b] : tokens.pairs) pairs.push_back(Json::array({Json(a), Json(b)}));
  std::string classes;
  for (const UnitTokenClass& each : tokens.classes)
    classes += (classes.empty() ? "\n" : ",\n") + class_json(each).dump();
  return fmt::format(
      "\"unit_tokens\": {{\"d_qk\": {}, \"constant\": {}, \"outputs\": {}, \"column\": 0, \"pairs\": {}, "
      "\"classes\": [{}]}}",
      query_width(tokens), tokens.constant ? Json(text(*tokens.constant)).dump() : "null", tokens.outputs,
      pairs.dump(), classes);
}

std::string matter(const MatrixPair& pair) {
  Json result = {{"X", matrix(pair.X)}};
  if (!pair.Y.empty()) result["Y"] = matrix(pair.Y);
  return "\"matrices\": " + result.dump();
}

std::size_t layers(const RefutingInstance& instance) {
  const auto* folded = std::get_if<FoldedNetwork>(&instance);
  return folded ? folded->network.blocks.size() : 1;
}

/// Of a number of which only a bound is known: the other end is infinite.
Json at_least(const Magnitude& value) {
  return {{"log10", {log10_text(value, certified_digits).low, "inf"}}};
}
Json at_most(const Magnitude& value) {
  return {{"log10", {"-inf", log10_text(value, certified_digits).high}}};
}

Rational parameter(const Refutation& r, std::string_view name) {
  const auto found =
      std::find_if(r.parameters.begin(), r.parameters.end(), [&](const auto& p) { return p.name == name; });
  if (found == r.parameters.end())
    throw DomainError(fmt::format("{} has no parameter {}", r.statement_id, name));
  return found->value;
}

/// A statement, and how the instance reads it.
struct Read {
  std::string statement;
  Json reading;
  Json hypotheses = Json::array();
  bool members = false;
};

Json hypothesis(const std::string& name, const Rational& value, const Rational& bound) {
  const Precision p(256);
  const auto enclosed = [&](const Rational& x) {
    const EnclosureText e = log10_text(Magnitude(x, p), certified_digits);
    return Json{{e.unit, {e.low, e.high}}};
  };
  return {{"name", name}, {"holds", value <= bound}, {"value", enclosed(value)}, {"bound", enclosed(bound)}};
}

/// A claim that the catalogue does not decide.
Read read(const Refutation& r, const RefutedClaim& claim) {
  const Json reference = claim.reference.empty() ? Json(nullptr) : Json(claim.reference);
  Read result{statement_text(claim),
              {{"from", 0},
               {"to", layers(r.instance)},
               {"reference", reference},
               {"gamma", claim.gamma.empty() ? Json(nullptr) : Json(claim.gamma)}}};
  if (claim.hypothesis_name == "small-weights")
    result.hypotheses.push_back(
        hypothesis("small-weights", Rational(4 * parameter(r, "w") * parameter(r, "v")), Rational(1)));
  if (claim.hypothesis_name == "orthogonal") result.hypotheses.push_back(hypothesis("orthogonal", 0, 0));
  return result;
}

/// A statement of the catalogue, of which the refutations are about the first bound.
Read read(const Refutation& r, const Statement& statement) {
  const Bound& bound = statement.bounds.front();
  const bool members = bound.family.has_value();
  Read result{statement_text(statement, bound),
              {{"from", 0},
               {"to", layers(r.instance)},
               {"reference", members ? Json("mean") : Json(nullptr)},
               {"gamma", statement.uses_gamma ? Json("one") : Json(nullptr)}}};
  result.members = members;
  if (members) {  // the scalar model: rho = 2 w a^2
    const Rational a = parameter(r, "a");
    result.hypotheses.push_back(
        hypothesis("1.256", Rational(2 * parameter(r, "w") * a * a), Rational(157, 125)));
  }
  return result;
}

Read read(const Refutation& r) {
  for (const RefutedClaim& claim : refuted_claims())
    if (claim.id == r.statement_id) return read(r, claim);
  return read(r, find_statement(r.statement_id));
}

}  // namespace

Certificate certificate(const Refutation& r, std::size_t number) {
  Certificate result{fmt::format("{}.{}.json", r.statement_id, number), "", ""};
  if (!r.certified) {
    result.reason = "not certified";
    return result;
  }
  const Read how = read(r);
  const auto part = [](const char* key, const Json& value) {
    return fmt::format(",\n\"{}\": {}", key, value.dump());
  };
  result.text = with_digest(
      fmt::format(
          "{{\n\"format\": \"rankfall-certificate/1\",\n\"version\": \"{}\",\n\"precision\": 128,\n{}",
          build::version, std::visit([](const auto& instance) { return matter(instance); }, r.instance)) +
      ",\n\"statement\": " + Json::parse(how.statement).dump(1) + part("reading", how.reading) +
      part("states", Json::array()) + part("symbols", Json::object()) + part("hypotheses", how.hypotheses) +
      part("left", how.members ? Json(nullptr) : at_least(r.left)) +
      part("right", how.members ? Json(nullptr) : at_most(r.right)) + part("verdict", "refuted"));
  return result;
}

CertificateCount write_certificates(const std::vector<Refutation>& refutations,
                                    const std::filesystem::path& folder) {
  make_folder(folder);
  CertificateCount count;
  std::map<std::string, std::size_t> numbers;
  for (const Refutation& r : refutations) count.write(certificate(r, ++numbers[r.statement_id]), folder);
  return count;
}

}  // namespace rankfall::verify
