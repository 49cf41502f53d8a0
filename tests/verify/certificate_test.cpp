#include "verify/certificate.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <map>
#include <random>

#include "numerics/errors.hpp"
#include "numerics/io/json_network.hpp"
#include "numerics/san/generate.hpp"
#include "tests/support.hpp"
#include "tests/verify/altered.hpp"
#include "tests/verify/networks.hpp"
#include "verify/certificate_refutation.hpp"
#include "verify/check.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using recheck::Json;
using test::accepted;
using test::altered;
using test::member;
using test::rechecked;

namespace {

std::vector<Certificate> certificates(const Network& network,
                                      const std::vector<std::string>& statements = {}) {
  CheckOptions options;
  options.statements = statements;
  const CheckResult result = check(network, options);
  Certifier certifier(network);
  std::vector<Certificate> all;
  for (const Decision& decision : result.decisions) all.push_back(certifier.certify(decision));
  return all;
}

Network generated(Index tokens, Index dim, std::size_t heads, std::size_t depth) {
  GenerateSpec spec;
  spec.tokens = tokens;
  spec.dim = dim;
  spec.heads = static_cast<decltype(spec.heads)>(heads);
  spec.depth = static_cast<decltype(spec.depth)>(depth);
  return generate(spec);
}

Network test_case(const std::string& name) {
  return read_network(std::filesystem::path(RANKFALL_CASES) / (name + ".json"));
}

/// Two heads in factors, whose scores oscillate by less than 1.256.
Network small_weights() {
  return parse_network(R"({"format":"rankfall-network/1","input":[[0.1,0.2],[0.3,-0.1],[-0.2,0.15]],
    "blocks":[{"kind":"attention","heads":[
      {"W_Q":[[0.5,0.1],[0,0.3]],"W_K":[[0.4,0],[0.1,0.2]],"W_V":[[0.7,0.2],[0.1,-0.4]]},
      {"W_Q":[[0.2,0],[0.1,0.6]],"W_K":[[0.3,0.1],[0,0.5]],"W_V":[[0.3,-0.2],[0.5,0.1]]}]}]})",
                       "test");
}

/// Two layers of one head on three tokens.
Network masked(const std::string& mask) {
  const std::string block = R"({"kind":"attention","mask":)" + mask + R"(,"heads":[{"W_Q":[[0.5,0.1],[0,0.3]],
      "W_K":[[0.4,0],[0.1,0.2]],"W_V":[[0.7,0.2],[0.1,-0.4]],"b_Q":[0.5,-0.25]}]})";
  return parse_network(R"({"format":"rankfall-network/1","input":[[0.5,0.25],[1,-0.5],[-0.75,0.125]],
    "blocks":[)" + block + "," +
                           block + "]}",
                       "test");
}

Network network_named(const std::string& name) {
  if (name == "causal") return masked("\"causal\"");
  if (name == "last-key-hidden") return masked("[[1,1,0],[1,1,0],[1,1,0]]");
  return test_case(name);
}

Json made(Json::Kind kind, const std::string& text) {
  Json result;
  result.kind = kind;
  result.text = text;
  return result;
}

/// Every value below, but for the outermost.
void collect(Json& value, std::vector<Json*>& all) {
  for (Json& item : value.items) {
    all.push_back(&item);
    collect(item, all);
  }
  for (auto& [key, item] : value.members) {
    all.push_back(&item);
    collect(item, all);
  }
}

/// Alters one value: a digit, a letter, a truth, an item or a key less or more, null for something.
void alter(Json& value, std::mt19937& random) {
  switch (value.kind) {
    case Json::Kind::null:
      value = made(Json::Kind::number, "0");
      return;
    case Json::Kind::boolean:
      value.truth = !value.truth;
      return;
    case Json::Kind::number:
    case Json::Kind::text: {
      if (value.text.empty()) {
        value.text = "x";
        return;
      }
      char& c = value.text[random() % value.text.size()];
      c = c == '7' ? '1' : c >= '0' && c <= '9' ? '7' : c == 'q' ? 'w' : 'q';
      return;
    }
    case Json::Kind::list:
      if (random() % 2 == 0 && !value.items.empty())
        value.items.erase(value.items.begin() + static_cast<long>(random() % value.items.size()));
      else
        value.items.push_back(made(Json::Kind::number, "1"));
      return;
    case Json::Kind::object:
      if (random() % 2 == 0 && !value.members.empty())
        value.members.erase(value.members.begin() + static_cast<long>(random() % value.members.size()));
      else
        value.members.emplace_back("added", made(Json::Kind::number, "1"));
  }
}

}  // namespace

