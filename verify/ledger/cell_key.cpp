#include "verify/ledger/cell_key.hpp"

#include <fmt/format.h>

#include "numerics/version.hpp"
#include "verify/explain.hpp"
#include "verify/report/instances.hpp"
#include "verify/sha256.hpp"

namespace rankfall::verify {

namespace {

/// What the bounds of one's own claim, whatever they are called and wherever they stand.
std::string definitions(const theory::Statements& known) {
  std::string text;
  for (const theory::Statement* statement : known.all()) {
    if (statement->file.empty()) continue;
    theory::Statement claim = *statement;
    claim.title = claim.words = claim.source = claim.file = "";
    text += explain(claim, ExplainFormat::json);
  }
  return text;
}

}  // namespace

std::string cell_description(const Grid& grid, const Cell& cell) {
  const GenerateSpec& spec = cell.spec;
  std::vector<std::string> gammas;
  for (const theory::Gamma& gamma : grid.options.gammas) gammas.push_back(name(gamma));
  return fmt::format(
             "rankfall-cell/2\nversion {}\ntokens {}\ndim {}\nheads {}\nd_qk {}\nbeta {}\nlaw {}\ninput_law "
             "{}\nblocks {}\nseed {}\n"
             "depths {}\nstatements {}\ngammas {}\ndigits {}\nbits {} {}\n",
             build::version, spec.tokens, spec.dim, spec.heads, query_width(spec), beta_text(spec), spec.law,
             spec.input_law, spec.blocks, spec.seed, fmt::join(grid.depth, ","),
             fmt::join(grid.options.statements, ","), fmt::join(gammas, ","), grid.options.digits,
             grid.options.start_bits, grid.options.max_bits) +
         definitions(grid.options.known);
}

std::string cell_key(const Grid& grid, const Cell& cell) {
  return sha256(cell_description(grid, cell));
}

}  // namespace rankfall::verify
