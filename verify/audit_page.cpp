// One page: every claim, what became of it, and on what that stands.
#include <fmt/format.h>

#include <algorithm>

#include "numerics/version.hpp"
#include "verify/audit_words.hpp"
#include "verify/enclosure.hpp"
#include "verify/report/html.hpp"
#include "verify/report/page_assets.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

/// What the report's style lacks.
constexpr char more_css[] = R"(
.verdict { font: 600 .78rem/1 var(--sans); letter-spacing: .02em; white-space: nowrap; padding: .2rem .5rem;
  border-radius: 1rem; border: 1.5px solid var(--kind); margin-left: .5rem; vertical-align: .1em; }
.open { --kind: var(--gamma); }
.claim { border-top: 1px solid var(--line); padding: 1.1rem 0 .6rem; scroll-margin-top: 1rem; }
.claim h3 { font-size: 1.02rem; margin: 0 0 .3rem; }
.claim h3 code { font-weight: 400; color: var(--muted); margin-left: .4rem; overflow-wrap: anywhere; }
.claim p { margin: .3rem 0 .7rem; max-width: 44rem; }
.claim dl { margin: 0; gap: .25rem 1.2rem; }
.claim dd { font-size: .92rem; line-height: 1.45; overflow-wrap: anywhere; }
.claim details { margin: .4rem 0; font-size: .92rem; }
.claim summary { cursor: pointer; font-family: var(--sans); font-size: .84rem; }
.claim ol, .claim ul { margin: .4rem 0; padding-left: 1.2rem; }
.claim li { margin: .25rem 0; overflow-wrap: anywhere; }
a { color: inherit; text-decoration-color: var(--muted); text-underline-offset: .15em; }
)";

std::size_t count(const std::vector<AuditedClaim>& claims, Status verdict) {
  return static_cast<std::size_t>(
      std::ranges::count_if(claims, [&](const AuditedClaim& claim) { return claim.verdict == verdict; }));
}

std::string tile(const char* kind, std::size_t number, const char* meaning) {
  return fmt::format("<li class=\"{0}\"><strong>{1}</strong> <span>{0}</span><p>{2}</p></li>\n", kind, number,
                     meaning);
}

std::string row(const char* term, const std::string& html) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", term, html);
}

std::string instance(const Refutation& r) {
  const EnclosureText left = log10_text(r.left, audit_digits), right = log10_text(r.right, audit_digits);
  std::string text =
      fmt::format("<li>{}: {}<br>log10 left at least {}, log10 right at most {}",
                  escaped(description_words(r)), escaped(ratio_words(r)), left.low, right.high);
  if (!r.parameters.empty())
    text += fmt::format("<code class=\"command\">{}</code>", escaped(parameter_words(r)));
  return text + "</li>\n";
}

std::string instances(const AuditedClaim& claim) {
  if (claim.refutations.empty()) return "";
  std::string text;
  for (const Refutation& r : claim.refutations) text += instance(r);
  return fmt::format(
      "<details{}><summary>{} certified {}, computed for this page</summary>\n<ul>\n{}</ul></details>\n",
      claim.refutations.size() == 1 ? " open" : "", claim.refutations.size(),
      claim.refutations.size() == 1 ? "instance" : "instances", text);
}

std::string inductions(const AuditedClaim& claim) {
  std::string text;
  for (const Proof& proof : claim.symbolic) {
    text += fmt::format("<details><summary>{}</summary>\n<ol>\n", escaped(proof.claim));
    for (const ProofStep& step : proof.steps)
      text += fmt::format("<li>{}: <code>{}</code></li>\n", escaped(step.words), escaped(step.text));
    text += fmt::format("</ol><p>{}</p></details>\n",
                        proof.proved() ? "Proved." : "Not proved: " + escaped(proof.failure));
  }
  return text;
}

/// Links to what stands on this page.
std::string links(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids)
    text += fmt::format("{}<a href=\"#{}\"><code>{}</code></a>", text.empty() ? "" : ", ", escaped(id),
                        escaped(id));
  return text;
}

