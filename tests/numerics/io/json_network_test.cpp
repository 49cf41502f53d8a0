#include "numerics/io/json_network.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <random>

#include "tests/support.hpp"

using namespace rankfall;

namespace {

Rational ratio(long top, long bottom) {
  return Rational(Integer(top), Integer(bottom));
}

Network with_input(std::string_view matrix) {
  return parse_network(
      fmt::format(R"({{"format": "rankfall-network/1", "input": {}, "blocks": []}})", matrix), "test");
}

const AttentionBlock& attention(const Network& network, std::size_t block) {
  return std::get<AttentionBlock>(network.blocks.at(block));
}

void check_equal(const Head& a, const Head& b) {
  CHECK(a.fused == b.fused);
  CHECK(a.d_qk == b.d_qk);
  for (const auto part : {&Head::W_Q, &Head::W_K, &Head::W_V, &Head::W_O, &Head::b_Q, &Head::b_K, &Head::b_V,
                          &Head::W_QK, &Head::W, &Head::relative_keys, &Head::b_R, &Head::score_bias})
    CHECK(a.*part == b.*part);
}

void check_equal(const Normalisation& a, const Normalisation& b) {
  CHECK(a.of == b.of);
  CHECK(a.epsilon == b.epsilon);
  CHECK(a.scale == b.scale);
  CHECK(a.shift == b.shift);
}

void check_equal(const std::optional<Normalisation>& a, const std::optional<Normalisation>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (a) check_equal(*a, *b);
}

void check_equal(const AttentionBlock& a, const AttentionBlock& b) {
  CHECK(a.mask == b.mask);
  check_equal(a.pre_norm, b.pre_norm);
  CHECK(a.skip == b.skip);
  CHECK(a.b_O == b.b_O);
  REQUIRE(a.heads.size() == b.heads.size());
  for (std::size_t h = 0; h < a.heads.size(); ++h) check_equal(a.heads[h], b.heads[h]);
}

void check_equal(const MlpBlock& a, const MlpBlock& b) {
  check_equal(a.pre_norm, b.pre_norm);
  CHECK(a.skip == b.skip);
  CHECK(a.activation == b.activation);
  REQUIRE(a.layers.size() == b.layers.size());
  for (std::size_t l = 0; l < a.layers.size(); ++l) {
    CHECK(a.layers[l].W == b.layers[l].W);
    CHECK(a.layers[l].b == b.layers[l].b);
  }
}

void check_equal(const Network& a, const Network& b) {
  CHECK(a.input == b.input);
  REQUIRE(a.blocks.size() == b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    REQUIRE(a.blocks[i].index() == b.blocks[i].index());
    if (const auto* block = std::get_if<AttentionBlock>(&a.blocks[i]))
      check_equal(*block, std::get<AttentionBlock>(b.blocks[i]));
    else if (const auto* mlp = std::get_if<MlpBlock>(&a.blocks[i]))
      check_equal(*mlp, std::get<MlpBlock>(b.blocks[i]));
    else
      check_equal(std::get<Normalisation>(a.blocks[i]), std::get<Normalisation>(b.blocks[i]));
  }
}

/// Writing and reading gives the network back, and the text is a fixed point.
void check_round_trip(const Network& network) {
  const std::string text = write_network(network);
  const Network again = parse_network(text, "written");
  check_equal(network, again);
  CHECK(write_network(again) == text);
}

}  // namespace

TEST_CASE("every case is read and survives writing") {
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RANKFALL_CASES)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".expected.json") || !name.ends_with(".json")) continue;
    CAPTURE(name);
    check_round_trip(read_network(entry.path()));
    ++cases;
  }
  CHECK(cases >= 8);
}

