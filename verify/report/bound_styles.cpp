#include "verify/report/figures.hpp"

namespace rankfall::verify {

const std::vector<BoundStyle>& bound_styles() {
  using Kind = theory::Gamma::Kind;
  static const std::vector<BoundStyle> styles = {
      {"dong-2.2-v1", Kind::one, "2.2 printed", colour::paper, 1, true, false},
      {"dong-2.2", Kind::max_ratio, "2.2 max-ratio", colour::paper_gamma, 2, true, false},
      {"dong-2.2", Kind::sum_max, "2.2 sum-max", colour::paper_gamma, 1, true, false},
      {"dong-2.3-v1", Kind::one, "2.3 printed", colour::paper, 1, false, true},
      {"dong-2.3", Kind::max_ratio, "2.3 max-ratio", colour::paper_gamma, 2, false, true},
      {"dong-2.3", Kind::sum_max, "2.3 sum-max", colour::paper_gamma, 1, false, true},
      {"dong-2.3-repaired", Kind::one, "repaired", colour::repaired, 1, false, true},
      {"dong-2.3-repaired-sharp", Kind::one, "repaired sharp", colour::sharp, 1, true, true},
      {"composite-diameter", Kind::one, "diameter", colour::diameter, 1, true, true}};
  return styles;
}

std::vector<BoundStyle> bound_styles(const std::vector<Claim>& claims) {
  std::vector<BoundStyle> styles = bound_styles();
  int dash = 0;
  for (const Claim& claim : claims) {
    const bool residual = claim.bound->quantity == theory::Quantity::residual;
    if (claim.statement->file.empty() || claim.bound->span != theory::Bound::Span::depth || !residual)
      continue;
    const auto gamma = claim.gamma ? claim.gamma->kind : theory::Gamma::Kind::one;
    const std::string label =
        claim.gamma ? claim.statement->id + " " + name(*claim.gamma) : claim.statement->id;
    dash = dash % 4 + 1;
    styles.push_back({claim.statement->id, gamma, label, colour::own, dash, true, true});
  }
  return styles;
}

}  // namespace rankfall::verify
