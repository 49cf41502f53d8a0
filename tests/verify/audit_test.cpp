#include "verify/audit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "tests/verify/tags.hpp"
#include "theory/catalogue/catalogue.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using namespace rankfall::test;
using theory::Status;

namespace {

const AuditedClaim& claim(const std::vector<AuditedClaim>& claims, const std::string& id) {
  const auto found =
      std::find_if(claims.begin(), claims.end(), [&](const AuditedClaim& c) { return c.id == id; });
  REQUIRE(found != claims.end());
  return *found;
}

/// Every statement of the theory that the project was built on.
const std::vector<std::string> all_ids = {
    "path-decomposition", "path-count",       "perturbation",      "proof-step-printed", "proof-step",
    "layer-cubic",        "layer-sharp",      "layer-cubic-sharp", "small-logits",       "chaining",
    "dong-2.2-v1",        "dong-2.2",         "dong-2.3-v1",       "dong-2.3",           "dong-2.3-repaired",
    "convergence-remark", "dong-3.1-skip",    "dong-3.2-mlp",      "dong-3.2-repaired",  "dong-layernorm",
    "composite-diameter", "diameter",         "diameter-cubic",    "global-collapse",    "diameter-skip",
    "diameter-mlp",       "leading-order",    "layernorm-lifted",  "dobrushin",          "causal-geometric",
    "gaussian-rate",      "noci-correlation", "kim-lipschitz"};

const Evidence& gathered() {
  static const Evidence evidence = gather_evidence(Precision(128));
  return evidence;
}

/// The verdict of a claim once `remove` has taken something out of the evidence.
template <class Remove>
Status without(const std::string& id, Remove remove) {
  Evidence evidence = gathered();
  remove(evidence);
  return claim(audit(evidence), id).verdict;
}

}  // namespace

TEST_CASE("the audit covers every statement and every refutation, and leaves open what is") {
  const auto claims = audit(gathered());
  for (const std::string& id : all_ids) {
    CAPTURE(id);
    CHECK(claim(claims, id).verdict == theory::find_statement(id).status);
  }
  for (const theory::Statement& s : theory::catalogue()) CHECK(claim(claims, s.id).verdict == s.status);
  for (const theory::Refutation& r : gathered().refutations)
    CHECK(claim(claims, r.statement_id).verdict == Status::refuted);
  std::set<std::string> seen;
  for (const AuditedClaim& c : claims) {
    CAPTURE(c.id);
    CHECK(seen.insert(c.id).second);
    CHECK((c.verdict == Status::open) == (c.id == "dong-2.2-v1-between"));
    CHECK((c.verdict != Status::proved) == !c.replaced_by.empty());
    for (const std::string& id : c.replaced_by) CHECK(claim(claims, id).verdict == Status::proved);
    for (const std::string* words : {&c.title, &c.words, &c.source, &c.proof}) CHECK_FALSE(words->empty());
  }
}

TEST_CASE("the index of the theory pages and the audit name the same claims") {
  std::ifstream file(std::filesystem::path(RANKFALL_CASES) / "../../docs/theory/README.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const auto claims = audit(gathered());
  const std::regex row("\\n\\| \\[`([^`]+)`\\]");
  std::set<std::string> index;
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it) {
    index.insert((*it)[1]);
    claim(claims, (*it)[1]);
  }
  for (const theory::Statement& s : theory::catalogue()) CHECK_MESSAGE(index.contains(s.id), s.id);
}