TEST_CASE("the parts of a case stand where they belong") {
  const Network network = read_network(RANKFALL_CASES "/skip-half.json");
  CHECK(network.depth() == 4);
  CHECK(network.input(0, 0) == ratio(874495, 1000000));
  const AttentionBlock& block = attention(network, 0);
  CHECK(block.skip == ratio(1, 2));
  CHECK(block.b_O(0, 1) == ratio(437964, 1000000));
  CHECK(block.heads.at(1).W_Q(0, 0) == ratio(-836713, 1000000));
  CHECK(block.heads.at(1).b_Q(0, 1) == ratio(68803, 1000000));
  CHECK(block.heads.at(0).d_qk == 2);
  CHECK_FALSE(block.heads.at(0).fused);

  const Network scalar = read_network(RANKFALL_CASES "/scalar-growth.json");
  const Head& head = attention(scalar, 5).heads.at(0);
  CHECK(head.fused);
  CHECK(head.d_qk == 1);
  CHECK(head.W_QK(0, 0) == ratio(1, 100));
  CHECK(head.W(0, 0) == 10);
  CHECK(scalar.input(1, 0) == -4);

  const Network mlp = read_network(RANKFALL_CASES "/mlp-relu.json");
  CHECK(mlp.depth() == 3);
  const auto& layers = std::get<MlpBlock>(mlp.blocks.at(1));
  CHECK(layers.activation == Activation::relu);
  CHECK(layers.layers.at(0).b(0, 0) == ratio(-106255, 1000000));
}

TEST_CASE("numbers are exactly what is written") {
  const Network network =
      with_input(R"([[0.1, "1/3", -0, 1e-3, "0x1.8p-3", 18446744073709551615, -9223372036854775808],
    [123456789012345678901234567890, 1.7976931348623157e308, 5e-324, "1e-400", "-1e400", 0.0e-999, 12.500],
    [1E2, 1e+2, "012", "7", 0.3333333333333333333333333333333333, "-2.5E-1", "10/020"]])");
  const ExactMatrix& input = network.input;
  CHECK(input(0, 0) == ratio(1, 10));
  CHECK(input(0, 1) == ratio(1, 3));
  CHECK(input(0, 2) == 0);
  CHECK(input(0, 3) == ratio(1, 1000));
  CHECK(input(0, 4) == ratio(3, 16));
  CHECK(input(0, 5) == Rational(power(Integer(2), 64) - 1));
  CHECK(input(0, 6) == -power(Rational(2), 63));
  CHECK(input(1, 0) == Rational(Integer("123456789012345678901234567890")));
  CHECK(input(1, 1) == 17976931348623157 * power(Rational(10), 292));
  CHECK(input(1, 2) == 5 * power(Rational(10), -324));
  CHECK(input(1, 3) == power(Rational(10), -400));
  CHECK(input(1, 4) == -power(Rational(10), 400));
  CHECK(input(1, 5) == 0);
  CHECK(input(1, 6) == ratio(25, 2));
  CHECK(input(2, 0) == 100);
  CHECK(input(2, 1) == 100);
  CHECK(input(2, 2) == 12);
  CHECK(input(2, 3) == 7);
  CHECK(input(2, 4) == Rational(Integer("3333333333333333333333333333333333")) * power(Rational(10), -34));
  CHECK(input(2, 5) == ratio(-1, 4));
  CHECK(input(2, 6) == ratio(1, 2));
  check_round_trip(network);
}

TEST_CASE("the three forms of a matrix agree") {
  const ExactMatrix rows = with_input(R"([[1, 0, 0], [0, "1/3", 0], [0, 0, -2]])").input;
  CHECK(with_input(R"({"diag": [1, "1/3", -2]})").input == rows);
  CHECK(with_input(R"({"shape": [3, 3], "entries": [[2, 2, -2], [0, 0, 1], [1, 1, "1/3"]]})").input == rows);
  CHECK(
      with_input(R"({"entries": [[1, 1, "2/6"], [0, 0, 1.0], [2, 2, "-2"], [0, 1, 0]], "shape": ["3", 3.0]})")
          .input == rows);
  CHECK(with_input(R"({"shape": [2, 3], "entries": []})").input == ExactMatrix(2, 3));
  const ExactMatrix corner = with_input(R"({"shape": [2, 3], "entries": [[1, 2, 0.5]]})").input;
  CHECK(corner == ExactMatrix::from(2, 3, std::vector<double>{0, 0, 0, 0, 0, 0.5}));
}

