#include "numerics/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rankfall {
namespace {

std::string lower_case(std::string_view word) {
  std::string result(word);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string_view head = word.substr(0, 64);  // nobody mistypes more, and hostile words stay cheap
  std::string best;
  std::pair least{std::max<std::size_t>(2, head.size() / 2) + 1, std::size_t{0}};
  for (const std::string& candidate : candidates) {  // a letter in the other case is the smallest mistake
    const std::pair distance{edit_distance(lower_case(head), lower_case(candidate)),
                             edit_distance(head, candidate)};
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace rankfall
