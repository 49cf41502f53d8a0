#include "verify/table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "verify/enclosure.hpp"
#include "verify/report/number_text.hpp"

namespace rankfall::verify {
namespace {

constexpr std::size_t piece = std::size_t{1} << 16U;  // bytes handed on at once
constexpr long written_out = 10'000;  // |log10| from which a number is written as a power of ten
constexpr Precision writing(256);

Ball log10_of(const Magnitude& value) {
  return value.log10(Precision(std::max<long>(arb_bits(value.log2().raw()), writing.bits) + 64));
}

std::string certified(const Ball& value, int digits) {
  return certified_text({value, value}, digits, Notation::plain);
}

/// 1.5e-7 as 1.5 \times 10^{-7}, ranges with a word between.
std::string in_latex(const std::string& text) {
  if (const std::size_t to = text.find(" to "); to != std::string::npos)
    return in_latex(text.substr(0, to)) + " \\text{ to } " + in_latex(text.substr(to + 4));
  const std::size_t at = text.find('e');
  return at == std::string::npos ? text : text.substr(0, at) + " \\times 10^{" + text.substr(at + 1) + "}";
}

std::string decades_text(const Magnitude& ratio, int digits, bool latex) {
  const std::string text = certified(log10_of(ratio), digits);
  return latex ? in_latex(text) : text;
}

std::vector<Constant> all_constants() {
  std::vector<Constant> result;
  for (std::size_t i = 0; i < constants; ++i) result.push_back(static_cast<Constant>(i));
  return result;
}

const ConstantInfo& info(Constant constant) {
  return constant_infos()[static_cast<std::size_t>(constant)];
}

std::string value_of(const TableRow& row, Constant constant) {
  const Rational& value = row.values[static_cast<std::size_t>(constant)];
  return info(constant).range.integer ? numerator(value).str() : to_text(value);
}

/// One format: what stands before the rows, in each row and after them.
class Writer {
 public:
  explicit Writer(const Table& table) : table_(table) {}
  virtual ~Writer() = default;
  virtual std::string head() const = 0;
  virtual std::string line(const TableRow& row, bool first) const = 0;
  virtual std::string foot() const = 0;

 protected:
  bool compared(std::size_t i) const {
    const auto quantity = [&](std::size_t k) { return theory::scalar_quantity(*table_.statements()[k]); };
    return i > 0 && quantity(i) == quantity(0);
  }
  const std::string& id(std::size_t i) const { return table_.statements()[i]->id; }
  std::size_t bounds() const { return table_.statements().size(); }

  const Table& table_;
};

/// Cells in columns: the constants that vary, the bounds, the ratios.
class Cells : public Writer {
 public:
  Cells(const Table& table, bool latex) : Writer(table), latex_(latex) {
    for (const Constant constant : all_constants())
      if (constant == Constant::depth || table.varies(constant)) columns_.push_back(constant);
  }

 protected:
  std::vector<std::string> titles() const {
    std::vector<std::string> result;
    for (const Constant constant : columns_) result.push_back(info(constant).name);
    for (std::size_t i = 0; i < bounds(); ++i) result.push_back(id(i));
    for (std::size_t i = 0; i < bounds(); ++i)
      if (compared(i)) result.push_back(fmt::format("{} / {}, decades", id(i), id(0)));
    return result;
  }

  std::vector<std::string> cells(const TableRow& row) const {
    std::vector<std::string> result;
    for (const Constant constant : columns_) result.push_back(value_of(row, constant));
    for (const Magnitude& bound : row.bounds) result.push_back(number_text(bound, table_.digits(), latex_));
    for (const auto& ratio : row.ratios)
      if (ratio) result.push_back(decades_text(*ratio, table_.digits(), latex_));
    return result;
  }

  /// The constants that matter and are the same in every row.
  std::string fixed() const {
    std::string text;
    for (const Constant constant : all_constants()) {
      if (constant == Constant::depth || table_.varies(constant) || !table_.uses(constant)) continue;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", info(constant).name,
                          to_text(table_.value(constant)));
    }
    return text;
  }

  std::size_t key_columns() const { return columns_.size(); }

 private:
  std::vector<Constant> columns_;
  bool latex_;
};

class Markdown : public Cells {
 public:
  explicit Markdown(const Table& table) : Cells(table, false) {}
  std::string head() const override {
    const auto names = titles();
    std::string rule = "|";
    for (std::size_t i = 0; i < names.size(); ++i) rule += "---:|";
    const std::string same = fixed();
    return fmt::format("{}| {} |\n{}\n", same.empty() ? "" : same + "\n\n", fmt::join(names, " | "), rule);
  }
  std::string line(const TableRow& row, bool) const override {
    return fmt::format("| {} |\n", fmt::join(cells(row), " | "));
  }
  std::string foot() const override {
    std::string text = "\n";
    for (const std::string& note : table_.notes()) text += "- " + note + "\n";
    return text;
  }
};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("_%&#${}").find(c) != std::string_view::npos) result += '\\';
    result += c == '^' ? "\\textasciicircum{}" : c == '<' ? "$<$" : std::string(1, c);
  }
  return result;
}

