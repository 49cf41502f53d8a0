#pragma once
#include <string>
#include <string_view>

#include "numerics/san/network.hpp"

namespace rankfall {

/// What surrounds the attention of a generated layer.
struct LayerForm {
  Rational skip = 0;       ///< around the attention, and around the MLP where there is one
  bool mlp = false;        ///< an MLP behind it
  bool layernorm = false;  ///< a normalisation of tokens behind it, and behind the MLP where there is one

  Index blocks() const { return (mlp ? 2 : 1) * (layernorm ? 2 : 1); }
};

/// Reads "pure" (attention alone), or "skip" (a skip of 1), "skip=NUMBER", "mlp" and "layernorm", each at
/// most once and joined by "+", as in "skip=1/2+mlp". Throws InputError that names the word and what is
/// allowed.
LayerForm layer_form(std::string_view text);
/// The same form, always in the same words: "mlp+skip=1/2" is "skip=0.5+mlp".
std::string to_text(const LayerForm& form);

}  // namespace rankfall