TEST_CASE("the paper's claims come first and in its order, with their grounds") {
  const auto claims = audit(gathered());
  std::vector<std::string> paper;
  for (const AuditedClaim& c : claims) {
    if (c.of_paper) paper.push_back(c.id);
    CHECK(c.of_paper == (paper.size() > static_cast<std::size_t>(&c - claims.data())));
  }
  CHECK(paper.front() == "path-decomposition");
  const auto place = [&](const char* id) {
    return std::find(paper.begin(), paper.end(), id) - paper.begin();
  };
  CHECK(place("dong-2.2") < place("dong-2.3"));
  CHECK(place("dong-2.3") < place("dong-3.1-skip"));
  CHECK(place("dong-3.1-skip") < place("dong-3.2-mlp"));
  for (const theory::Statement& s : theory::catalogue()) {
    CAPTURE(s.id);
    if (s.source.starts_with("Dong")) CHECK(place(s.id.c_str()) < std::ssize(paper));
  }
  CHECK(claim(claims, "chaining").ground == "symbolic");
  CHECK(claim(claims, "dong-2.2-v1-few-tokens").ground == "machine-checked");
  CHECK(claim(claims, "dong-3.1-skip").ground == "instance");
  CHECK(claim(claims, "dong-2.3").ground == "instance");
  CHECK(claim(claims, "composite-diameter").ground == "written-proof");
  for (const theory::Statement& s : theory::catalogue()) {
    CAPTURE(s.id);
    if (s.status == Status::proved && !s.bounds.empty()) CHECK(claim(claims, s.id).sampled > 0);
  }
  CHECK(claim(claims, "composite-diameter").symbolic.size() == 1);
}

TEST_CASE("what is taken out of the evidence changes the verdict") {
  for (const theory::Refutation& r : gathered().refutations)
    CHECK(without(r.statement_id, [&](Evidence& e) {
            std::erase_if(e.refutations,
                          [&](const auto& other) { return other.statement_id == r.statement_id; });
          }) == Status::open);
  CHECK(without("dong-2.3", [](Evidence& e) {
          for (theory::Refutation& r : e.refutations) r.certified = false;
        }) == Status::open);
  CHECK(gathered().skips_kept == 2);
  CHECK(without("dong-3.1-skip", [](Evidence& e) { e.skips_kept = 0; }) == Status::open);
  CHECK(without("chaining", [](Evidence& e) { e.symbolic.erase("chaining"); }) == Status::open);
  CHECK(without("dong-2.3-repaired", [](Evidence& e) {
          e.symbolic["dong-2.3-repaired"].front().failure = "a step fails";
        }) == Status::open);
  CHECK(without("dong-2.2-v1-few-tokens", [](Evidence& e) { e.intervals.clear(); }) == Status::open);
  CHECK(without("layer-sharp", [](Evidence& e) { e.written.erase("layer-sharp"); }) == Status::open);
  CHECK(without("diameter", [](Evidence& e) { e.refuted["diameter"] = 1; }) == Status::open);
}

TEST_CASE("every way of writing names every claim, its verdict and what replaces it") {
  const auto claims = audit(gathered());
  const std::string text = audit_text(claims), markdown = audit_markdown(claims), html = audit_html(claims);
  const auto json = nlohmann::json::parse(audit_json(claims));
  CHECK(json["format"] == "rankfall-audit/1");
  REQUIRE(json["claims"].size() == claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const AuditedClaim& c = claims[i];
    CAPTURE(c.id);
    CHECK(text.find("\n" + c.id + " ") != std::string::npos);
    CHECK(markdown.find("`" + c.id + "`") != std::string::npos);
    CHECK(html.find("id=\"" + c.id + "\"") != std::string::npos);
    for (const std::string& id : c.replaced_by) CHECK(html.find("href=\"#" + id + "\"") != std::string::npos);
    for (const char* key :
         {"id", "title", "words", "source", "of_paper", "verdict", "ground", "evidence", "replaced_by"})
      CHECK(json["claims"][i].contains(key));
    CHECK(json["claims"][i]["evidence"]["instances"].size() == c.refutations.size());
  }
}

TEST_CASE("the page stands alone and is well formed") {
  const std::string html = audit_html(audit(gathered()));
  for (const char* outside : {"http:", "https:", "src=", "@import", "<link"})
    CHECK_MESSAGE(html.find(outside) == std::string::npos, outside);
  CHECK(html.find("width=device-width") != std::string::npos);
  CHECK(html.find("prefers-color-scheme: dark") != std::string::npos);
  std::vector<std::string> path;
  for (const Tag& tag : tags(html.substr(html.find("<body>")))) {
    if (tag.element == "br" || tag.element == "html") continue;
    if (!tag.closes) {
      path.push_back(tag.element);
      continue;
    }
    REQUIRE_FALSE(path.empty());
    CHECK(path.back() == tag.element);
    path.pop_back();
  }
  CHECK(path.empty());
}
