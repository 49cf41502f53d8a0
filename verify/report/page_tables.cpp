#include <fmt/format.h>

#include <algorithm>

#include "verify/report/html.hpp"
#include "verify/report/number_text.hpp"
#include "verify/report/page.hpp"

namespace rankfall::verify {
namespace {

constexpr int page_digits = 3;

/// The number a column sorts by; infinities are written so that JavaScript reads them.
std::string sort_value(const Span& number) {
  const double value = to_double(midpoint(number.high));
  if (!is_finite(number.high)) return certainly_negative(number.high) ? "-Infinity" : "Infinity";
  return fmt::format("{:.6g}", value);
}

std::string number_cell(const std::string& value, const std::string& text, const char* kind = "") {
  return fmt::format("<td class=\"n{}\" data-v=\"{}\">{}</td>", kind, value, text);
}

std::string count_cell(std::size_t count, const char* kind = "") {
  return number_cell(std::to_string(count), count == 0 ? "<span class=\"none\">0</span>" : grouped(count),
                     kind);
}

std::string span_cell(const Distribution& all, const Span& number) {
  if (all.count == 0) return "<td class=\"n\"><span class=\"none\">\u2013</span></td>";
  return number_cell(sort_value(number), certified_text(number, page_digits, Notation::html));
}

std::string share_cell(const Share& share) {
  const double part = share.known ? static_cast<double>(share.yes) / static_cast<double>(share.known) : -1;
  return number_cell(fmt::format("{:.6g}", part), percentage(share.yes, share.known));
}

std::string heading(const char* text, const char* title, const char* kind) {
  return fmt::format("<th scope=\"col\" class=\"{}\"><button type=\"button\" title=\"{}\">{}</button></th>",
                     kind, title, text);
}

std::string status_words(theory::Status status) {
  return status == theory::Status::refuted ? "false" : (status == theory::Status::proved ? "proved" : "open");
}

std::string row_start(const Digest& digest) {
  const Claim& claim = *digest.claim;
  const std::string label = claim.label();
  const std::string rest = label.substr(claim.statement->id.size());
  return fmt::format(
      R"(<tr><th scope="row" data-v="{}"><b>{}</b>{}<small>{}</small></th><td class="status {}" data-v="{}">{}</td>)",
      escaped(label), escaped(claim.statement->id), escaped(rest), escaped(claim.statement->title),
      name(claim.status()), name(claim.status()), status_words(claim.status()));
}

std::string verdict_cells(const Digest& digest) {
  const VerdictCounts& counts = digest.counts;
  const bool held_true = digest.claim->status() == theory::Status::proved;
  return count_cell(counts.proved) +
         count_cell(counts.refuted, counts.refuted == 0 ? "" : (held_true ? " bad" : " news")) +
         count_cell(counts.inapplicable) + count_cell(counts.inconclusive, counts.precision ? " bad" : "");
}

std::string distribution_cells(const Distribution& d) {
  return span_cell(d, d.least) + span_cell(d, d.median) + span_cell(d, d.greatest);
}

std::string shared_headings() {
  return heading("claim", "id of the statement", "") +
         heading("in general", "what the catalogue knows of the claim", "") +
         heading("proved", "holds on the instance", "n") + heading("refuted", "fails on the instance", "n") +
         heading("inapplicable", "hypotheses not certified", "n") +
         heading("inconclusive", "sides not told apart", "n");
}

/// Bounds of the cubic form, which looseness compares.
std::string constants_table(const std::vector<Digest>& digests) {
  std::string text =
      R"(<div class="scroll" tabindex="0"><table class="sortable">
<thead><tr class="over"><td></td><td></td><th colspan="4" scope="colgroup">verdicts</th>
<th colspan="3" scope="colgroup">looseness</th><th scope="colgroup">slack</th>
<th colspan="2" scope="colgroup">share of instances</th></tr>
<tr>)" +
      shared_headings() + heading("least", "loosest instance", "n") +
      heading("median", "middle instance", "n") + heading("greatest", "tightest instance", "n") +
      heading("median", "in decades", "n") + heading("vacuous", "the bound exceeds the trivial one", "n") +
      heading("not contracting", "C r\u2080\u00b2 is at least 1", "n") + "</tr></thead>\n<tbody>\n";
  for (const Digest& d : digests)
    if (d.claim->bound->constant)
      text += row_start(d) + verdict_cells(d) + distribution_cells(d.looseness) +
              span_cell(d.slack, d.slack.median) + share_cell(d.vacuous) + share_cell(d.non_contracting) +
              "</tr>\n";
  return text + "</tbody></table></div>\n";
}

/// All others, compared by slack.
std::string slack_table(const std::vector<Digest>& digests) {
  std::string text =
      R"(<div class="scroll" tabindex="0"><table class="sortable">
<thead><tr class="over"><td></td><td></td><th colspan="4" scope="colgroup">verdicts</th>
<th colspan="3" scope="colgroup">slack in decades</th></tr>
<tr>)" +
      shared_headings() + heading("least", "tightest instance", "n") +
      heading("median", "middle instance", "n") + heading("greatest", "loosest instance", "n") +
      "</tr></thead>\n<tbody>\n";
  for (const Digest& d : digests)
    if (!d.claim->bound->constant)
      text += row_start(d) + verdict_cells(d) + distribution_cells(d.slack) + "</tr>\n";
  return text + "</tbody></table></div>\n";
}

