#include "verify/report/page.hpp"

#include <fmt/format.h>

#include "numerics/version.hpp"
#include "verify/report/html.hpp"
#include "verify/report/inline_svg.hpp"
#include "verify/report/page_assets.hpp"

namespace rankfall::verify {
namespace {

VerdictCounts all_counts(const PageContent& content) {
  VerdictCounts all;
  for (const Digest& digest : content.digests) all.add(digest.counts);
  return all;
}

std::string tile(const char* kind, std::size_t count, const char* word, const std::string& meaning) {
  return fmt::format("<li class=\"{}\"><strong>{}</strong> <span>{}</span><p>{}</p></li>\n", kind,
                     grouped(count), word, meaning);
}

std::string bar(const VerdictCounts& counts) {
  std::string text = "<div class=\"bar\" aria-hidden=\"true\">";
  for (const auto& [kind, count] : {std::pair{"refuted", counts.refuted},
                                    {"inconclusive", counts.inconclusive},
                                    {"proved", counts.proved},
                                    {"inapplicable", counts.inapplicable}})
    if (count > 0) text += fmt::format("<i class=\"{}\" style=\"flex-grow:{}\"></i>", kind, count);
  return text + "</div>\n";
}

/// What became of the statements that are false in general.
std::string false_claims(const PageContent& content) {
  std::vector<std::pair<std::string, VerdictCounts>> by_statement;
  for (const Digest& digest : content.digests) {
    if (digest.claim->status() != theory::Status::refuted) continue;
    const std::string& id = digest.claim->statement->id;
    if (by_statement.empty() || by_statement.back().first != id)
      by_statement.emplace_back(id, VerdictCounts{});
    by_statement.back().second.add(digest.counts);
  }
  std::string failed, held;
  for (const auto& [id, counts] : by_statement) {
    const std::size_t decided = counts.proved + counts.refuted;
    if (decided == 0) continue;
    std::string& list = counts.refuted > 0 ? failed : held;
    list += fmt::format("{}<code>{}</code>", list.empty() ? "" : ", ", escaped(id));
    if (counts.refuted > 0)
      list += fmt::format(" on {} of {} instances", grouped(counts.refuted), grouped(decided));
  }
  std::string text;
  if (!failed.empty()) text += "False in general, and refuted here: " + failed + ". ";
  if (!held.empty()) text += "False in general, yet never failing on these networks: " + held + ". ";
  return text;
}

/// What the reader came to know, in a sentence or two.
std::string finding(const PageContent& content, const VerdictCounts& counts) {
  std::size_t contradictions = 0;
  for (const Digest& digest : content.digests) {
    if (digest.claim->status() == theory::Status::proved) contradictions += digest.counts.refuted;
  }
  std::string text =
      contradictions == 0
          ? "No statement held true was refuted. "
          : fmt::format("<b>{} instances contradict statements held true; they stand above.</b> ",
                        grouped(contradictions));
  text += counts.precision == 0
              ? "Nothing was left undecided for lack of precision. "
              : fmt::format("{} were left undecided for lack of precision. ", grouped(counts.precision));
  return text + false_claims(content);
}

}  // namespace

std::string exceptions_section(const PageContent& content) {
  constexpr std::size_t most_shown = 50;
  const std::vector<Instance> all = exceptional(content.digests);
  if (all.empty()) return "";
  const bool contradiction = contradicts_theory(*all.front().decision);
  std::string text =
      fmt::format("<section class=\"alarm\" id=\"exceptions\"><h2>{}</h2>\n<ul>\n",
                  contradiction ? "A statement held true was refuted" : "Undecided for lack of precision");
  for (std::size_t i = 0; i < all.size() && i < most_shown; ++i) {
    const Decision& d = *all[i].decision;
    text += fmt::format("<li><b>{}</b>{}: {}, states {} to {}: {}<code class=\"command\">{}</code></li>\n",
                        escaped(d.statement->id), d.gamma ? ", gamma " + escaped(name(*d.gamma)) : "",
                        escaped(cell_text(all[i].cell->cell.spec)), d.from, d.to,
                        contradicts_theory(d) ? "left side certified above the right side"
                                              : "the sides still overlap at the precision limit",
                        escaped(reproduction(all[i])));
  }
  text += "</ul>\n";
  if (all.size() > most_shown)
    text += fmt::format("<p>{} more are listed in verdicts.json.</p>\n", grouped(all.size() - most_shown));
  return text + "</section>\n";
}

std::string summary_section(const PageContent& content) {
  const VerdictCounts counts = all_counts(content);
  std::string gaps;
  if (counts.inconclusive > 0)
    gaps = fmt::format(
        " {} for the gap between the bounds of the minimal residual, {} for equality, {} for precision.",
        grouped(counts.gap), grouped(counts.equality), grouped(counts.precision));
  return fmt::format(
             "<section id=\"verdicts\">\n<h2 class=\"visually-hidden\">Verdicts</h2>\n"
             "<p class=\"lead\">{} inequalities on {} random attention networks, every one decided with an "
             "enclosure behind it. {}</p>\n",
             grouped(counts.total()), grouped(content.results.size()), finding(content, counts)) +
         bar(counts) + "<ul class=\"tiles\">\n" +
         tile("proved", counts.proved, "proved",
              "Hypotheses certified, left side certified at most the right side.") +
         tile("refuted", counts.refuted, "refuted",
              "Hypotheses certified, left side certified above the right side.") +
         tile("inapplicable", counts.inapplicable, "inapplicable",
              "Outside the statement\u2019s scope, or its hypotheses are not certified.") +
         tile("inconclusive", counts.inconclusive, "inconclusive",
              "Hypotheses certified, the sides not told apart." + gaps) +
         "</ul>\n</section>\n";
}

std::string figures_section(const FigureGroup& group) {
  if (group.figures.empty()) return "";
  std::string text = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p>{}</p>\n<div class=\"figures\">\n",
                                 group.id, escaped(group.heading), group.caption);
  for (const Figure& figure : group.figures)
    text += fmt::format("<figure>{}<figcaption>{}.svg, .pdf, .dat</figcaption></figure>\n",
                        inline_svg(figure), escaped("figures/" + figure.name));
  return text + "</div>\n</section>\n";
}

std::string page_html(const PageContent& content) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>rankfall report</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      page_css);
  text += exceptions_section(content);
  text += fmt::format(
      "<header><p class=\"kicker\">rankfall {} \u00b7 report</p>\n"
      "<h1>Do the bounds on rank collapse hold, and how tight are they?</h1></header>\n",
      build::version);
  text += summary_section(content);
  for (const FigureGroup& group : content.groups) {
    text += figures_section(group);
    if (group.id == "seeds") text += seeds_html(content);
    if (group.id == "hypotheses") text += margins_html(content);
    if (group.id == "collapse") text += claims_section(content);
    if (group.id == "networks")
      text += contraction_table(content) + heat_section(content.heat, content.choices);
  }
  text += extremes_section(content);
  text += method_section(content);
  return text + fmt::format("</main>\n<script>\n{}</script>\n</body>\n</html>\n", page_js);
}

}  // namespace rankfall::verify
