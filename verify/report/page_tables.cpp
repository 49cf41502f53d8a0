#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "verify/report/html.hpp"
#include "verify/report/number_text.hpp"
#include "verify/report/page.hpp"

namespace rankfall::verify {
namespace {

constexpr int shown_digits = 3;

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
  if (all.count == 0) return "<td class=\"n\" data-v=\"NaN\"><span class=\"none\">\u2013</span></td>";
  return number_cell(sort_value(number), certified_text(number, shown_digits, Notation::html));
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

std::string claim_row(const Digest& digest) {
  const Claim& claim = *digest.claim;
  const VerdictCounts& counts = digest.counts;
  const bool held_true = claim.status() == theory::Status::proved;
  const std::string label = claim.label();
  const std::string rest = label.substr(claim.statement->id.size());
  return fmt::format(
             "<tr><th scope=\"row\" data-v=\"{}\"><b>{}</b>{}<small>{}</small></th>"
             "<td class=\"status {}\" data-v=\"{}\">{}</td>",
             escaped(label), escaped(claim.statement->id), escaped(rest), escaped(claim.statement->title),
             name(claim.status()), name(claim.status()), status_words(claim.status())) +
         count_cell(counts.proved) +
         count_cell(counts.refuted, counts.refuted == 0 ? "" : (held_true ? " bad" : " news")) +
         count_cell(counts.inapplicable) + count_cell(counts.inconclusive, counts.precision ? " bad" : "") +
         span_cell(digest.looseness, digest.looseness.least) +
         span_cell(digest.looseness, digest.looseness.median) +
         span_cell(digest.looseness, digest.looseness.greatest) +
         span_cell(digest.slack, digest.slack.least) + span_cell(digest.slack, digest.slack.median) +
         share_cell(digest.vacuous) + share_cell(digest.non_contracting) + "</tr>\n";
}

/// Networks by target beta, least first; unscaled ones under the empty text, last.
using ByBeta = std::vector<std::pair<std::string, Share>>;

ByBeta contraction(const Claim& claim, std::size_t depth) {
  std::map<Rational, Share> scaled;
  Share unscaled;
  bool any_unscaled = false;
  for (const Instance& instance : claim.instances) {
    const Decision& d = *instance.decision;
    if (d.depth != depth) continue;
    const auto& beta = instance.cell->cell.spec.beta;
    any_unscaled = any_unscaled || !beta;
    const auto falls = applies(d) && d.non_contracting ? std::optional(!*d.non_contracting) : std::nullopt;
    (beta ? scaled[*beta] : unscaled).count(falls);
  }
  ByBeta all;
  for (const auto& [beta, share] : scaled) all.emplace_back(to_text(beta), share);
  if (any_unscaled) all.emplace_back("", unscaled);
  return all;
}

std::string shaded_cell(const Share& share) {
  if (share.known == 0) return "<td class=\"n\"><span class=\"none\">\u2013</span></td>";
  return fmt::format("<td class=\"n shade\" style=\"--share:{}%\">{}<small>of {}</small></td>",
                     100 * share.yes / share.known, percentage(share.yes, share.known), share.known);
}

}  // namespace

std::string claims_section(const PageContent& content) {
  std::string text =
      "<section id=\"claims\">\n<h2>Verdicts and tightness by claim</h2>\n"
      "<p>One row an inequality. <i>Catalogue</i> is what is known of the claim in general: proved, or "
      "false, with a "
      "counterexample in the manual. The verdicts are of this grid. <i>Looseness</i> is the implied over the "
      "stated "
      "constant, 1 when the bound is attained; <i>slack</i> is log<sub>10</sub> of right over left, in "
      "decades. Both "
      "are taken where the claim applies, and show no digit that the enclosures do not support; a range "
      "stands where "
      "the minimal residual is known only between bounds. Click a heading to sort.</p>\n"
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"sortable\">\n<thead><tr "
      "class=\"over\"><td></td><td></td>"
      "<th colspan=\"4\" scope=\"colgroup\">verdicts</th><th colspan=\"3\" scope=\"colgroup\">looseness</th>"
      "<th colspan=\"2\" scope=\"colgroup\">slack</th><th colspan=\"2\" scope=\"colgroup\">of "
      "these</th></tr>\n<tr>" +
      heading("claim", "id of the statement", "") +
      heading("catalogue", "known of the claim in general", "") +
      heading("proved", "hold on the instance", "n") + heading("refuted", "fail on the instance", "n") +
      heading("inapplicable", "outside scope or hypotheses", "n") +
      heading("inconclusive", "sides not told apart", "n") + heading("least", "loosest instance", "n") +
      heading("median", "middle instance", "n") + heading("greatest", "tightest instance", "n") +
      heading("least", "decades", "n") + heading("median", "decades", "n") +
      heading("vacuous", "the bound exceeds the trivial one", "n") +
      heading("not contracting", "C r\u2080\u00b2 is at least 1", "n") + "</tr></thead>\n<tbody>\n";
  for (const Digest& digest : content.digests) text += claim_row(digest);
  return text + "</tbody></table></div>\n</section>\n";
}

std::string contraction_table(const PageContent& content) {
  const long depth = *std::max_element(content.grid.depth.begin(), content.grid.depth.end());
  std::string head, body;
  for (const Digest& digest : content.digests) {
    const Claim& claim = *digest.claim;
    if (!claim.bound->constant || claim.bound->span != theory::Bound::Span::depth) continue;
    const ByBeta shares = contraction(claim, static_cast<std::size_t>(depth));
    if (head.empty())
      for (const auto& [beta, share] : shares)
        head += fmt::format("<th scope=\"col\" class=\"n\">{}</th>",
                            beta.empty() ? "unscaled" : "\u03b2 = " + beta);
    body += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(claim.label()));
    for (const auto& [beta, share] : shares) body += shaded_cell(share);
    body += "</tr>\n";
  }
  if (body.empty()) return "";
  return fmt::format(
      "<section id=\"contraction\">\n<h2>How often a bound falls with depth</h2>\n"
      "<p>Share of the networks to which a bound applies on which C<sub>eff</sub> r<sub>0</sub>\u00b2 &lt; 1 "
      "at "
      "depth {}: elsewhere the bound grows with every layer, whatever the residual does.</p>\n"
      "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">bound</th>{}</tr></thead>\n"
      "<tbody>\n{}</tbody></table></div>\n</section>\n",
      depth, head, body);
}

}  // namespace rankfall::verify