TEST_CASE("keys come in any order") {
  const Network network = parse_network(R"({"blocks": [
      {"b_O": [1], "heads": [{"W": [[2], [3]], "d_qk": "4", "W_QK": {"diag": [1, 2]}},
                             {"b_V": [1], "b_K": [5], "W_V": [[1], [2]], "W_K": [[3], [4]], "W_Q": [[5], [6]]}],
       "kind": "attention"},
      {"layers": [{"b": [7], "W": [[8]]}], "activation": "gelu_tanh", "skip": -1, "kind": "mlp"}],
    "comment": "any text", "input": [[1, 2]], "format": "rankfall-network/1"})",
                                        "test");
  const AttentionBlock& block = attention(network, 0);
  CHECK(block.heads.at(0).d_qk == 4);
  CHECK(block.heads.at(0).W(1, 0) == 3);
  CHECK(block.heads.at(1).d_qk == 1);
  CHECK(block.heads.at(1).b_K(0, 0) == 5);
  CHECK(block.heads.at(1).W_O.empty());
  CHECK(block.heads.at(1).b_Q.empty());
  CHECK(block.skip == 0);
  const auto& mlp = std::get<MlpBlock>(network.blocks.at(1));
  CHECK(mlp.skip == -1);
  CHECK(mlp.activation == Activation::gelu_tanh);
  CHECK(mlp.layers.at(0).b(0, 0) == 7);
  check_round_trip(network);
}

TEST_CASE("one head leaves nothing behind for the next") {
  const Network network = parse_network(R"({"format": "rankfall-network/1", "input": [[1]], "blocks": [
      {"kind": "attention", "skip": 2, "b_O": [3], "heads": [
        {"W_Q": [[1]], "W_K": [[1]], "W_V": [[1]], "W_O": [[1]], "b_Q": [1], "b_K": [1], "b_V": [1]},
        {"W_QK": [[1]], "d_qk": 3, "W": [[1]]},
        {"W_Q": [[1]], "W_K": [[1]], "W_V": [[1]]}]},
      {"kind": "mlp", "skip": 2, "activation": "relu", "layers": [{"W": [[1]], "b": [1]}, {"W": [[2]]}]},
      {"kind": "attention", "heads": [{"W_QK": [[1]], "d_qk": 3, "W": [[1]]}]},
      {"kind": "mlp", "activation": "tanh", "layers": [{"W": [[4]]}]}]})",
                                        "test");
  const Head& last = attention(network, 0).heads.at(2);
  CHECK_FALSE(last.fused);
  CHECK(last.d_qk == 1);
  CHECK((last.W_O.empty() && last.b_Q.empty() && last.b_K.empty() && last.b_V.empty() && last.W_QK.empty()));
  CHECK(attention(network, 2).skip == 0);
  CHECK(attention(network, 2).b_O.empty());
  CHECK(attention(network, 2).heads.size() == 1);
  CHECK(std::get<MlpBlock>(network.blocks.at(1)).layers.at(1).b.empty());
  CHECK(std::get<MlpBlock>(network.blocks.at(3)).layers.size() == 1);
  CHECK(std::get<MlpBlock>(network.blocks.at(3)).skip == 0);
  check_round_trip(network);
}

