#include "numerics/san/layer_form.hpp"

#include <fmt/format.h>

#include <vector>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"
#include "numerics/nearest.hpp"

namespace rankfall {
namespace {

Rational skip_number(std::string_view number) {
  const Rational skip = parse_number(std::string(number));
  if (skip == 0) throw InputError("a skip of 0 is none; leave the word out");
  return skip;
}

[[noreturn]] void refuse_word(std::string_view word) {
  const std::string near = nearest(word, std::vector<std::string>{"pure", "skip", "mlp", "layernorm"});
  throw InputError(fmt::format(
      "unknown word {} for blocks{}; allowed: pure, or skip, skip=NUMBER, mlp and layernorm joined by +",
      in_quotes(word), near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
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

}  // namespace rankfall
