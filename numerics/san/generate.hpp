#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "numerics/san/network.hpp"

namespace rankfall {

/// What surrounds the attention of a generated layer.
struct LayerForm {
  Rational skip = 0;       ///< around the attention, and around the MLP where there is one
  bool mlp = false;        ///< an MLP behind it
  bool layernorm = false;  ///< a normalisation of tokens behind it, and behind the MLP where there is one

  Index blocks() const { return Index{mlp ? 2 : 1} * Index{layernorm ? 2 : 1}; }
};

/// Reads "pure" (attention alone), or "skip" (a skip of 1), "skip=NUMBER", "mlp" and "layernorm", each at
/// most once and joined by "+", as in "skip=1/2+mlp". Throws InputError that names the word and what is
/// allowed.
LayerForm layer_form(std::string_view text);
/// The same form, always in the same words: "mlp+skip=1/2" is "skip=0.5+mlp".
std::string to_text(const LayerForm& form);

/// What to draw a network from.
struct GenerateSpec {
  Index tokens = 16, dim = 16;
  Index heads = 1;
  Index depth = 12;
  Index d_qk = 0;                ///< width of a query and of a value; 0: dim / heads
  std::optional<Rational> beta;  ///< target of every head; none: unscaled
  std::string law = "gaussian", input_law = "gaussian";
  std::string blocks = "pure";  ///< what surrounds the attention: a LayerForm
  std::uint64_t seed = 1;
};

inline constexpr long max_generated_bytes = 1L << 31;

/// Throws InputError when no network can be drawn from the specification: for sizes below 1, a dim not
/// divisible by heads when d_qk is 0, an unknown law (san/laws.hpp) or form of the layers
/// (san/layer_form.hpp), a beta outside [1e-10000, 1e10000], and more than max_generated_bytes of weights and
/// work.
void validate(const GenerateSpec& spec);

/// A random network, the same bits on every machine; one of depth k is the beginning of that of depth k + 1.
/// No biases or masks; weights have at most 53 bits. With beta, every head has beta_h certified in
/// [B (1 - 2^-40), B] (san/beta.hpp); the input is not scaled. An MLP has a hidden layer of 4 dim with relu,
/// drawn as W_V and, halved, W_O of a head of that width are; a normalisation has epsilon 10^-5. Neither
/// changes the attention's weights. Throws InputError as validate() does.
Network generate(const GenerateSpec& spec);

}  // namespace rankfall
