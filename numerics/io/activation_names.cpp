#include "numerics/io/activation_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace rankfall {
namespace {

constexpr std::array<std::pair<std::string_view, Activation>, 6> table{{{"relu", Activation::relu},
                                                                        {"gelu", Activation::gelu},
                                                                        {"gelu_tanh", Activation::gelu_tanh},
                                                                        {"tanh", Activation::tanh},
                                                                        {"silu", Activation::silu},
                                                                        {"identity", Activation::identity}}};

}  // namespace

const std::vector<std::string_view>& activation_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> result;
    result.reserve(table.size());
    for (const auto& entry : table) result.push_back(entry.first);
    return result;
  }();
  return names;
}

std::optional<Activation> activation_from_name(std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.first == name; });
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

std::string_view name_of(Activation activation) {
  return std::find_if(table.begin(), table.end(),
                      [&](const auto& entry) { return entry.second == activation; })
      ->first;
}

}  // namespace rankfall
