#include "verify/grid.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "numerics/errors.hpp"
#include "tests/support.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

std::string message_of(const std::string& text) {
  try {
    cell_count(parse_grid(text, "grid.toml"));
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

struct Refusal {
  std::string text, message;
};

void check_refused(const std::vector<Refusal>& refusals) {
  for (const auto& [text, message] : refusals) {
    CAPTURE_BOUND(text);
    CHECK(message_of(text) == "grid.toml: line 1: " + message);
  }
}

}  // namespace

TEST_CASE("grid: axes of integers, as values, lists and ranges") {
  const Grid grid = parse_grid(
      "depth = \"2:10:4\"\ntokens = [3, \"5:6\"]\nheads = 1_0\nseeds = \"7:9\"\n"
      "dim = \"12\"\n",
      "grid.toml");
  CHECK(grid.depth == std::vector<long>{2, 6, 10});
  CHECK(grid.tokens == std::vector<long>{3, 5, 6});
  CHECK(grid.heads == std::vector<long>{10});
  CHECK(grid.dim == std::vector<long>{12});
  CHECK(grid.seeds == std::vector<std::uint64_t>{7, 8, 9});
  CHECK(parse_grid("seeds = 2", "grid.toml").seeds == std::vector<std::uint64_t>{1, 2});
  CHECK(parse_grid("seeds = [0]", "grid.toml").seeds == std::vector<std::uint64_t>{0});
}

TEST_CASE("grid: values that no axis has") {
  const std::string range =
      " is not a range \"first:last\" or \"first:last:step\" with 1 <= first <= last <= 1000000000 "
      "and step >= 1";
  check_refused(
      {{"depth = 0", "depth: 0 is not a whole number from 1 to 1000000000"},
       {"depth = 1.5", "depth: 1.5 is not a whole number from 1 to 1000000000"},
       {"depth = \"3:1\"", "depth: \"3:1\"" + range},
       {"depth = \"1:10:0\"", "depth: \"1:10:0\"" + range},
       {"depth = \"1:\"", "depth: \"1:\"" + range},
       {"depth = \"0:2\"", "depth: \"0:2\"" + range},
       {"depth = \"1 : 3\"", "depth: \"1 : 3\"" + range},
       {"depth = \"1:2:3:4\"", "depth: \"1:2:3:4\"" + range},
       {"depth = \"1:99999999999999999999\"", "depth: \"1:99999999999999999999\"" + range},
       {"depth = []", "depth: the list is empty"},
       {"depth = true", "depth: a number or a string with a number is expected"},
       {"tokens = [4, \"2:5\"]", "tokens: a value stands twice; its networks would be counted twice"},
       {"seeds = 0", "seeds: 0 is not a whole number from 1 to 100000"},
       {"seeds = [3, 3]", "seeds: a value stands twice; its networks would be counted twice"},
       {"digits = 1001", "digits: 1001 is not a whole number from 1 to 1000"},
       {"digits = [1, 2]", "digits: a number or a string with a number is expected"},
       {"precision = 128", "precision: a table {start = BITS, limit = BITS} is expected"},
       {"precision = {begin = 1}", "unknown key 'begin'; allowed are start, limit"},
       {"precision = {strat = 128}", "unknown key 'strat'; did you mean 'start'?"},
       {"precision = {limit = 1000001}", "precision.limit: 1000001 is not a whole number from 32 to 1000000"},
       {"precision = {start = 256, limit = 128}", "precision: start = 256 is above limit = 128"}});
}

TEST_CASE("grid: laws, betas, gammas and statements that do not exist are named with their line") {
  check_refused(
      {{"law = \"foo\"",
        "unknown weight law \"foo\"; allowed: gaussian, uniform, orthogonal, sparse, low-rank, "
        "one-hot-seeking"},
       {"input_law = \"foo\"",
        "unknown input law \"foo\"; allowed: gaussian, sphere, clustered, near-collapsed, large-shift"},
       {"blocks = [\"pure\", \"layernrom\"]",
        "unknown word \"layernrom\" for blocks (did you mean layernorm?); allowed: pure, or skip, "
        "skip=NUMBER, mlp and layernorm joined by +"},
       {"blocks = [\"skip=0.5\", \"skip=1/2\"]",
        "blocks: a value stands twice; its networks would be counted twice"},
       {"beta = 0", "beta = 0 is not allowed; it must be positive, from 1e-10000 to 1e10000"},
       {"beta = [\"0.5\", \"1/2\"]", "beta: a value stands twice; its networks would be counted twice"},
       {"gamma = [\"one\", \"one\"]", "gamma: a value stands twice; its networks would be counted twice"},
       {"statements = \"dong-2.2.\"", "unknown statement 'dong-2.2.': did you mean 'dong-2.2'?"},
       {"block = 1", "unknown key 'block'; did you mean 'blocks'?"},
       {"dept = 1", "unknown key 'dept'; did you mean 'depth'?"}});
}

TEST_CASE("grid: blocks vary slowest, and their network is generated as they say") {
  const Grid grid = parse_grid(
      "depth = 2\ntokens = 3\ndim = 4\nblocks = [\"pure\", \"mlp+skip=1/2\", \"layernorm\"]\nseeds = 2\n",
      "grid.toml");
  CHECK(cell_count(grid) == 6);
  CHECK(cell(grid, 1).spec.blocks == "pure");
  CHECK(cell(grid, 2).spec.blocks == "skip=0.5+mlp");
  CHECK(cell(grid, 2).spec.seed == 1);
  CHECK(cell(grid, 5).spec.blocks == "layernorm");
}
