// Files that are no networks: each ends in an InputError that names file, place, what was found and what is
// allowed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/io/json_network.hpp"
#include "numerics/io/json_reader.hpp"

using namespace rankfall;

namespace {

std::string message_of(std::string_view text) {
  try {
    parse_network(text, "net.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string file(std::string_view input, std::string_view blocks, std::string_view more = "") {
  return fmt::format(R"({{"format":"rankfall-network/1","input":{},"blocks":{}{}}})", input, blocks, more);
}
std::string with_input(std::string_view input) {
  return file(input, "[]");
}
std::string with_entry(std::string_view entry) {
  return with_input(fmt::format("[[1,2],[3,{}]]", entry));
}
std::string with_block(std::string_view block) {
  return file("[[1,2],[3,4]]", fmt::format("[{}]", block));
}
std::string with_head(std::string_view head) {
  return with_block(fmt::format(R"({{"kind":"attention","heads":[{}]}})", head));
}
std::string with_d_qk(std::string_view d_qk) {
  return with_head(fmt::format(R"({{"W_QK":[[1,0],[0,1]],"d_qk":{},"W":[[1,0],[0,1]]}})", d_qk));
}

/// A text and what its message must say, place first.
struct Refusal {
  std::string text, place, reason;
};

void check(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    CAPTURE(refusal.text.substr(0, 200));
    const std::string message = message_of(refusal.text);
    CAPTURE(message);
    CHECK(message.starts_with("net.json: " + refusal.place));
    CHECK(message.find(refusal.reason) != std::string::npos);
    CHECK(message.size() < 500);
  }
}

}  // namespace

TEST_CASE("texts that are not JSON") {
  const std::string good = with_d_qk("1");
  REQUIRE(message_of(good) == "accepted");
  check({{"", "", "empty text"},
         {" \n\t\r ", "", "empty text"},
         {good.substr(0, 1), "line 1, column 2: ", "ends too early"},
         {good.substr(0, 10), "line 1, column 11 (near format): ", "ends too early"},
         {good.substr(0, good.size() - 1), "line 1", "ends too early"},
         {"{\n\"format\": \"rankf", "line 2, column 17 (near format): ", "ends too early"},
         {"hello", "line 1, column 1: found \"hello\"", "not JSON"},
         {good + "x", fmt::format("line 1, column {}: found \"x\"", good.size() + 1), "not JSON"},
         {good + "{}", "line 1", "expected end of input"},
         {good + std::string(1, '\0'), "line 1", "zero bytes"},
         {"\xEF\xBB\xBF" + good, "", "byte order mark"},
         {"\xFF\xFE{", "", "byte order mark"},
         {"\xFE\xFF{", "", "byte order mark"},
         {file("[[1]]", "[]", ",\"comment\":\"\xE9\""), "line 1", "byte 0xe9"},
         {file("[[1]]", "[]", ",\"comment\":\"\xC0\x80\""), "line 1", "byte 0xc0"},
         {file("[[1]]", "[]", ",\"comment\":\"\xED\xA0\x80\""), "line 1", "byte 0xed"},
         {file("[[1]]", "[]", ",\"comment\":\"\\ud800\""), "line 1, column 75 (near comment)", "not JSON"},
         {with_entry("NaN"), "line 1, column 50 (near input[1]", "only finite numbers"},
         {with_entry("-Infinity"), "line 1, column 50 (near input[1]", "only finite numbers"},
         {with_entry("nan"), "line 1, column 50 (near input[1]", "only finite numbers"},
         {with_entry("0x10"), "line 1, column 50 (near input[1]", "found \"0x10\""},
         {with_entry("01"), "line 1, column 50 (near input[1]", "found \"01\""},
         {with_entry(".5"), "line 1, column 50 (near input[1]", "found \".5\""},
         {with_entry("+1"), "line 1, column 50 (near input[1]", "found \"+1\""},
         {with_entry("1,"), "line 1, column 52 (near input[1][1])", "unexpected ']'"},
         {"[1 2]", "", "found a list"}});
}

TEST_CASE("nesting ends early, however deep") {
  const std::string lists(100'000, '[');
  check({{lists, "found a list; expected an object", "format"},
         {with_input(lists), "input[0][0]: found a list; expected a number", ""},
         {file("[[1]]", lists), "blocks[0]: found a list", "object"},
         {file("[[1]]", "[]", ",\"comment\":" + lists), "comment: found a list", "a string"}});
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"input\":";
  check({{objects, "input: found the unknown key \"input\"", "shape, entries, diag"}});
}

TEST_CASE("entries that are no numbers") {
  check({{with_entry("null"), "input[1][1]: found null", "expected a number"},
         {with_entry("true"), "input[1][1]: found true", "expected a number"},
         {with_entry("[1]"), "input[1][1]: found a list", "expected a number"},
         {with_entry("{}"), "input[1][1]: found an object", "expected a number"},
         {with_entry("\"\""), "input[1][1]: \"\": not a number", "fractions"},
         {with_entry("\"abc\""), "input[1][1]: \"abc\": not a number", "0x1.8p-3"},
         {with_entry("\"1/0\""), "input[1][1]: \"1/0\": the denominator is zero", "at least 1"},
         {with_entry("\"Infinity\""), "input[1][1]: ", "only finite numbers"},
         {with_entry("\"1e2000000\""), "input[1][1]: ", "beyond 1000000"}});
}

TEST_CASE("JSON numbers beyond the range of a double are better strings") {
  for (const std::string number :
       {"1e400", "-1e400", "1e99999999999", "1e-400", "-1e-99999", "123456789e-400"}) {
    check({{with_entry(number), "input[1][1]: found the number " + number, "write it as a string"}});
    if (number.size() < 10) CHECK(message_of(with_entry('"' + number + '"')) == "accepted");
  }
  CHECK(message_of(with_entry("1" + std::string(400, '0'))).find("write it as a string") !=
        std::string::npos);
}

TEST_CASE("numbers of too many digits, however written") {
  const std::string digits(2'000'000, '3');
  const std::string reason = "digits; at most 100000 are allowed";
  check({{with_entry(digits), "input[1][1]: ", reason},
         {with_entry("0." + digits), "input[1][1]: ", reason},
         {with_entry("0." + std::string(2'000'000, '0') + "1"), "input[1][1]: ", reason},
         {with_entry('"' + digits + '"'), "input[1][1]: ", reason},
         {with_entry("\"1/" + digits + '"'), "input[1][1]: ", reason},
         {with_entry("\"0x" + digits + '"'), "input[1][1]: ", reason},
         {with_entry('"' + std::string(2'000'000, 'a') + '"'), "input[1][1]: ", "not a number"}});
}

TEST_CASE("matrices that are none") {
  check(
      {{with_input("3"), "input: found the number 3", "a list of rows"},
       {with_input("\"3\""), "input: found the text \"3\"", "a list of rows"},
       {with_input("[]"), "input: found an empty list", "at least one row"},
       {with_input("[[]]"), "input[0]: found an empty list", "at least one number"},
       {with_input("[1,2]"), "input[0]: found the number 1", "a list of numbers"},
       {with_input("[[1,2],[3]]"), "input[1]: found a row of length 1", "have length 2"},
       {with_input("[[1,2],[3,4],[5,6,7]]"), "input[2]: found a row of length 3", "have length 2"},
       {with_input("{}"), "input: the key \"shape\" is missing", "\"diag\""},
       {with_input(R"({"dia":[1]})"), "input: found the unknown key \"dia\"; did you mean \"diag\"?", ""},
       {with_input(R"({"shape":[2,2]})"), "input: the key \"entries\" is missing", ""},
       {with_input(R"({"entries":[]})"), "input: the key \"shape\" is missing", ""},
       {with_input(R"({"diag":[]})"), "input.diag: found an empty list", ""},
       {with_input(R"({"diag":[1],"shape":[1,1]})"), "input: found \"diag\" beside", ""},
       {with_input(R"({"entries":[],"diag":[1]})"), "input: found \"diag\" beside", ""},
       {with_input(R"({"shape":[0,2],"entries":[]})"), "input.shape[0]: found 0", "from 1 to"},
       {with_input(R"({"shape":[2.5,2],"entries":[]})"), "input.shape[0]: found 2.5, which is not whole", ""},
       {with_input(R"({"shape":[2],"entries":[]})"), "input.shape: found a list of length 1", "two whole"},
       {with_input(R"({"shape":[2,2,2],"entries":[]})"), "input.shape[2]: found a list longer than 2", ""},
       {with_input(R"({"shape":[2,2],"entries":[[0,0]]})"), "input.entries[0]: found a list of length 2",
        "[row"},
       {with_input(R"({"shape":[2,2],"entries":[[0,0,1,1]]})"), "input.entries[0][3]: found a list longer",
        ""},
       {with_input(R"({"shape":[2,2],"entries":[[0,-1,1]]})"), "input.entries[0][1]: found -1", "from 0 to"},
       {with_input(R"({"shape":[2,2],"entries":[[0,1,1],[0,2,1]]})"),
        "input: entries[1]: found the position [0, 2]", "the shape 2 x 2"},
       {with_input(R"({"entries":[[1,0,1],[0,1,5],[1,0,2]],"shape":[2,2]})"),
        "input: entries[2]: found the position [1, 0] again, which entries[0] gave", ""}});
}

TEST_CASE("short texts that stand for much are refused before they take memory") {
  const std::string reason = "more than 128 MiB";
  std::string many = "[[";
  for (int i = 0; i < 400; ++i) many += i == 0 ? "\"1e1000000\"" : ",\"1e1000000\"";
  std::string ones = "1";
  for (int i = 0; i < 5000; ++i) ones += ",1";
  check({{with_input(R"({"shape":[100000,100000],"entries":[]})"), "input.shape: ", reason},
         {with_input(R"({"shape":[1000000000,1000000000],"entries":[]})"), "input.shape: ", reason},
         {with_input(R"({"shape":[1e30,1],"entries":[]})"), "input.shape[0]: found 1e30", "1000000000"},
         {with_input("{\"diag\":[" + ones + "]}"), "input: ", reason},
         {with_input(many + "]]"), "input[0][323]: ", reason}});
}

TEST_CASE("keys: unknown, twice, missing") {
  check(
      {{file("[[1]]", "[]", ",\"Blocks\":[]"), "found the unknown key \"Blocks\"; did you mean \"blocks\"?",
        "format, comment, input, blocks"},
       {file("[[1]]", "[]", ",\"a\\nb\":1"), "found the unknown key \"a\\x0ab\"", ""},
       {file("[[1]]", "[]", ",\"" + std::string(1'000'000, 'k') + "\":1"), "found the unknown key \"kkk", ""},
       {file("[[1]]", "[]", ",\"input\":[[1]]"), "found the key \"input\" twice", "once"},
       {with_head(R"({"w_q":1})"), "blocks[0].heads[0]: found the unknown key \"w_q\"; did you mean \"W_Q\"?",
        ""},
       {with_head(R"({"d_qk":1,"d_qk":1})"), "blocks[0].heads[0]: found the key \"d_qk\" twice", ""},
       {"{}", "the key \"format\" is missing", "rankfall-network/1"},
       {R"({"format":"rankfall-network/1"})", "the key \"input\" is missing", ""},
       {R"({"format":"rankfall-network/1","input":[[1]]})", "the key \"blocks\" is missing", ""},
       {R"({"format":"rankfall-network/2"})", "format: found \"rankfall-network/2\"",
        "\"rankfall-network/1\""},
       {R"({"format":1})", "format: found the number 1", "\"rankfall-network/1\""},
       {R"({"comment":1})", "comment: found the number 1", "a string"},
       {"[]", "found a list", "an object with the keys format"},
       {"7", "found the number 7", "an object with the keys format"}});
}

TEST_CASE("heads") {
  check({{with_head(R"({"W_QK":[[1]],"W_Q":[[1]]})"), "blocks[0].heads[0]: found \"W_Q\" beside \"W_QK\"",
          "either"},
         {with_head(R"({"W_Q":[[1]],"W_K":[[1]],"W_V":[[1]],"d_qk":1})"),
          "blocks[0].heads[0]: found \"d_qk\" beside", "either"},
         {with_head(R"({"W":[[1]],"b_V":[1]})"), "blocks[0].heads[0]: found \"b_V\" beside \"W\"",
          "without biases"},
         {with_head("{}"), "blocks[0].heads[0]: the key \"W_Q\" is missing", "W_QK, d_qk, W"},
         {with_head(R"({"W_Q":[[1]],"W_V":[[1]]})"), "blocks[0].heads[0]: the key \"W_K\" is missing", ""},
         {with_head(R"({"W_QK":[[1]],"W":[[1]]})"), "blocks[0].heads[0]: the key \"d_qk\" is missing", ""},
         {with_head(R"({"W_Q":{"diag":[1,0]},"b_Q":[[1,2]]})"), "blocks[0].heads[0].b_Q[0]: found a list",
          "a number"},
         {with_head("[1]"), "blocks[0].heads[0]: found a list", "an object"},
         {with_head(R"({"W_Q":[[1],[2]],"W_K":[[1],["x"]]})"), "blocks[0].heads[0].W_K[1][0]: \"x\"",
          "not a number"}});
  for (const std::string d_qk : {"0", "-1", "1.5", "1e30", "\"1/2\"", "null", "\"1e1000000\"", "1000000001",
                                 "99999999999999999999999"})
    check({{with_d_qk(d_qk), "blocks[0].heads[0].d_qk: found ", "a whole number from 1 to 1000000000"}});
  for (const std::string d_qk : {"1", "4.0", "\"16\"", "1000000000"})
    CHECK(message_of(with_d_qk(d_qk)) == "accepted");
}

TEST_CASE("blocks") {
  const std::string head = R"({"W_QK":[[1,0],[0,1]],"d_qk":1,"W":[[1],[1]]})";
  check(
      {{with_block("{}"), "blocks[0]: the key \"kind\" is missing", "\"attention\", \"mlp\" or \"norm\""},
       {with_block("[]"), "blocks[0]: found a list", "an object"},
       {file("[[1]]", "{}"), "blocks: found an object", "a list of blocks"},
       {with_block(R"({"kind":3})"), "blocks[0].kind: found the number 3",
        "\"attention\", \"mlp\", \"norm\""},
       {with_block(R"({"kind":"atention"})"),
        "blocks[0].kind: found \"atention\"; did you mean \"attention\"?", "\"mlp\""},
       {with_block(R"({"kind":"conv"})"), "blocks[0].kind: found \"conv\"",
        "\"attention\", \"mlp\", \"norm\""},
       {with_block(R"({"kind":"attention"})"), "blocks[0]: the key \"heads\" is missing", ""},
       {with_block(R"({"kind":"attention","heads":[]})"), "blocks[0].heads: found no head", "at least one"},
       {with_block(R"({"kind":"attention","layers":[]})"),
        "blocks[0]: found the key \"layers\" in a block of kind \"attention\"",
        "kind, skip, mask, pre_norm, heads, b_O"},
       {with_block(R"({"b_O":[1],"activation":"relu","layers":[{"W":[[1],[1]]}],"kind":"mlp"})"),
        "blocks[0]: found the key \"b_O\" in a block of kind \"mlp\"",
        "kind, skip, pre_norm, activation, layers"},
       {with_block(R"({"kind":"mlp","layers":[{"W":[[1],[1]]}]})"),
        "blocks[0]: the key \"activation\" is missing", ""},
       {with_block(R"({"kind":"mlp","activation":"relu"})"), "blocks[0]: the key \"layers\" is missing", ""},
       {with_block(R"({"kind":"mlp","activation":"Relu"})"),
        "blocks[0].activation: found \"Relu\"; did you mean \"relu\"?", "\"gelu_tanh\""},
       {with_block(R"({"kind":"mlp","activation":"relu","layers":[]})"), "blocks[0].layers: found no layer",
        ""},
       {with_block(R"({"kind":"mlp","activation":"relu","layers":[{"b":[1]}]})"),
        "blocks[0].layers[0]: the key \"W\" is missing", ""},
       {with_block(R"({"kind":"attention","skip":"x","heads":[]})"), "blocks[0].skip: \"x\"", "not a number"},
       {with_block(fmt::format(R"({{"kind":"attention","skip":1,"heads":[{}]}})", head)),
        "blocks[0].skip: found a skip", "2 columns into 1"},
       {with_head(R"({"W_QK":[[1,0]],"d_qk":1,"W":[[1],[1]]})"), "blocks[0].heads[0].W_QK: found shape 1 x 2",
        "2 x 2, square"}});
}

TEST_CASE("normalisations, in a block of their own and before one") {
  const auto with_norm = [](std::string_view fields) {
    return with_block(fmt::format(R"({{"kind":"norm"{}}})", fields));
  };
  const auto with_pre_norm = [](std::string_view norm) {
    return with_block(fmt::format(
        R"({{"kind":"mlp","pre_norm":{},"activation":"relu","layers":[{{"W":[[1,0],[0,1]]}}]}})", norm));
  };
  REQUIRE(message_of(with_norm(R"(,"of":"token")")) == "accepted");
  REQUIRE(message_of(with_pre_norm(R"({"of":"column"})")) == "accepted");
  check({{with_norm(""), "blocks[0]: the key \"of\" is missing", "\"column\""},
         {with_norm(R"(,"of":"row")"), "blocks[0].of: found \"row\"", "\"token\", \"column\""},
         {with_norm(R"(,"of":"token","skip":1)"),
          "blocks[0]: found the key \"skip\" in a block of kind \"norm\"", "kind, of, epsilon, scale, shift"},
         {with_norm(R"(,"of":"token","epsilon":-1)"), "blocks[0].epsilon: found a negative number",
          "at least 0"},
         {with_norm(R"(,"of":"token","scale":[1])"), "blocks[0].scale: found shape 1 x 1", "1 x 2"},
         {with_norm(R"(,"of":"token","shift":[1,2,3])"), "blocks[0].shift: found shape 1 x 3", "1 x 2"},
         {with_norm(R"(,"of":"token","scale":[])"), "blocks[0].scale: found an empty list", ""},
         {with_pre_norm("{}"), "blocks[0].pre_norm: the key \"of\" is missing", ""},
         {with_pre_norm(R"({"kind":"norm","of":"token"})"),
          "blocks[0].pre_norm: found the unknown key \"kind\"", ""},
         {with_pre_norm(R"("token")"), "blocks[0].pre_norm: found the text \"token\"",
          "of, epsilon, scale, shift"},
         {with_pre_norm(R"({"of":"token","scale":[1]})"), "blocks[0].pre_norm.scale: found shape 1 x 1", ""},
         {file("[[1],[2]]", R"([{"kind":"norm","of":"token"}])"), "blocks[0].epsilon: found 0",
          "only one entry"}});
}

TEST_CASE("masks and score biases") {
  const auto with_attention = [](std::string_view mask, std::string_view more) {
    return with_block(fmt::format(
        R"({{"kind":"attention","mask":{},"heads":[{{"W_Q":[[1],[0]],"W_K":[[1],[0]],"W_V":[[1],[0]]{}}}]}})",
        mask, more));
  };
  REQUIRE(message_of(with_attention("\"causal\"", "")) == "accepted");
  REQUIRE(message_of(with_attention("[[1,0],[1,1]]", R"(,"relative_keys":[[1],[2],[3]],"b_R":[1])")) ==
          "accepted");
  check({{with_attention("\"Causal\"", ""), "blocks[0].mask: found the text \"Causal\"",
          "\"causal\" or a list"},
         {with_attention("1", ""), "blocks[0].mask: found the number 1", "rows of 0 and 1"},
         {with_attention("[]", ""), "blocks[0].mask: found 0 rows", "square"},
         {with_attention("[[1,1]]", ""), "blocks[0].mask: found 1 rows of length 2", "square"},
         {with_attention("[[1,1],[1]]", ""), "blocks[0].mask[1]: found a row of length 1", "equally long"},
         {with_attention("[[1,2],[1,1]]", ""), "blocks[0].mask[0][1]: found another number", "0 or 1"},
         {with_attention("[[1,true],[1,1]]", ""), "blocks[0].mask[0][1]: found true", "0 or 1"},
         {with_attention("[[1]]", ""), "blocks[0].mask: found shape 1 x 1", "2 x 2, tokens x tokens"},
         {with_attention("[[1,1],[0,0]]", ""), "blocks[0].mask[1]: found a row without a 1",
          "at least one key"},
         {with_attention("\"causal\"", R"(,"score_bias":[[1]])"),
          "blocks[0].heads[0].score_bias: found shape 1 x 1", "2 x 2"},
         {with_attention("\"causal\"", R"(,"relative_keys":[[1],[2]])"),
          "blocks[0].heads[0].relative_keys: found shape 2 x 1", "3 x 1"},
         {with_attention("\"causal\"", R"(,"b_R":[1])"),
          "blocks[0].heads[0].b_R: found b_R without relative_keys", ""},
         {with_head(R"({"W_QK":[[1,0],[0,1]],"d_qk":1,"W":[[1,0],[0,1]],"relative_keys":[[1],[2],[3]]})"),
          "blocks[0].heads[0]: found relative_keys or b_R beside W_QK", "W_Q, W_K, W_V"}});
}

TEST_CASE("a double is charged the bits of its exact value, as a rational is") {
  for (const double number : {0.0, 1.0, -0.375, 0x1.fffffffffffffp0, 0x1p-900, -0x1.8p700, 0x1p63, 0x1p64}) {
    CAPTURE(number);
    const std::size_t bits = std::max<std::size_t>(64, bit_size(Rational(number)));
    CHECK_NOTHROW(json::SizeBudget(bits).charge(number));
    CHECK_THROWS_AS(json::SizeBudget(bits - 1).charge(number), InputError);
  }
}
