#include "verify/report/inline_svg.hpp"

#include <fmt/format.h>

#include <iterator>
#include <regex>

#include "verify/report/html.hpp"

namespace rankfall::verify {
namespace {

std::string property(std::size_t ordinal) {
  return fmt::format("--ordinal-{}", ordinal + 1);
}

/// "#d55e00" as gnuplot prints it, blanks apart: "rgb(213,94,0)".
std::string rgb(const std::string& hex) {
  const auto part = [&](std::size_t at) { return std::stoi(hex.substr(at, 2), nullptr, 16); };
  return fmt::format("rgb({},{},{})", part(1), part(3), part(5));
}

std::vector<std::pair<std::string, std::string>> palette() {
  std::vector<std::pair<std::string, std::string>> names = {
      {colour::ink, "--ink"},     {colour::muted, "--muted"},       {colour::line, "--line"},
      {colour::paper, "--paper"}, {colour::paper_gamma, "--gamma"}, {colour::repaired, "--repaired"},
      {colour::sharp, "--sharp"}, {colour::diameter, "--diameter"}, {colour::own, "--own"}};
  for (std::size_t i = 0; i < std::size(colour::ordinal); ++i)
    names.emplace_back(colour::ordinal[i], property(i));
  for (auto& [colour, name] : names) colour = rgb(colour);
  return names;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// Invisible marks with their words.
std::string hover_part(const Figure& figure) {
  std::string text;
  for (const Hover& hover : figure.hovers)
    text += fmt::format(
        "<circle class=\"hover\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\"><title>{}</title></circle>\n", hover.x,
        hover.y, escaped(hover.text));
  return text;
}

}  // namespace

std::string inline_svg(const Figure& figure) {
  // What gnuplot always writes and a page has no use for: its own titles, filters, background, empty groups,
  // fonts.
  static const std::regex titles("<title>[^<]*</title>|<desc>[^<]*</desc>"),
      filters("<filter[\\s\\S]*?</filter>"), background("<rect x=\"0\" y=\"0\"[^>]*fill=\"#ffffff\"/>"),
      empty_groups("<g [^>]*>\\s*</g>"), fonts(" font-family=\"sans-serif\" ?"), blanks("\\s*\\n\\s*"),
      colours("rgb\\( *(\\d+), *(\\d+), *(\\d+)\\)"), ids("\\bid=['\"]([^'\"]*)['\"]");
  std::string text = figure.svg.substr(figure.svg.find('>', figure.svg.find("<svg")) + 1);
  for (const auto& [pattern, by] : {std::pair{&titles, ""},
                                    {&filters, ""},
                                    {&background, ""},
                                    {&fonts, " "},
                                    {&empty_groups, ""},
                                    {&colours, "rgb($1,$2,$3)"},
                                    {&blanks, "\n"}})
    text = std::regex_replace(text, *pattern, by);
  for (const auto& [colour, name] : palette()) replace_all(text, colour, "var(" + name + ")");
  replace_all(text, "\"black\"", "\"var(--ink)\"");
  text = std::regex_replace(text, ids, "id=\"" + figure.name + "-$1\"");
  replace_all(text, "url(#", "url(#" + figure.name + "-");
  replace_all(text, "xlink:href='#", "href='#" + figure.name + "-");
  text.insert(text.rfind("</svg>"), hover_part(figure));
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", figure.canvas.width,
                     figure.canvas.height, escaped(figure.title + ". " + figure.description)) +
         text;
}

}  // namespace rankfall::verify
