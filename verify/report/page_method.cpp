#include <fmt/format.h>

#include <algorithm>

#include "numerics/version.hpp"
#include "verify/report/html.hpp"
#include "verify/report/number_text.hpp"
#include "verify/report/page.hpp"

namespace rankfall::verify {
namespace {

std::string instance_row(const char* word, const Instance& instance) {
  const Decision& d = *instance.decision;
  const std::string measure = d.looseness
                                  ? "looseness " + certified_text(*d.looseness, 3, Notation::html)
                                  : "slack " + certified_text(d.slack, 3, Notation::html) + " decades";
  const std::string place = d.bound->span == theory::Bound::Span::layer ? fmt::format("layer {}", d.to)
                                                                        : fmt::format("depth {}", d.depth);
  return fmt::format(
      "<div class=\"extreme\"><dt>{}</dt><dd>{}: {}, {}<code class=\"command\">{}</code></dd></div>\n", word,
      measure, place, escaped(cell_text(instance.cell->cell.spec)), escaped(reproduction(instance)));
}

template <class Value>
std::string list(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values) text += (text.empty() ? "" : ", ") + fmt::format("{}", value);
  return text;
}

std::string row(const char* name, const std::string& html) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
}

/// The precisions that were needed and how many networks needed each.
std::string precisions(const std::vector<CellResult>& results) {
  std::vector<long> bits;
  bits.reserve(results.size());
  for (const CellResult& result : results) bits.push_back(result.check.bits);
  std::sort(bits.begin(), bits.end());
  std::string text;
  for (auto first = bits.begin(); first != bits.end();) {
    const auto last = std::upper_bound(first, bits.end(), *first);
    text += fmt::format("{}{} bits on {} networks", text.empty() ? "" : ", ", *first,
                        grouped(static_cast<std::size_t>(last - first)));
    first = last;
  }
  return text;
}

template <class Value>
std::string axis(const char* name, const std::vector<Value>& values) {
  return fmt::format("{} = {}\n", name, list(values));
}

/// What the rows of a ledger span, in place of a grid file.
std::string spanned(const Grid& grid) {
  std::vector<std::string> d_qk, beta;
  for (const long width : grid.d_qk) d_qk.push_back(width == 0 ? "dim / heads" : std::to_string(width));
  for (const auto& target : grid.beta) beta.push_back(target ? to_text(*target) : "unscaled");
  return axis("depth", grid.depth) + axis("tokens", grid.tokens) + axis("dim", grid.dim) +
         axis("heads", grid.heads) + axis("d_qk", d_qk) + axis("beta", beta) + axis("law", grid.law) +
         axis("input_law", grid.input_law) + axis("blocks", grid.blocks) + axis("seeds", grid.seeds) +
         axis("statements", grid.options.statements);
}

/// What the page cannot say since the ledger does not, and what it leaves out of what the ledger says.
std::string ledger_limits(const Recorded& recorded) {
  std::string text =
      "<p>A ledger keeps the two sides of every inequality and its hypotheses, not what they are made of. So "
      "this page "
      "has no residual of the input or of a depth that no bound was decided at, no value of a gamma, and an "
      "implied "
      "constant only where the weights were scaled to a beta. Its cells are keyed by the version that "
      "decided "
      "them but do not name it.</p>";
  if (!recorded.hypotheses)
    text +=
        "<p>This ledger has no hypotheses, and so no margin of one: it is of an earlier format, or no "
        "statement in it "
        "has any.</p>";
  if (recorded.repeated_rows > 0)
    text += fmt::format(
        "<p>{} rows are left out: the ledger says the same inequality of the same network more than once, as "
        "decided with other options or by another version; the first by key counts.</p>",
        grouped(recorded.repeated_rows));
  if (recorded.unknown_rows > 0) {
    text +=
        fmt::format("<p>{} rows are left out: this program does not know", grouped(recorded.unknown_rows));
    for (const std::string& id : recorded.unknown) text += " <code>" + escaped(id) + "</code>";
    text += "; bounds of one\u2019s own are known through <code>--define</code>.</p>";
  }
  if (recorded.restated_rows > 0)
    text += fmt::format(
        "<p>Of {} rows the catalogue now knows more, or other, than when they were decided; it is what it "
        "knows now that is shown.</p>",
        grouped(recorded.restated_rows));
  if (!recorded.failures.empty()) {
    text += fmt::format("<p>{} cells are such that no network has them:</p><ul>",
                        grouped(recorded.failures.size()));
    constexpr std::size_t most_shown = 20;
    for (std::size_t i = 0; i < recorded.failures.size() && i < most_shown; ++i)
      text += "<li>" + escaped(recorded.failures[i]) + "</li>";
    if (recorded.failures.size() > most_shown) text += "<li>\u2026</li>";
    text += "</ul>";
  }
  return text;
}

}  // namespace

