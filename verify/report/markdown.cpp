#include <fmt/format.h>

#include "verify/report/tables.hpp"
#include "verify/report/tables_folder.hpp"

namespace rankfall::verify {

std::string tightness_markdown(const std::vector<Digest>& digests, const Provenance& made,
                               std::size_t networks) {
  TextTable table = claims_table(digests);
  table.caption = fmt::format(
      "# Tightness\n\n"
      "{} networks; one line a claim. Looseness is (left/right)^(2/(3^L-1)), at most 1 where the claim "
      "holds; slack is "
      "log10(right/left) in decades. Both over the instances to which the claim applies. Every digit is "
      "certified; a "
      "range stands where the enclosure (the gap between the bounds of the minimal residual, as a rule) is "
      "wider.",
      networks);
  return markdown(table, made.line());
}

}  // namespace rankfall::verify
