#include "verify/memory.hpp"

#include <doctest/doctest.h>

#include "numerics/errors.hpp"
#include "tests/verify/networks.hpp"
#include "verify/check.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

/// The scalar model on many tokens, in a file of a few bytes.
Network many_tokens(long tokens) {
  return parse_network(
      fmt::format(
          R"({{"format":"rankfall-network/1","input":{{"shape":[{},1],"entries":[]}},"blocks":[{}]}})",
          tokens, R"({"kind":"attention","heads":[{"W_QK":[[1]],"d_qk":1,"W":[[1]]}]})"),
      "many tokens");
}

}  // namespace

TEST_CASE("what a network takes grows with the square of the tokens and with the precision") {
  const Precision p(128);
  const auto bytes = [&](long tokens) { return working_bytes(many_tokens(tokens), p); };
  CHECK(bytes(2000) > Integer(2000) * 2000 * sizeof(Ball));
  CHECK(bytes(2000) > 3 * bytes(1000));
  CHECK(working_bytes(many_tokens(100), Precision(4096)) > 5 * working_bytes(many_tokens(100), p));
}

TEST_CASE("a network beyond the memory is refused before any work, with both sizes") {
  CHECK(available_bytes() > 0);
  CHECK_NOTHROW(require_memory(many_tokens(2), Precision(128)));
  const Network network = many_tokens(10'000'000);
  CHECK_THROWS_WITH_AS(require_memory(network, Precision(128)), doctest::Contains("GiB are available"),
                       InputError);
  CHECK_THROWS_WITH_AS(check(network, {}), doctest::Contains("10000000 tokens of width 1"), InputError);
}

TEST_CASE("checks that run at a time share the memory") {
  const Network network = many_tokens(1000);
  const Precision p(128);
  const Integer shares = available_bytes() / working_bytes(network, p) + 1;
  CHECK(fits_memory(network, p));
  CHECK_FALSE(fits_memory(network, p, shares.convert_to<unsigned>()));
}