/// On how many of the networks of one beta the bound falls at this depth, among those to which it applies.
Share contraction(const Claim& claim, std::size_t depth, const std::optional<Rational>& beta) {
  Share share;
  for (const Instance& instance : claim.instances) {
    const Decision& d = *instance.decision;
    if (d.depth == depth && instance.cell->cell.spec.beta == beta && applies(d) && d.non_contracting)
      share.count(!*d.non_contracting);
  }
  return share;
}

std::string shaded_cell(const Share& share) {
  if (share.known == 0)
    return R"(<td class="n"><span class="none">)"
           "\u2013</span></td>";
  return fmt::format(R"(<td class="n shade" style="--share:{}%">{} <small>of {}</small></td>)",
                     100 * share.yes / share.known, percentage(share.yes, share.known), share.known);
}

}  // namespace

std::string claims_section(const PageContent& content) {
  const auto constants = std::count_if(content.digests.begin(), content.digests.end(),
                                       [](const Digest& d) { return d.claim->bound->constant.has_value(); });
  std::string text = R"(<section id="claims">
<h2>Verdicts and tightness by claim</h2>
<p>One row an inequality, with its verdicts on this grid; <i>in general</i> is what is known of the claim beyond it:
proved, or false, with a counterexample in the manual. Measures of tightness are taken where the claim applies and show
no digit that the enclosures do not support; a range stands where the minimal residual is known only between bounds.
Click a heading to sort.</p>
)";
  if (constants > 0)
    text += R"(<h3>Bounds with a constant</h3>
<p><i>Looseness</i> is the implied over the stated constant: 1 when the bound is attained, comparable across depths.
A bound is <i>vacuous</i> when it exceeds what holds without any property of attention, and <i>not contracting</i> when
C r<sub>0</sub>² ≥ 1, so that it does not tend to 0.</p>
)" + constants_table(content.digests);
  if (constants < static_cast<std::ptrdiff_t>(content.digests.size()))
    text += R"(<h3>Other inequalities</h3>
<p><i>Slack</i> is log<sub>10</sub> of the right over the left side: 0 when the two are equal, negative when the claim
fails. Of a family of inequalities the member nearest to failing is shown.</p>
)" + slack_table(content.digests);
  return text + "</section>\n";
}

