#include "numerics/san/generate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/random.hpp"
#include "tests/numerics/san/exact_beta.hpp"

using namespace rankfall;

namespace {

const AttentionBlock& attention(const Network& network, std::size_t block) {
  return std::get<AttentionBlock>(network.blocks[block]);
}

std::uint64_t bits(const ExactMatrix& a, Index row, Index col) {
  return std::bit_cast<std::uint64_t>(exact_double(a(row, col)).value());
}

bool same_head(const Head& a, const Head& b) {
  return a.d_qk == b.d_qk && a.W_Q == b.W_Q && a.W_K == b.W_K && a.W_V == b.W_V && a.W_O == b.W_O;
}

bool same_block(const AttentionBlock& a, const AttentionBlock& b) {
  return std::equal(a.heads.begin(), a.heads.end(), b.heads.begin(), b.heads.end(), same_head);
}

/// The matrices of all heads.
std::vector<ExactMatrix> weights(const Network& network) {
  std::vector<ExactMatrix> result;
  for (std::size_t block = 0; block < network.blocks.size(); ++block)
    for (const Head& head : attention(network, block).heads)
      result.insert(result.end(), {head.W_Q, head.W_K, head.W_V, head.W_O});
  return result;
}

/// The message with which generate refuses the default specification after `change`.
template <class Change>
std::string refusal(Change change) {
  GenerateSpec spec;
  change(spec);
  try {
    generate(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("the default network has the shapes, and nothing but weights") {
  const Network network = generate({});
  validate(network);
  CHECK(network.tokens() == 16);
  CHECK(network.dim() == 16);
  CHECK(network.depth() == 12);
  CHECK(network.blocks.size() == 12);
  for (std::size_t block = 0; block < 12; ++block) {
    CHECK(attention(network, block).skip == 0);
    CHECK(attention(network, block).b_O.empty());
    REQUIRE(attention(network, block).heads.size() == 1);
    const Head& head = attention(network, block).heads[0];
    CHECK_FALSE(head.fused);
    CHECK(head.d_qk == 16);
    CHECK((head.b_Q.empty() && head.b_K.empty() && head.b_V.empty()));
  }
}

TEST_CASE("d_qk is dim / heads unless given, and d_v follows it") {
  GenerateSpec spec;
  spec.dim = 6, spec.heads = 3, spec.depth = 2, spec.tokens = 5;
  CHECK(attention(generate(spec), 1).heads[2].W_Q.cols() == 2);
  spec.heads = 4, spec.d_qk = 7;
  const Network network = generate(spec);
  validate(network);
  const Head& head = attention(network, 0).heads[3];
  CHECK(head.d_qk == 7);
  CHECK((head.W_V.rows() == 6 && head.W_V.cols() == 7 && head.W_O.rows() == 7 && head.W_O.cols() == 6));
}

TEST_CASE("weights and input have the bits of an independent program") {
  const Network network = generate({});
  CHECK(bits(network.input, 2, 5) == 0x3fdf3a89264d44e0);
  const Head& first = attention(network, 0).heads[0];
  CHECK(bits(first.W_Q, 0, 0) == 0x3fc1d4e6cb3c24d8);
  CHECK(bits(first.W_Q, 3, 7) == 0xbfc6013b66212fe0);
  CHECK(bits(first.W_K, 15, 15) == 0xbfd3573f3b6dc999);
  CHECK(bits(first.W_V, 8, 1) == 0xbfc0488c143ac54c);
  CHECK(bits(first.W_O, 0, 2) == 0x3faff00b507bec32);
  CHECK(bits(attention(network, 11).heads[0].W_O, 15, 15) == 0x3fe0088526c01837);

  GenerateSpec spec;
  spec.dim = 8, spec.heads = 2, spec.depth = 3, spec.beta = Rational(1, 10);
  const Network scaled_network = generate(spec);
  const Head& scaled = attention(scaled_network, 2).heads[1];
  CHECK(bits(scaled.W_Q, 0, 0) == 0xbf9634ea834c4367);
  CHECK(bits(scaled.W_Q, 7, 3) == 0xbfa6b4893a448bd9);
  CHECK(bits(scaled.W_V, 0, 0) == 0x3fa101c2f94c87ca);
  CHECK(bits(scaled.W_V, 7, 3) == 0x3face52967cf6e1c);
  CHECK(bits(scaled.W_K, 7, 3) == 0xbfce15cd43810f18);
  CHECK(bits(scaled.W_O, 3, 7) == 0xbfd48eb3fcce6b35);

  GenerateSpec uniform;
  uniform.dim = 4, uniform.depth = 1, uniform.law = "uniform";
  CHECK(bits(weights(generate(uniform))[2], 1, 1) == 0xbfe6cab70b963c24);
}

TEST_CASE("any entry can be drawn alone") {
  GenerateSpec spec;
  spec.tokens = 3, spec.dim = 6, spec.heads = 2, spec.depth = 2, spec.seed = 77;
  const Network network = generate(spec);
  CHECK(exact_double(network.input(2, 4)) == Stream(77, 0, 0, 0).normal(2 * 6 + 4));
  // Block 2, head 1: its matrices are numbers 4 to 7; W_K is the second and has d_qk = 3 columns.
  CHECK(exact_double(attention(network, 1).heads[1].W_K(5, 2)) ==
        Stream(77, 0, 2, 5).normal(5 * 3 + 2) / std::sqrt(6.0));
}

TEST_CASE("a shallower network is the beginning of a deeper one") {
  for (const bool with_beta : {false, true}) {
    GenerateSpec spec;
    spec.tokens = 4, spec.dim = 6, spec.heads = 2, spec.depth = 5;
    if (with_beta) spec.beta = Rational(1, 2);
    const Network deep = generate(spec);
    for (Index depth = 1; depth < 5; ++depth) {
      spec.depth = depth;
      const Network shallow = generate(spec);
      CHECK(shallow.input == deep.input);
      REQUIRE(shallow.blocks.size() == static_cast<std::size_t>(depth));
      for (std::size_t block = 0; block < shallow.blocks.size(); ++block)
        CHECK(same_block(attention(shallow, block), attention(deep, block)));
    }
  }
}

TEST_CASE("seeds, blocks and heads differ; fewer heads are the first heads") {
  GenerateSpec spec;
  spec.dim = 4, spec.d_qk = 4, spec.heads = 2, spec.depth = 2;
  const Network one = generate(spec);
  spec.seed = 2;
  const Network two = generate(spec);
  CHECK_FALSE(one.input == two.input);
  CHECK_FALSE(same_block(attention(one, 0), attention(two, 0)));
  const auto all = weights(one);
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) CHECK_FALSE(all[a] == all[b]);
  spec.seed = 1, spec.heads = 1;
  const Network narrow = generate(spec);
  CHECK(same_head(attention(narrow, 1).heads[0], attention(one, 1).heads[0]));
}

TEST_CASE("every head of a network meets its beta, by exact rationals") {
  struct Case {
    const char* beta;
    Index dim, heads, d_qk;
    const char* law;
  };
  const Case cases[] = {
      {"1", 16, 1, 0, "gaussian"}, {"0.1", 12, 4, 0, "gaussian"},    {"10", 8, 8, 0, "gaussian"},
      {"1/3", 5, 3, 2, "uniform"}, {"1e-300", 6, 2, 0, "gaussian"},  {"1e300", 6, 2, 0, "uniform"},
      {"7", 1, 2, 1, "gaussian"},  {"1e-3000", 4, 2, 0, "gaussian"}, {"2.5", 40, 1, 3, "gaussian"}};
  for (const Case& c : cases) {
    CAPTURE(c.beta);
    GenerateSpec spec;
    spec.tokens = 3, spec.dim = c.dim, spec.heads = c.heads, spec.d_qk = c.d_qk, spec.depth = 2;
    spec.law = c.law, spec.beta = parse_number(c.beta);
    const Network network = generate(spec);
    validate(network);
    for (std::size_t block = 0; block < 2; ++block)
      for (const Head& head : attention(network, block).heads) CHECK(test::meets(head, *spec.beta));
    for (const ExactMatrix& matrix : weights(network)) CHECK(test::longest_entry(matrix) <= 53);
    spec.beta.reset();
    CHECK(generate(spec).input == network.input);  // only weights are scaled
  }
}

TEST_CASE("unscaled laws have variance 1/dim") {
  for (const char* law : {"gaussian", "uniform"}) {
    CAPTURE(law);
    GenerateSpec spec;
    spec.dim = 64, spec.depth = 2, spec.law = law;
    double sum = 0, squares = 0, largest = 0, count = 0;
    for (const ExactMatrix& matrix : weights(generate(spec))) {
      for (Index i = 0; i < 64; ++i) {
        for (Index j = 0; j < 64; ++j) {
          const double entry = 8 * exact_double(matrix(i, j)).value();
          sum += entry;
          squares += entry * entry;
          largest = std::max(largest, std::fabs(entry));
          ++count;
        }
      }
    }
    CHECK(std::fabs(sum) < 5 * std::sqrt(count));
    CHECK(std::fabs(squares - count) < 5 * std::sqrt(2 * count));  // var x^2 is 2, less for the uniform law
    if (spec.law == "uniform") {
      CHECK((largest > 1.73 && largest <= 1.7320508075688774));
    } else {
      CHECK(largest > 3.5);
    }
  }
}

TEST_CASE("wrong specifications are refused with what is allowed") {
  using Spec = GenerateSpec;
  CHECK(refusal([](Spec& s) { s.tokens = 0; }) == "tokens = 0 is not allowed; it must be at least 1");
  CHECK(refusal([](Spec& s) { s.dim = -4; }) == "dim = -4 is not allowed; it must be at least 1");
  CHECK(refusal([](Spec& s) { s.heads = 0; }) == "heads = 0 is not allowed; it must be at least 1");
  CHECK(refusal([](Spec& s) { s.depth = 0; }) == "depth = 0 is not allowed; it must be at least 1");
  CHECK(refusal([](Spec& s) { s.d_qk = -1; }) ==
        "d_qk = -1 is not allowed; it must be at least 1, or 0 for dim / heads");
  CHECK(refusal([](Spec& s) { s.heads = 3; }) ==
        "dim = 16 is not divisible by heads = 3; give d_qk or a multiple");
  CHECK(refusal([](Spec& s) { s.law = "gausian"; }) ==
        "unknown weight law \"gausian\" (did you mean gaussian?); allowed: gaussian, uniform, orthogonal, "
        "sparse, low-rank, one-hot-seeking");
  CHECK(refusal([](Spec& s) { s.input_law = "zzzzzz"; }) ==
        "unknown input law \"zzzzzz\"; allowed: gaussian, sphere, clustered, near-collapsed, large-shift");
  CHECK(refusal([](Spec& s) { s.beta = Rational(0); }) ==
        "beta = 0 is not allowed; it must be positive, from 1e-10000 to 1e10000");
}

TEST_CASE("sizes beyond memory are refused before anything is drawn") {
  using Spec = GenerateSpec;
  constexpr Index huge = std::numeric_limits<Index>::max();
  const std::string expected = "bytes; at most 2147483648 are allowed";
  const auto ends_as_expected = [&](const std::string& message) {
    INFO(message);
    CHECK(message.ends_with(expected));
  };
  ends_as_expected(refusal([](Spec& s) { s.dim = huge; }));
  ends_as_expected(refusal([](Spec& s) { s.tokens = huge; }));
  ends_as_expected(refusal([](Spec& s) { s.depth = huge; }));
  ends_as_expected(refusal([](Spec& s) { s.heads = huge, s.d_qk = huge; }));
  ends_as_expected(refusal([](Spec& s) { s.dim = 1, s.depth = 60'000'000; }));  // few weights, many heads
  ends_as_expected(refusal([](Spec& s) {                                        // two thousand bytes a weight
    s.depth = 100'000, s.beta = power(Rational(10), -10'000);
  }));
}