std::string extremes_section(const PageContent& content) {
  std::string text =
      "<section id=\"extremes\">\n<h2>Tightest and loosest instances</h2>\n<p>Each with the command that "
      "repeats it: "
      "its entry is the last that the command prints.</p>\n<div class=\"extremes\">\n";
  for (const Digest& digest : content.digests)
    if (digest.tightest)
      text += fmt::format("<article><h3>{}</h3><dl>\n", escaped(digest.claim->label())) +
              instance_row("tightest", *digest.tightest) + instance_row("loosest", *digest.loosest) +
              "</dl></article>\n";
  return text + "</div>\n</section>\n";
}

std::string method_section(const PageContent& content) {
  return "<section id=\"method\">\n<h2>How this was made</h2>\n<dl class=\"facts\">\n" +
         row("command", "<code>" + escaped(content.command) + "</code>") +
         row("version", fmt::format("rankfall {}, residual engine over Arb balls", build::version)) +
         row("precision", precisions(content.results) +
                              "; raised until every verdict is decided or more bits cannot help") +
         row("seeds", list(content.grid.seeds)) +
         row("files",
             "<code>tightness.csv</code> (every instance, both ends of every enclosure), "
             "<code>tightness.md</code>, "
             "<code>verdicts.json</code>; in <code>figures/</code> each figure as SVG and PDF with its data "
             "and "
             "the gnuplot script that draws it; in <code>tables/</code> each table as Markdown and LaTeX "
             "(<code>all.tex</code> has them all), and as CSV with both ends of every enclosure") +
         row("recheck",
             "The same command gives the same bytes, whatever the number of threads. A single network: the "
             "commands "
             "above; its file, written by <code>rankfall generate</code>, holds every weight exactly, so "
             "that any other "
             "program can compute the residual anew.") +
         (content.recorded
              ? row("the ledger spans", "<pre><code>" + escaped(spanned(content.grid)) + "</code></pre>") +
                    row("not here", ledger_limits(*content.recorded))
              : row("grid", "<pre><code>" + escaped(content.grid_text) + "</code></pre>")) +
         "</dl>\n</section>\n"
         "<section id=\"words\">\n<h2>Words</h2>\n<dl class=\"facts\">\n" +
         row("residual",
             "What is left of the token matrix X (tokens \u00d7 d) after its best constant-row part is taken "
             "away; rank "
             "collapse: it tends to 0. Measured in the composite norm "
             "\u221a(largest column sum \u00b7 largest row sum) of absolute values, "
             "least over all constant rows; known between a certified lower and a certified upper bound.") +
         row("beta",
             "The largest |W<sub>QK</sub>|<sub>1</sub> |W<sub>h</sub>|<sub>1,\u221e</sub> of a head; here "
             "the "
             "weights are scaled to it.") +
         row("gamma",
             "A factor in the second version of the paper that depends on attention entries; read here as "
             "named "
             "(one, sum-max, max-ratio).") +
         row("looseness",
             "(left/right)<sup>2/(3<sup>L</sup>\u22121)</sup>, the implied over the stated constant: "
             "comparable across depths, above 1 exactly where a bound fails.") +
         row("vacuous", "The bound exceeds what holds without any property of attention.") +
         row("printed, repaired",
             "Theorems 2.2 and 2.3 of Dong, Cordonnier and Loukas, <i>Attention is not all you need</i> "
             "(arXiv "
             "2103.03404), as printed in its first version, with gamma as in its second, and as repaired by "
             "this "
             "project; <i>diameter</i> is this project\u2019s theorem <code>composite-diameter</code>.") +
         "</dl>\n</section>\n";
}

}  // namespace rankfall::verify
