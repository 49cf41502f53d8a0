#include "theory/paths.hpp"

#include <algorithm>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"
#include "numerics/nearest.hpp"

namespace rankfall::theory {
namespace {

void require(const char* what, long value, long most) {
  if (value < 1 || value > most)
    throw InputError(std::string(what) + " " + std::to_string(value) + ": allowed are 1 to " +
                     std::to_string(most));
}

}  // namespace

PathCount path_count(long heads, long depth) {
  require("heads", heads, most_path_heads);
  require("depth", depth, most_path_depth);
  PathCount paths;
  paths.heads = heads;
  paths.depth = depth;
  Integer count = 1;
  for (long k = 0; k <= depth; ++k) {
    paths.of_length.push_back(count);
    paths.total += count;
    count = count * heads * (depth - k) / (k + 1);
  }
  const Integer largest = *std::max_element(paths.of_length.begin(), paths.of_length.end());
  for (long k = 0; k <= depth; ++k)
    if (paths.of_length[static_cast<std::size_t>(k)] == largest) paths.modes.push_back(k);
  paths.mean = Rational(Integer(heads) * depth, Integer(heads) + 1);
  paths.full_length = Rational(paths.of_length.back(), paths.total);
  return paths;
}

const std::vector<PathModel>& path_models() {
  static const std::vector<PathModel> models = {
      {{"deit-t"}, "DeiT-T", 3, 12},
      {{"distilbert"}, "DistilBERT", 12, 6},
      {{"mobilebert-notebook"}, "MobileBERT as in the authors' notebook", 4, 12},
      {{"mobilebert"}, "MobileBERT as released", 4, 24},
      {{"bert-base", "vit-b"}, "BERT-base, ViT-B", 12, 12},
      {{"bert-large", "vit-l"}, "BERT-large, ViT-L", 16, 24},
      {{"vit-h"}, "ViT-H", 16, 32},
      {{"t5-3b"}, "T5-3B", 32, 24},
      {{"t5-11b"}, "T5-11B", 128, 24},
      {{"gpt-3"}, "GPT-3", 96, 96},
  };
  return models;
}

const PathModel& find_path_model(std::string_view name) {
  std::vector<std::string> known;
  std::vector<std::string_view> listing;
  for (const PathModel& model : path_models())
    for (const std::string& each : model.names) {
      if (each == name) return model;
      known.push_back(each);
      listing.push_back(each);
    }
  const std::string near = nearest(name, known);
  throw InputError("unknown model " + in_quotes(name) +
                   (near.empty() ? "" : ": did you mean \"" + near + "\"?") + "; known are " +
                   listed(listing));
}

}  // namespace rankfall::theory