TEST_CASE("the canonical text") {
  Network network = with_input(R"([[0.1, "1/3", 1e20], [1e-7, "1e400", 123456789012345]])");
  AttentionBlock block;
  Head head;
  head.fused = true;
  head.W_QK = ExactMatrix::identity(3);
  head.d_qk = 2;
  head.W = ExactMatrix::from(3, 1, std::vector<double>{0.1, 0.5, -0x1.23456789abcdfp-1000});
  block.heads = {head};
  block.b_O = ExactMatrix::from(1, 1, {ratio(1234567890123456, 1)});
  block.skip = ratio(-1, 2);
  MlpBlock mlp;
  mlp.activation = Activation::silu;
  mlp.layers = {{ExactMatrix::identity(1), ExactMatrix(1, 1)}};
  network.blocks = {block, mlp};
  CHECK(write_network(network) == R"({
  "format": "rankfall-network/1",
  "input": [
    [0.1, "1/3", 100000000000000000000],
    [0.0000001, "1e400", 123456789012345]
  ],
  "blocks": [
    {
      "kind": "attention",
      "skip": -0.5,
      "heads": [
        {
          "W_QK": [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1]
          ],
          "d_qk": 2,
          "W": [
            ["0xccccccccccccdp-55"],
            [0.5],
            ["-0x123456789abcdfp-1052"]
          ]
        }
      ],
      "b_O": ["0x118b54f22aebp6"]
    },
    {
      "kind": "mlp",
      "activation": "silu",
      "layers": [
        {
          "W": [
            [1]
          ],
          "b": [0]
        }
      ]
    }
  ]
}
)");
}

TEST_CASE("whole layers survive writing, in canonical text") {
  Network network = with_input("[[1, 2], [3, 5]]");
  AttentionBlock block;
  block.skip = 1;
  block.mask = Mask::listed(2, {true, false, true, true});
  block.pre_norm = Normalisation{
      Normalisation::Of::token, ratio(1, 100000), {}, ExactMatrix::from(1, 2, std::vector<double>{0.5, 0})};
  Head head;
  head.W_Q = head.W_K = head.W_V = ExactMatrix::identity(2);
  head.d_qk = 2;
  head.relative_keys = ExactMatrix(3, 2);
  head.b_R = ExactMatrix(1, 2);
  head.score_bias = ExactMatrix::from(2, 2, std::vector<double>{0, -1, -1, 0});
  block.heads = {head};
  AttentionBlock causal = block;
  causal.mask = Mask::causal();
  MlpBlock mlp;
  mlp.layers = {{ExactMatrix::identity(2), {}}};
  mlp.pre_norm = Normalisation{Normalisation::Of::column};
  network.blocks = {
      block, causal, mlp,
      Normalisation{Normalisation::Of::column, 2, ExactMatrix::from(1, 2, std::vector<double>{1, 3}), {}}};
  check_round_trip(network);
  const std::string text = write_network(network);
  CHECK(text.find(R"("skip": 1,
      "mask": [
        [1, 0],
        [1, 1]
      ],
      "pre_norm": {
        "of": "token",
        "epsilon": 0.00001,
        "shift": [0.5, 0]
      },
      "heads": [)") != std::string::npos);
  CHECK(text.find(R"(          "relative_keys": [
            [0, 0],
            [0, 0],
            [0, 0]
          ],
          "b_R": [0, 0],
          "score_bias": [
            [0, -1],
            [-1, 0]
          ])") != std::string::npos);
  CHECK(text.ends_with(R"(    {
      "kind": "norm",
      "of": "column",
      "epsilon": 2,
      "scale": [1, 3]
    }
  ]
}
)"));
}

TEST_CASE("random numbers survive writing exactly") {
  std::mt19937_64 random(7);
  std::vector<Rational> entries;
  for (int i = 0; i < 2000 * test::multiplier(); ++i) {
    const auto top = static_cast<long>(random() >> (1 + random() % 62));
    const Rational signed_top = random() % 2 == 0 ? top : -top;
    const auto form = random() % 3;
    if (form == 0)
      entries.push_back(signed_top * power(Rational(10), static_cast<long>(random() % 700) - 350));
    if (form == 1)
      entries.push_back(signed_top * power(Rational(2), static_cast<long>(random() % 2200) - 1150));
    if (form == 2) entries.push_back(signed_top / static_cast<long>(1 + random() % 1000));
  }
  Network network;
  const auto count = static_cast<Index>(entries.size());
  network.input = ExactMatrix::from(1, count, std::move(entries));
  check_round_trip(network);
}
