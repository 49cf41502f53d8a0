#include <fmt/format.h>

#include "verify/report/number_text.hpp"
#include "verify/report/tables.hpp"

namespace rankfall::verify {
namespace {

std::string three(const Distribution& d) {
  if (d.count == 0) return "| – | – | – ";
  std::string text;
  for (const Span* number : {&d.least, &d.median, &d.greatest})
    text += "| " + certified_text(*number, 3, Notation::plain) + " ";
  return text;
}

}  // namespace

std::string tightness_markdown(const std::vector<Digest>& digests, std::size_t networks) {
  std::string text = fmt::format(
      "# Tightness\n\n"
      "{} networks; one line a claim. Looseness is (left/right)^(2/(3^L-1)), at most 1 where the claim "
      "holds; slack is "
      "log10(right/left) in decades. Both over the instances to which the claim applies. Every digit is "
      "certified; a "
      "range stands where the enclosure (the gap between the bounds of the minimal residual, as a rule) is "
      "wider.\n\n"
      "| statement | catalogue | proved | refuted | inapplicable | inconclusive "
      "| looseness, least | median | greatest | slack, least | median | greatest | vacuous | non-contracting "
      "|\n"
      "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
      networks);
  for (const Digest& d : digests)
    text += fmt::format("| {} | {} | {} | {} | {} | {} {}{}| {} | {} |\n", d.claim->label(),
                        name(d.claim->status()), d.counts.proved, d.counts.refuted, d.counts.inapplicable,
                        d.counts.inconclusive, three(d.looseness), three(d.slack),
                        percentage(d.vacuous.yes, d.vacuous.known),
                        percentage(d.non_contracting.yes, d.non_contracting.known));
  return text;
}

}  // namespace rankfall::verify
