#include "numerics/san/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"
#include "numerics/nearest.hpp"
#include "numerics/san/beta.hpp"
#include "numerics/san/laws.hpp"

namespace rankfall {
namespace {

constexpr Index mlp_widening = 4;

Rational skip_number(std::string_view number) {
  Rational skip = parse_number(std::string(number));
  if (skip == 0) throw InputError("a skip of 0 is none; leave the word out");
  return skip;
}

[[noreturn]] void refuse_word(std::string_view word) {
  const std::string near = nearest(word, std::vector<std::string>{"pure", "skip", "mlp", "layernorm"});
  throw InputError(fmt::format(
      "unknown word {} for blocks{}; allowed: pure, or skip, skip=NUMBER, mlp and layernorm joined by +",
      in_quotes(word), near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

void require_positive(const char* name, Index value) {
  if (value < 1) throw InputError(fmt::format("{} = {} is not allowed; it must be at least 1", name, value));
}

Index query_width(const GenerateSpec& spec) {
  if (spec.d_qk < 0)
    throw InputError(
        fmt::format("d_qk = {} is not allowed; it must be at least 1, or 0 for dim / heads", spec.d_qk));
  if (spec.d_qk > 0) return spec.d_qk;
  if (spec.dim % spec.heads != 0)
    throw InputError(fmt::format("dim = {} is not divisible by heads = {}; give d_qk or a multiple", spec.dim,
                                 spec.heads));
  return spec.dim / spec.heads;
}

std::optional<BetaTarget> beta_target(const GenerateSpec& spec) {
  return spec.beta ? std::optional<BetaTarget>(*spec.beta) : std::nullopt;
}

/// Bytes of an entry of a scaled matrix: a double, or a rational when the scale leaves the range of doubles.
long scaled_entry_bytes(const BetaTarget& target) {
  const long exponent = std::abs(target.exponent());
  return exponent < 900 ? 8 : 64 + exponent / 8;
}

Integer needed_bytes(const GenerateSpec& spec, Index d_qk, const std::optional<BetaTarget>& target) {
  constexpr long fixed_per_head = sizeof(Head) + sizeof(Block) + 128;
  const Integer matrix = Integer(spec.dim) * d_qk;
  const Integer head = 2 * matrix * (8 + (target ? scaled_entry_bytes(*target) : 8)) + fixed_per_head;
  const Integer certification = target ? 4 * Integer(spec.dim) * spec.dim * sizeof(Ball) : 0;
  const Integer mlp = layer_form(spec.blocks).mlp
                          ? 2 * 8 * Integer(mlp_widening) * spec.dim * spec.dim + sizeof(Block)
                          : Integer(0);
  return Integer(spec.tokens) * spec.dim * 8 + (head * spec.heads + mlp) * spec.depth + certification;
}

void require_affordable(const GenerateSpec& spec, Index d_qk, const std::optional<BetaTarget>& target) {
  const Integer bytes = needed_bytes(spec, d_qk, target);
  if (bytes <= max_generated_bytes) return;
  throw InputError(
      fmt::format("tokens = {}, dim = {}, heads = {}, depth = {}, d_qk = {} need {} bytes; at most {} "
                  "are allowed",
                  spec.tokens, spec.dim, spec.heads, spec.depth, d_qk, bytes.str(), max_generated_bytes));
}

MlpBlock drawn_mlp(const GenerateSpec& spec, const WeightLaw& law, std::uint64_t block) {
  DrawnHead wide =
      law.draw({spec.dim, mlp_widening * spec.dim, spec.seed, block, static_cast<std::uint64_t>(spec.heads)});
  wide.W_O /= 2;  // its rows are four times as many
  return {.activation = Activation::relu, .layers = {{exact(wide.W_V), {}}, {exact(wide.W_O), {}}}};
}

}  // namespace

LayerForm layer_form(std::string_view text) {
  LayerForm form;
  if (text == "pure") return form;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('+', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    const LayerForm before = form;
    if (word == "skip")
      form.skip = 1;
    else if (word.starts_with("skip="))
      form.skip = skip_number(word.substr(5));
    else if (word == "mlp")
      form.mlp = true;
    else if (word == "layernorm")
      form.layernorm = true;
    else if (word == "pure")
      throw InputError(fmt::format("blocks {}: pure stands alone", in_quotes(text)));
    else
      refuse_word(word);
    if (before.blocks() == form.blocks() && (before.skip != 0 || form.skip == 0))
      throw InputError(fmt::format("blocks {}: {} stands twice", in_quotes(text), in_quotes(word)));
    start = end + 1;
  }
  return form;
}

std::string to_text(const LayerForm& form) {
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : "+") + word; };
  if (form.skip != 0) add(form.skip == 1 ? "skip" : "skip=" + to_text(form.skip));
  if (form.mlp) add("mlp");
  if (form.layernorm) add("layernorm");
  return text.empty() ? "pure" : text;
}

void validate(const GenerateSpec& spec) {
  require_positive("tokens", spec.tokens);
  require_positive("dim", spec.dim);
  require_positive("heads", spec.heads);
  require_positive("depth", spec.depth);
  weight_law(spec.law);
  input_law(spec.input_law);
  require_affordable(spec, query_width(spec), beta_target(spec));
}

Network generate(const GenerateSpec& spec) {
  validate(spec);
  const Index d_qk = query_width(spec);
  const WeightLaw& law = weight_law(spec.law);
  const InputLaw& law_of_input = input_law(spec.input_law);
  const LayerForm form = layer_form(spec.blocks);
  const std::optional<BetaTarget> target = beta_target(spec);

  Network network;
  network.input = exact(law_of_input.draw(spec.tokens, spec.dim, spec.seed));
  const auto normalise = [&] {
    if (form.layernorm) network.blocks.emplace_back(Normalisation{.epsilon = Rational(1, 100000)});
  };
  for (Index block = 0; block < spec.depth; ++block) {
    AttentionBlock attention;
    attention.skip = form.skip;
    for (Index head = 0; head < spec.heads; ++head) {
      const DrawnHead drawn = law.draw({spec.dim, d_qk, spec.seed, static_cast<std::uint64_t>(block + 1),
                                        static_cast<std::uint64_t>(head)});
      attention.heads.push_back(
          target ? scaled(drawn, *target, fmt::format("blocks[{}].heads[{}]", network.blocks.size(), head))
                 : exact(drawn));
    }
    network.blocks.emplace_back(std::move(attention));
    normalise();
    if (!form.mlp) continue;
    MlpBlock mlp = drawn_mlp(spec, law, static_cast<std::uint64_t>(block + 1));
    mlp.skip = form.skip;
    network.blocks.emplace_back(std::move(mlp));
    normalise();
  }
  return network;
}

}  // namespace rankfall