class Latex : public Cells {
 public:
  explicit Latex(const Table& table) : Cells(table, true) {}
  std::string head() const override {
    std::vector<std::string> names = titles();
    for (std::string& name : names) name = escaped(name);
    const std::string same = fixed();
    return fmt::format(
        "% \\usepackage{{booktabs,amsmath}}\n{}\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n",
        same.empty() ? "" : "% " + same + "\n", std::string(names.size(), 'r'), fmt::join(names, " & "));
  }
  std::string line(const TableRow& row, bool) const override {
    std::vector<std::string> texts = cells(row);
    for (std::string& text : texts) text.insert(0, 1, '$').push_back('$');
    return fmt::format("{} \\\\\n", fmt::join(texts, " & "));
  }
  std::string foot() const override {
    std::string text = "\\bottomrule\n\\end{tabular}\n";
    for (const std::string& note : table_.notes()) text += "\\par " + escaped(note) + "\n";
    return text;
  }
};

class Csv : public Writer {
 public:
  using Writer::Writer;
  std::string head() const override {
    std::vector<std::string> names;
    for (const Constant constant : all_constants()) names.push_back(info(constant).name);
    const auto ends = [&](const std::string& name) {
      names.push_back(name + "_lo");
      names.push_back(name + "_hi");
    };
    for (std::size_t i = 0; i < bounds(); ++i) ends("log10_" + id(i));
    for (std::size_t i = 0; i < bounds(); ++i)
      if (compared(i)) ends(fmt::format("decades_{}_over_{}", id(i), id(0)));
    return fmt::format("{}\n", fmt::join(names, ","));
  }
  std::string line(const TableRow& row, bool) const override {
    std::vector<std::string> fields;
    for (const Constant constant : all_constants()) fields.push_back(value_of(row, constant));
    const auto ends = [&](const Magnitude& value) {
      const EnclosureText text = log10_text(value, table_.digits());
      fields.push_back(text.low);
      fields.push_back(text.high);
    };
    for (const Magnitude& bound : row.bounds) ends(bound);
    for (const auto& ratio : row.ratios)
      if (ratio) ends(*ratio);
    return fmt::format("{}\n", fmt::join(fields, ","));
  }
  std::string foot() const override { return {}; }
};

class Json : public Writer {
 public:
  using Writer::Writer;
  std::string head() const override {
    return fmt::format("{{\"format\":\"rankfall-table/1\",\"notes\":{},\"rows\":[",
                       nlohmann::json(table_.notes()).dump());
  }
  std::string line(const TableRow& row, bool first) const override {
    std::string constants_text;
    for (const Constant constant : all_constants()) {
      const char* quote = info(constant).range.integer ? "" : "\"";
      constants_text +=
          fmt::format("\"{}\":{}{}{},", info(constant).name, quote, value_of(row, constant), quote);
    }
    std::string text;
    for (std::size_t i = 0; i < bounds(); ++i) {
      text += fmt::format("{}\n{{\"statement\":\"{}\",{}\"bound\":{}", first && i == 0 ? "" : ",", id(i),
                          constants_text, ends(row.bounds[i]));
      if (row.ratios[i])
        text += fmt::format(",\"ratio\":{{\"to\":\"{}\",\"decades\":{}}}", id(0), ends(*row.ratios[i]));
      text += "}";
    }
    return text;
  }
  std::string foot() const override { return "\n]}\n"; }

 private:
  std::string ends(const Magnitude& value) const {
    const EnclosureText text = log10_text(value, table_.digits());
    return fmt::format("{{\"log10\":[\"{}\",\"{}\"]}}", text.low, text.high);
  }
};

std::unique_ptr<Writer> writer(const Table& table, TableFormat format) {
  switch (format) {
    case TableFormat::markdown:
      return std::make_unique<Markdown>(table);
    case TableFormat::csv:
      return std::make_unique<Csv>(table);
    case TableFormat::latex:
      return std::make_unique<Latex>(table);
    case TableFormat::json:
      return std::make_unique<Json>(table);
  }
  return {};
}

}  // namespace

std::string number_text(const Magnitude& value, int digits, bool latex) {
  const Ball log10 = log10_of(value);
  if (certainly_less(abs(log10), Ball(written_out))) {
    const std::string text = certified(value.to_ball(writing), digits);
    return latex ? in_latex(text) : text;
  }
  const std::string exponent = certified(log10, digits);
  return latex ? fmt::format("10^{{{}}}", in_latex(exponent)) : fmt::format("10^({})", exponent);
}

void write_table(const Table& table, TableFormat format, const Sink& sink) {
  const auto write = writer(table, format);
  std::string text = write->head();
  bool first = true, wanted = true;
  table.for_each([&](const TableRow& row) {
    text += write->line(row, first);
    first = false;
    if (text.size() < piece) return true;
    wanted = sink(text);
    text.clear();
    return wanted;
  });
  if (wanted) sink(text + write->foot());
}

}  // namespace rankfall::verify
