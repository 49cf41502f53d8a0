#include "verify/cli/run.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support.hpp"
#include "tests/verify/cli/program.hpp"

using namespace rankfall::test;

namespace {

constexpr char two_tokens[] =
    R"({"format":"rankfall-network/1","input":[[1],[-1]],"blocks":[{"kind":"attention","heads":[
       {"W_QK":[[0.1]],"d_qk":1,"W":[[1]]}]}]})";

struct Refusal {
  std::vector<std::string> words;
  std::string message;
};

/// Every call ends with exit code 64, one line on standard error and nothing on standard output.
void check_refused(const std::vector<Refusal>& refusals) {
  for (const auto& [words, message] : refusals) {
    const Outcome outcome = program(words, two_tokens);
    CAPTURE_BOUND(message);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 64);
    CHECK(outcome.out.empty());
    CHECK(mentions(outcome.err, message));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(outcome.err.size() < 2100);
  }
}

}  // namespace

TEST_CASE("calls that name no command, flag or id are refused with the nearest one") {
  check_refused(
      {{{}, "no command; try 'rankfall --help'"},
       {{"chek"}, "unknown command 'chek'; did you mean 'check'?"},
       {{"zzzzzzzzzzz"}, "'rankfall --help' lists the commands"},
       {{""}, "unknown command ''"},
       {{"--json", "check", "-"}, "stands before the command; write 'rankfall check --json'"},
       {{"check", "-", "--digit", "3"}, "unknown flag '--digit' of command check; did you mean '--digits'?"},
       {{"check", "-", "more"}, "unexpected word 'more' after command check"},
       {{"check"}, "NETWORK is required"},
       {{"explain", "DONG-2.2"}, "did you mean 'dong-2.2'?"},
       {{"explain", "dong-2.2,dong-2.3"}, "unknown statement 'dong-2.2,dong-2.3'"},
       {{"check", "-", "--statement", "dong"}, "'rankfall explain' lists all"},
       {{"check", "-", "--statement", "diameter,diameter"}, "'diameter' stands twice"},
       {{"check", "-", "--gamma", "one,"}, "an empty entry"}});
}

TEST_CASE("values of flags: what was found and what is allowed") {
  check_refused(
      {{{"check", "-", "--digits", "0"}, "found \"0\"; a whole number from 1 to 1000 is needed"},
       {{"table", "dong-2.2", "--evaluations", "5"}, "--evaluations belongs to extremal"},
       {{"table", "path-count", "--seed", "5"}, "--seed belongs to extremal"},
       {{"falsify", "dong-2.3", "--family", "two-heads", "--tokens", "3"},
        "--tokens does not go with --family"},
       {{"check", "-", "--digits", "1e9"}, "found \"1e9\"; a whole number from 1 to 1000"},
       {{"check", "-", "--digits", "0x10"}, "found \"0x10\"; a whole number"},
       {{"check", "-", "--digits", ""}, "found \"\"; a whole number"},
       {{"check", "-", "--digits", "99999999999999999999999"}, "a whole number from 1 to 1000"},
       {{"check", "-", "--max-bits", "31"}, "a whole number from 32 to 1000000"},
       {{"check", "-", "--engine", "Both"}, "did you mean 'both'?; allowed are residual, direct, both"},
       {{"check", "-", "--engine", "2"}, "allowed are residual, direct, both"},
       {{"check", "-", "--statement", ""}, "found \"\""},
       {{"check", "-", "--gamma", ""}, "found \"\""},
       {{"check", "-", "--gamma", "fixed:-1"}, "must be above 0"},
       {{"explain", "--format", "html"}, "allowed are text, latex, json"},
       {{"generate", "--tokens", "-1"}, "found \"-1\"; a whole number from 1 to"},
       {{"generate", "--seed", "-1"}, "a whole number from 0 to 18446744073709551615"},
       {{"generate", "--seed", "18446744073709551616"}, "a whole number from 0 to 18446744073709551615"},
       {{"generate", "--seed", ""}, "a whole number from 0"},
       {{"generate", "--beta", ""}, "found \"\""},
       {{"generate", "--beta", "1/0"}, "the denominator is zero"},
       {{"generate", "--beta", "1e1000000"}, "beta = 1e1000000 is not allowed"},
       {{"report", "--threads", "0"}, "a whole number from 1 to 1024"},
       {{"report", "--out", ""}, "found \"\"; it takes a directory"},
       {{"report", "--config", ""}, "found \"\"; it takes a file"},
       {{"audit", "--out", ""}, "found \"\"; it takes a file or a folder"}});
}

TEST_CASE("messages stay on one line and short, whatever a name holds") {
  check_refused(
      {{{"explain", "\x1b[31m\n"}, "'\\x1b[31m\\x0a'"}, {{std::string(100'000, 'x')}, "unknown command"}});
  const Outcome missing = program({"check", "no\nsuch" + std::string(10'000, 'y')});
  CHECK(missing.code == 65);
  CHECK(std::count(missing.err.begin(), missing.err.end(), '\n') == 1);
  CHECK(missing.err.size() < 2100);
}

TEST_CASE("zeros in front of a number mean nothing") {
  const std::vector<std::string> sizes = {"--dim", "2", "--depth", "1"};
  const auto generated = [&](std::vector<std::string> more) {
    more.insert(more.begin(), "generate");
    more.insert(more.end(), sizes.begin(), sizes.end());
    return program(more).out;
  };
  CHECK(generated({"--tokens", "010", "--seed", "011"}) == generated({"--tokens", "10", "--seed", "11"}));
  CHECK(generated({"--tokens", "10", "--seed", "11"}) != generated({"--tokens", "8", "--seed", "9"}));
}

TEST_CASE("behind -- every word is a name") {
  const Outcome missing = program({"check", "--", "--json"});
  CHECK(missing.code == 65);
  CHECK(mentions(missing.err, "--json: there is no such file"));
}

TEST_CASE("verdicts left open for lack of precision are said on standard error, with exit code 2") {
  const Outcome open = program({"check", "-", "--max-bits", "32", "--digits", "5"}, two_tokens);
  CHECK(open.code == 2);
  CHECK(mentions(open.err, "are open for lack of precision at 32 bits; raise --max-bits"));
  const Outcome decided = program({"check", "-"}, two_tokens);
  CHECK(decided.code == 0);
  CHECK(decided.err.empty());
}
