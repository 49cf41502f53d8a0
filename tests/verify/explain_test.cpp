#include "verify/explain.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "theory/catalogue/catalogue.hpp"
#include "theory/expression/parse.hpp"

using namespace rankfall;
using namespace rankfall::verify;

TEST_CASE("every statement explains itself in full, with formulas that parse back") {
  for (const theory::Statement& s : theory::catalogue()) {
    CAPTURE(s.id);
    const std::string text = explain(s, ExplainFormat::text);
    for (const std::string& part : {s.id, s.title, s.words, s.source, s.scope.words, s.proof}) {
      CHECK_FALSE(part.empty());
      CHECK(text.find(part) != std::string::npos);
    }
    const auto json = nlohmann::json::parse(explain(s, ExplainFormat::json));
    CHECK(json["format"] == "rankfall-statement/1");
    REQUIRE(json["bounds"].size() == s.bounds.size());
    for (std::size_t i = 0; i < s.bounds.size(); ++i)
      CHECK(theory::parse(json["bounds"][i]["right"].get<std::string>()) == s.bounds[i].right);
    CHECK(s.bounds.size() + s.formulas.size() > 0);
    REQUIRE(json["formulas"].size() == s.formulas.size());
    for (std::size_t i = 0; i < s.formulas.size(); ++i) {
      CHECK(theory::parse(json["formulas"][i]["left"].get<std::string>()) == s.formulas[i].left);
      CHECK(theory::parse(json["formulas"][i]["right"].get<std::string>()) == s.formulas[i].right);
    }
  }
}

TEST_CASE("every statement's proof stands where it says") {
  for (const theory::Statement& s : theory::catalogue()) {
    CAPTURE(s.id);
    const std::size_t hash = s.proof.find('#');
    REQUIRE(hash != std::string::npos);
    const std::filesystem::path page =
        std::filesystem::path(RANKFALL_CASES) / "../../docs/theory" / s.proof.substr(0, hash);
    std::ifstream file(page);
    REQUIRE(file.good());
    std::stringstream content;
    content << file.rdbuf();
    CHECK(content.str().find("<a id=\"" + s.proof.substr(hash + 1) + "\">") != std::string::npos);
  }
}

TEST_CASE("the list names every statement with what is known of it") {
  const std::string list = explain_all({}, ExplainFormat::text);
  for (const theory::Statement& s : theory::catalogue()) CHECK(list.find(s.id + " ") != std::string::npos);
  CHECK(nlohmann::json::parse(explain_all({}, ExplainFormat::json)).size() == theory::catalogue().size());
}
