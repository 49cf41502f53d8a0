#include "verify/report/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "verify/row.hpp"

namespace rankfall::verify {
namespace {

using Kind = TextTable::Column::Kind;

constexpr std::size_t most_rows_on_a_page = 40;

std::string latex_words(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.compare(i, 3, "\u2013") == 0) {
      result += "--";
      i += 2;
    } else if (std::string("&%$#_{}").find(c) != std::string::npos) {
      result += std::string("\\") + c;
    } else if (c == '\\' || c == '~' || c == '^' || c == '|' || c == '<' || c == '>') {
      result += fmt::format("\\char{} ", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result;
}

/// "1.2e-7" as mathematics; anything that is no number as words.
std::string latex_number(const std::string& text) {
  if (const std::size_t at = text.find(" to "); at != std::string::npos)
    return latex_number(text.substr(0, at)) + " to " + latex_number(text.substr(at + 4));
  if (text == "inf" || text == "-inf") return text == "inf" ? "$\\infty$" : "$-\\infty$";
  if (text.empty() || text.find_first_not_of("0123456789.+-e") != std::string::npos) return latex_words(text);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return "$" + text + "$";
  return fmt::format("${}\\times10^{{{}}}$", text.substr(0, e), text.substr(e + 1));
}

std::string latex_cell(const std::string& text, Kind kind) {
  switch (kind) {
    case Kind::words:
      return latex_words(text);
    case Kind::number:
      return latex_number(text);
    case Kind::command:
      return "\\texttt{" + latex_words(text) + "}";
  }
  return {};
}

std::string pipe_cell(const std::string& text, Kind kind) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? "\\|" : std::string(1, c);
  return kind == Kind::command ? "`" + safe + "`" : safe;
}

}  // namespace

std::string markdown(const TextTable& table, const std::string& made) {
  std::string text = table.caption.empty() ? "" : table.caption + "\n\n";
  for (const auto& column : table.columns) text += "| " + pipe_cell(column.heading, Kind::words) + " ";
  text += "|\n";
  for (const auto& column : table.columns) text += column.kind == Kind::number ? "|---:" : "|---";
  text += "|\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      text += "| " + pipe_cell(row[c], table.columns[c].kind) + " ";
    text += "|\n";
  }
  return made.empty() ? text : text + "\n*" + made + "*\n";
}

std::string latex(const TextTable& table, const std::string& made) {
  const bool longer = table.rows.size() > most_rows_on_a_page;
  const char* environment = longer ? "longtable" : "tabular";
  std::string kinds, head;
  for (const auto& column : table.columns) {
    kinds += column.kind == Kind::number ? "r" : (column.kind == Kind::command ? "p{0.5\\linewidth}" : "l");
    head += (head.empty() ? "" : " & ") + latex_words(column.heading);
  }
  std::string text = fmt::format("% {}\n% {}\n% needs \\usepackage{{booktabs{}}}\n", table.caption, made,
                                 longer ? ",longtable" : "");
  text += fmt::format("\\begin{{{}}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n", environment, kinds, head);
  if (longer) text += "\\endhead\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      text += (c > 0 ? " & " : "") + latex_cell(row[c], table.columns[c].kind);
    text += " \\\\\n";
  }
  text += "\\bottomrule\n";
  if (!made.empty())
    text +=
        fmt::format("\\multicolumn{{{}}}{{l}}{{\\tiny {}}} \\\\\n", table.columns.size(), latex_words(made));
  return text + fmt::format("\\end{{{}}}\n", environment);
}

std::string latex_document(const std::vector<TextTable>& tables, const std::string& made) {
  std::string text = fmt::format(
      "% {}\n% pdflatex "
      "all.tex\n\\documentclass{{article}}\n\\usepackage[landscape,margin=1cm,a3paper]{{geometry}}\n"
      "\\usepackage{{booktabs,longtable}}\n\\begin{{document}}\n\\small\n",
      made);
  for (const TextTable& table : tables)
    text += fmt::format("\\section*{{{}}}\n\\noindent\\input{{{}.tex}}\n\n", latex_words(table.caption),
                        table.name);
  return text + "\\end{document}\n";
}

std::string csv(const std::vector<std::string>& headings, const std::vector<std::vector<std::string>>& rows) {
  const auto line = [](const std::vector<std::string>& fields) {
    std::string text;
    for (std::size_t i = 0; i < fields.size(); ++i) text += (i > 0 ? "," : "") + csv_field(fields[i]);
    return text + '\n';
  };
  std::string text = line(headings);
  for (const auto& row : rows) text += line(row);
  return text;
}

}  // namespace rankfall::verify