std::string seeds_html(const PageContent& content) {
  std::string body;
  for (const SeedRow& row : content.seeds) {
    if (row.looseness.count == 0) continue;
    const std::string label = escaped(row.claim->label()), network = escaped(network_text(row.spec));
    body +=
        fmt::format(R"(<tr><th scope="row" data-v="{0}">{0}</th><td data-v="{1}">{1}</td>)", label, network) +
        count_cell(row.looseness.count);
    for (const Span* number : {&row.looseness.least, &row.looseness.lower_quartile, &row.looseness.median,
                               &row.looseness.upper_quartile, &row.looseness.greatest})
      body += span_cell(row.looseness, *number);
    body += "</tr>\n";
  }
  if (body.empty()) return "";
  return R"(<div class="scroll" tabindex="0"><table class="sortable" id="seeds-table">
<thead><tr>)" +
         heading("claim", "id of the statement", "") + heading("network", "all but the seed", "") +
         heading("seeds", "to which the claim applies", "n") + heading("least", "loosest seed", "n") +
         heading("lower quartile", "a quarter is looser", "n") + heading("median", "middle seed", "n") +
         heading("upper quartile", "a quarter is tighter", "n") + heading("greatest", "tightest seed", "n") +
         "</tr></thead>\n<tbody>\n" + body + "</tbody></table></div>\n";
}

std::string margins_html(const PageContent& content) {
  std::string body;
  for (const Digest& digest : content.digests)
    for (const HypothesisDigest& h : digest.hypotheses) {
      const std::string label = escaped(digest.claim->label()), name = escaped(h.name);
      body +=
          fmt::format(R"(<tr><th scope="row" data-v="{0}">{0}</th><td data-v="{1}">{1}</td>)", label, name) +
          count_cell(h.certified) + count_cell(h.failing) + count_cell(h.open);
      for (const Span* number : {&h.margin.least, &h.margin.lower_quartile, &h.margin.median,
                                 &h.margin.upper_quartile, &h.margin.greatest})
        body += span_cell(h.margin, *number);
      body += "</tr>\n";
    }
  if (body.empty()) return "";
  return R"(<section id="margins">
<h2>Margins of the hypotheses</h2>
<p>How far each hypothesis of a claim is from failing: its bound less its value, over all layers and depths of all
networks, below zero where it fails. Of the references at which a claim may be read it is the one that decided, or else the
first. <code>margins.csv</code> has every one.</p>
<div class="scroll" tabindex="0"><table class="sortable" id="margins-table">
<thead><tr>)" +
         heading("claim", "id of the statement", "") +
         heading("hypothesis", "explain tells it in words", "") +
         heading("certified", "value at most the bound", "n") +
         heading("failing", "value above the bound", "n") + heading("open", "neither is certified", "n") +
         heading("least", "nearest to failing, or farthest beyond", "n") +
         heading("lower quartile", "a quarter is nearer", "n") + heading("median", "middle instance", "n") +
         heading("upper quartile", "a quarter is farther", "n") +
         heading("greatest", "farthest from failing", "n") + "</tr></thead>\n<tbody>\n" + body +
         "</tbody></table></div>\n</section>\n";
}

std::string contraction_table(const PageContent& content) {
  const long depth = *std::max_element(content.grid.depth.begin(), content.grid.depth.end());
  std::string head, body;
  for (const auto& beta : content.grid.beta)
    head +=
        fmt::format(R"(<th scope="col" class="n">{}</th>)", beta ? "\u03b2 = " + to_text(*beta) : "unscaled");
  for (const Digest& digest : content.digests) {
    const Claim& claim = *digest.claim;
    if (!claim.bound->constant || claim.bound->span != theory::Bound::Span::depth) continue;
    body += fmt::format(R"(<tr><th scope="row">{}</th>)", escaped(claim.label()));
    for (const auto& beta : content.grid.beta)
      body += shaded_cell(contraction(claim, static_cast<std::size_t>(depth), beta));
    body += "</tr>\n";
  }
  if (body.empty()) return "";
  return fmt::format(R"(<section id="contraction">
<h2>How often a bound falls with depth</h2>
<p>Share of the networks to which a bound applies on which C<sub>eff</sub> r<sub>0</sub>² &lt; 1 at depth {}: elsewhere
the bound grows with every layer, whatever the residual does.</p>
<div class="scroll" tabindex="0"><table class="narrow">
<thead><tr><th scope="col">bound</th>{}</tr></thead>
<tbody>
{}</tbody></table></div>
</section>
)",
                     depth, head, body);
}

}  // namespace rankfall::verify