std::string article(const AuditedClaim& claim) {
  const std::string verdict = name(claim.verdict);
  std::string text = fmt::format(
      "<article class=\"claim\" id=\"{0}\">\n<h3>{1}<code>{0}</code> <span class=\"verdict "
      "{2}\">{2}</span></h3>\n"
      "<p>{3}</p>\n<dl class=\"facts\">\n",
      escaped(claim.id), escaped(claim.title), verdict, escaped(claim.words));
  text += row("source", escaped(claim.source)) + row("ground", escaped(ground_words(claim)));
  for (const Constant& constant : claim.constants) text += row("constant", escaped(constant_words(constant)));
  if (!claim.replaced_by.empty()) text += row("true instead", links(claim.replaced_by));
  return text + "</dl>\n" + instances(claim) + inductions(claim) + "</article>\n";
}

std::string section(const char* id, const char* heading, const char* words,
                    const std::vector<AuditedClaim>& claims, bool of_paper) {
  std::string text = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p>{}</p>\n", id, heading, words);
  for (const AuditedClaim& claim : claims)
    if (claim.of_paper == of_paper) text += article(claim);
  return text + "</section>\n";
}

std::string summary(const std::vector<AuditedClaim>& claims) {
  const std::size_t proved = count(claims, Status::proved), refuted = count(claims, Status::refuted),
                    open = count(claims, Status::open);
  std::string text = fmt::format(
      "<section id=\"verdicts\">\n<h2 class=\"visually-hidden\">Verdicts</h2>\n<p class=\"lead\">{} claims. "
      "Refutations, symbolic proofs and interval proofs were computed while this page was written.</p>\n"
      "<div class=\"bar\" aria-hidden=\"true\">",
      claims.size());
  for (const auto& [kind, number] : {std::pair{"refuted", refuted}, {"open", open}, {"proved", proved}})
    if (number > 0) text += fmt::format("<i class=\"{}\" style=\"flex-grow:{}\"></i>", kind, number);
  text += "</div>\n<ul class=\"tiles\">\n" +
          tile("proved", proved, "On the ground named, with nothing in the evidence against it.") +
          tile("refuted", refuted, "By an instance whose left side is certified above the right.") +
          tile("open", open, "Nothing in the evidence decides.");
  return text + "</ul>\n</section>\n";
}

constexpr char words_section[] =
    "<section id=\"grounds\">\n<h2>Grounds</h2>\n<dl class=\"facts\">\n"
    "<dt>symbolic</dt><dd>Identities of exponents, decided exactly for every depth at once.</dd>\n"
    "<dt>machine-checked</dt><dd>Interval arithmetic covers every case.</dd>\n"
    "<dt>instance</dt><dd>Networks given by exact numbers, on which the claim is certified to fail, or to "
    "hold "
    "where it says that such networks exist.</dd>\n"
    "<dt>written-proof</dt><dd>A proof on the page named; where depth enters, its induction is symbolic too. "
    "Sampled decisions are those on random networks: none may stand against it.</dd>\n"
    "<dt>the paper</dt><dd>Dong, Cordonnier, Loukas, <i>Attention is not all you need: pure attention loses "
    "rank "
    "doubly exponentially with depth</i>, ICML 2021, arXiv 2103.03404.</dd>\n</dl>\n</section>\n";

}  // namespace

std::string audit_html(const std::vector<AuditedClaim>& claims) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>rankfall audit</title>\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n"
      "<header><p class=\"kicker\">rankfall {} \u00b7 audit</p>\n"
      "<h1>What is claimed of rank collapse, and what is true</h1></header>\n",
      page_css, more_css, build::version);
  text += summary(claims);
  text += section("paper", "Claims of the paper, in its order",
                  "As printed in its two versions, with the steps of its proofs.", claims, true);
  text += section("others", "Other statements and variants",
                  "Repairs, this project\u2019s theorems, and readings of the paper that do not hold.",
                  claims, false);
  return text + words_section + "</main>\n</body>\n</html>\n";
}

}  // namespace rankfall::verify