TEST_SUITE("certificates") {
  TEST_CASE("every certificate of the cases is accepted, and no decision is without one or a reason") {
    std::map<std::string, std::size_t> verdicts, statements;
    for (const char* name :
         {"single-head-depth-6", "two-heads-bias", "scalar-growth", "constant-rows", "skip-half", "one-token",
          "mlp-relu", "key-padding", "causal", "last-key-hidden"})
      for (const Certificate& certificate : certificates(network_named(name))) {
        CAPTURE(name);
        CAPTURE(certificate.name);
        if (certificate.text.empty()) {
          CHECK_FALSE(certificate.reason.empty());
          continue;
        }
        const recheck::Outcome outcome = rechecked(certificate.text);
        CHECK_MESSAGE(outcome.accepted(), fmt::format("{}", fmt::join(outcome.faults, "; ")));
        const Json parsed = recheck::parse_json(certificate.text);
        ++verdicts[parsed.at("verdict").text];
        ++statements[parsed.at("statement").at("id").text];
      }
    CHECK(verdicts["proved"] > 100);
    CHECK(verdicts["refuted"] > 5);
    for (const char* id : {"composite-diameter",
                           "diameter",
                           "diameter-cubic",
                           "layer-cubic",
                           "layer-sharp",
                           "layer-cubic-sharp",
                           "small-logits",
                           "dong-2.2-v1",
                           "dong-2.2",
                           "dong-2.3-v1",
                           "dong-2.3",
                           "dong-2.3-repaired",
                           "dong-2.3-repaired-sharp",
                           "proof-step-printed",
                           "proof-step",
                           "perturbation",
                           "dobrushin",
                           "global-collapse",
                           "diameter-skip",
                           "leading-order",
                           "causal-geometric"})
      CHECK_MESSAGE(statements[id] > 0, id);
  }

  TEST_CASE("a 16 x 16 network of depth 12 takes less than a megabyte") {
    for (const std::size_t heads : {1U, 4U}) {
      const auto all = certificates(generated(16, 16, heads, 12), {"composite-diameter"});
      REQUIRE_FALSE(all.back().text.empty());
      CHECK(all.back().text.size() < 1'000'000);
      CHECK(rechecked(all.back().text).accepted());
    }
  }

  TEST_CASE("exponents of thousands of digits are carried along") {
    const Network network = test::scalar_model("1/2", "1/2", "1", 120);
    const auto all = certificates(network, {"dong-2.2-v1"});
    REQUIRE_FALSE(all.back().text.empty());
    CHECK(rechecked(all.back().text).accepted());
  }

  TEST_CASE("every built-in refutation has a certificate that is accepted") {
    std::map<std::string, std::size_t> numbers;
    for (const theory::Refutation& r : theory::refutations(Precision(128))) {
      const Certificate c = certificate(r, ++numbers[r.statement_id]);
      CAPTURE(c.name);
      REQUIRE_FALSE(c.text.empty());
      CHECK(c.text.size() < 1'000'000);
      const recheck::Outcome outcome = rechecked(c.text);
      CHECK_MESSAGE(outcome.accepted(), fmt::format("{}", fmt::join(outcome.faults, "; ")));
      CHECK(outcome.summary.find("not in the catalogue") == std::string::npos);
      CHECK_FALSE(accepted(altered(c.text, [](Json& j) { member(j, "verdict").text = "proved"; })));
    }
    CHECK(numbers.size() >= 10);
  }

  TEST_CASE("random alterations of one field are never accepted") {
    std::vector<std::string> texts;
    for (const char* name :
         {"single-head-depth-6", "two-heads-bias", "scalar-growth", "causal", "key-padding"}) {
      const auto all = certificates(network_named(name));
      for (std::size_t i = 0; i < all.size(); i += 17)
        if (!all[i].text.empty()) texts.push_back(all[i].text);
    }
    for (const theory::Refutation& r : theory::refutations("dong-2.2-v1", Precision(128)))
      if (texts.size() < 20) texts.push_back(certificate(r, 1).text);
    for (const char* id : {"leading-order", "dobrushin", "causal-geometric"})
      for (const char* name : {"scalar-growth", "causal", "last-key-hidden"})
        for (const Certificate& each : certificates(network_named(name), {id}))
          if (!each.text.empty()) texts.push_back(each.text);
    REQUIRE(texts.size() > 20);
    std::mt19937 random(20261130);
    for (int i = 0; i < 1000 * test::multiplier(); ++i) {
      const std::string& text = texts[random() % texts.size()];
      Json certificate = recheck::parse_json(text);
      std::vector<Json*> values;
      collect(certificate, values);
      Json& chosen = *values[random() % values.size()];
      CAPTURE(chosen.place);
      alter(chosen, random);
      const std::string other = recheck::canonical_text(certificate);
      REQUIRE(other != recheck::canonical_text(recheck::parse_json(text)));
      CHECK_FALSE(accepted(other));
    }
  }

  TEST_CASE("what was altered under a digest of its own is rejected by the arithmetic") {
    const auto all = certificates(small_weights(), {"dong-2.3-repaired"});
    const auto found =
        std::find_if(all.begin(), all.end(), [](const Certificate& c) { return !c.text.empty(); });
    REQUIRE(found != all.end());
    const std::string& text = found->text;
    CHECK(accepted(altered(text, [](Json&) {})));
    const auto rejected = [&](const char* what, const std::function<void(Json&)>& change) {
      CAPTURE(what);
      CHECK_FALSE(accepted(altered(text, change)));
    };
    const auto moved = [](Json& enclosure) {
      for (Json& end : enclosure.members.front().second.items) end.text = "12.5";
    };
    rejected("a weight", [](Json& j) {
      Json& head = member(member(j, "network"), "blocks").items[0];
      Json& entry = member(member(head, "heads").items[0], "W_Q").items[0].items[0];
      entry = made(Json::Kind::text, "17/16");
    });
    rejected("a token", [](Json& j) {
      member(member(j, "network"), "input").items[0].items[0] = made(Json::Kind::text, "5/3");
    });
    rejected("the verdict", [](Json& j) { member(j, "verdict").text = "refuted"; });
    rejected("the right side of the statement",
             [](Json& j) { member(member(j, "statement"), "right").text += "/8"; });
    rejected("the words of the statement",
             [](Json& j) { member(member(j, "statement"), "words").text += " Always."; });
    rejected("the bound of a hypothesis", [](Json& j) {
      member(member(member(j, "statement"), "hypotheses").items[0], "bound").text = "2";
    });
    rejected("whether a hypothesis holds",
             [](Json& j) { member(member(j, "hypotheses").items[0], "holds").truth = false; });
    rejected("the value of a hypothesis",
             [&](Json& j) { moved(member(member(j, "hypotheses").items[0], "value")); });
    rejected("the left side", [&](Json& j) { moved(member(j, "left")); });
    rejected("the right side", [&](Json& j) { moved(member(j, "right")); });
    rejected("a symbol", [&](Json& j) { moved(member(j, "symbols").members.front().second); });
    rejected("a residual",
             [&](Json& j) { moved(member(member(member(j, "states").items[0], "residual"), "median")); });
    rejected("a diameter",
             [&](Json& j) { moved(member(member(member(j, "states").items.back(), "diameter"), "2")); });
    rejected("a missing state", [](Json& j) { member(j, "states").items.pop_back(); });
    rejected("a number of equal tokens", [](Json& j) {
      Json counts = made(Json::Kind::list, "");
      for (std::size_t i = 0; i < member(member(j, "network"), "input").items.size(); ++i)
        counts.items.push_back(made(Json::Kind::number, i == 0 ? "2" : "1"));
      j.members.emplace_back("tokens", counts);
    });
  }

  TEST_CASE("a coefficient of mixing that is attained has a certificate of that and of no more") {
    // Two tokens: the only column is mixed by exactly tau(P), and by tanh(range/4) where q is even.
    const auto all = certificates(test::scalar_model("1/2", "1/2", "1", 1), {"dobrushin"});
    std::size_t attained = 0;
    for (const Certificate& c : all) {
      CAPTURE(c.name);
      REQUIRE_FALSE(c.text.empty());
      CHECK(accepted(c.text));
      Json json = recheck::parse_json(c.text);
      REQUIRE(member(json, "ratio").kind == Json::Kind::object);
      const auto& ends = member(json, "ratio").members.front().second.items;
      attained += std::stod(ends[0].text) > 1 - 1e-9 && std::stod(ends[1].text) < 1 + 1e-9;
      for (const char* verdict : {"proved", "refuted"})
        CHECK_FALSE(accepted(altered(c.text, [&](Json& j) { member(j, "verdict").text = verdict; })));
      CHECK_FALSE(accepted(altered(c.text, [&](Json& j) {
        auto& moved = member(j, "ratio").members.front().second.items;
        moved[0].text = "1.1";
        moved[1].text = "1.2";
      })));
      CHECK_FALSE(accepted(altered(c.text, [](Json& j) { member(j, "ratio") = Json(); })));
    }
    CHECK(attained == all.size());
  }

  TEST_CASE("a mask that was altered under a digest of its own is rejected by the arithmetic") {
    for (const char* name : {"causal", "last-key-hidden"}) {
      CAPTURE(name);
      std::size_t tried = 0;
      for (const Certificate& c :
           certificates(network_named(name), {"dobrushin", "diameter", "causal-geometric"})) {
        if (c.text.empty()) continue;
        CAPTURE(c.name);
        ++tried;
        CHECK_FALSE(accepted(altered(c.text, [](Json& j) {
          auto& block = member(member(j, "network"), "blocks").items[0].members;
          std::erase_if(block, [](const auto& key) { return key.first == "mask"; });
        })));
      }
      CHECK(tried > 0);
    }
  }

  TEST_CASE("outputs that are not orthogonal do not refute what is said of orthogonal ones") {
    const Certificate c = certificate(theory::refutations("dong-3.1-orthogonal", Precision(128)).front(), 1);
    CHECK(accepted(c.text));
    CHECK_FALSE(accepted(altered(c.text, [](Json& j) {  // -W: the residual falls far more
      Json& head = member(member(member(j, "network"), "blocks").items[0], "heads").items[0];
      for (auto& [key, value] : head.members)
        if (key == "W" || key == "W_V") value.items[0].items[0] = made(Json::Kind::number, "-0.5");
    })));
  }

  TEST_CASE("a statement of one's own is taken as it stands, and said to be") {
    const auto all = certificates(test::scalar_model("1/2", "1/2", "1", 2), {"dong-2.2-v1"});
    const std::string own =
        altered(all[0].text, [](Json& j) { member(member(j, "statement"), "id").text = "mine"; });
    const recheck::Outcome outcome = rechecked(own);
    CHECK(outcome.accepted());
    CHECK(outcome.summary.find("not in the catalogue") != std::string::npos);
  }

  TEST_CASE("a stranger's file is unreadable, with the place") {
    const auto message = [](const std::string& text) -> std::string {
      try {
        return rechecked(text).accepted() ? "accepted" : "rejected";
      } catch (const InputError& error) {
        return error.what();
      }
    };
    const auto mentions = [&](const std::string& text, const char* part) {
      const std::string said = message(text);
      CAPTURE(said);
      return said.find(part) != std::string::npos;
    };
    const std::string text = certificates(test::scalar_model("1/2", "1/2", "1", 2), {"dong-2.2-v1"})[0].text;
    CHECK(mentions("", "empty"));
    CHECK(mentions("{\"format\": 1}", "format: found a number"));
    CHECK(mentions("{\"format\": \"rankfall-certificate/1\"", "line 1, column"));
    CHECK(mentions("\xff\xfe", "UTF-8"));
    CHECK(mentions(std::string(100'000, '['), "levels"));
    CHECK(mentions("{\"format\": \"rankfall-network/1\"}", "expected rankfall-certificate/1"));
    CHECK(mentions("{\"a\": 1, \"a\": 2}", "stands twice"));
    CHECK(mentions(altered(text, [](Json& j) { member(j, "statement").members.pop_back(); }), "is missing"));
    CHECK(mentions(altered(text, [](Json& j) { j.members.erase(j.members.begin() + 3); }), "one of network"));
    const auto entry = [&](const char* number) {
      return altered(text, [number](Json& j) {
        member(member(j, "network"), "input").items[0].items[0] = made(Json::Kind::text, number);
      });
    };
    CHECK(mentions(entry("1e99999999"), "exponent"));
    CHECK(mentions(entry("1/0"), "denominator"));
    CHECK(mentions(entry("nan"), "network.input[0][0]"));
    const auto formula = [&](const std::string& right) {
      return altered(text, [&right](Json& j) { member(member(j, "statement"), "right").text = right; });
    };
    CHECK(mentions(formula(std::string(5000, '(')), "levels"));
    CHECK(mentions(formula("r0^^2"), "statement.right"));
    CHECK(mentions(formula("sum(i, 1, 10^9, r0)"), "terms"));
    CHECK(mentions(formula("weight*r0"), "weight"));
  }
}
