#include "theory/expression/print.hpp"

namespace rankfall::theory {
namespace {

enum class Level { sum, product, minus, power, atom };

std::string fraction_text(const Rational& value) {
  return numerator(value).str() + "/" + denominator(value).str();
}

std::string constant_text(const Rational& value) {
  if (denominator(value) == 1 || prefers_decimal(value)) return rankfall::to_text(value);
  return fraction_text(value);
}

Level level_of(const Expression& e) {
  switch (e.kind()) {
    case Kind::constant:
      if (denominator(e.value()) != 1 && !prefers_decimal(e.value())) return Level::product;
      return e.value() < 0 ? Level::minus : Level::atom;
    case Kind::add:
      return Level::sum;
    case Kind::multiply:
    case Kind::divide:
      return Level::product;
    case Kind::negate:
      return Level::minus;
    case Kind::power:
      return Level::power;
    default:
      return Level::atom;
  }
}

void print(const Expression& e, std::string& out);

void print_at(const Expression& e, Level least, std::string& out) {
  const bool parentheses = level_of(e) < least;
  if (parentheses) out += '(';
  print(e, out);
  if (parentheses) out += ')';
}

void print_list(const std::vector<Expression>& list, std::string& out) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ", ";
    print(list[i], out);
  }
}

void print_sum(const std::vector<Expression>& terms, std::string& out) {
  print_at(terms.front(), Level::product, out);
  for (std::size_t i = 1; i < terms.size(); ++i) {
    const bool minus = leads_with_minus(terms[i]);
    out += minus ? " - " : " + ";
    print_at(minus ? -terms[i] : terms[i], Level::product, out);
  }
}

void print_symbol(const Expression& e, std::string& out) {
  out += e.name();
  if (e.operands().empty()) return;
  out += '[';
  for (std::size_t i = 0; i < e.operands().size(); ++i) {
    if (i > 0) out += ',';
    print(e.operands()[i], out);
  }
  out += ']';
}

void print(const Expression& e, std::string& out) {
  const std::vector<Expression>& operands = e.operands();
  switch (e.kind()) {
    case Kind::constant:
      out += constant_text(e.value());
      return;
    case Kind::symbol:
      return print_symbol(e, out);
    case Kind::add:
      return print_sum(operands, out);
    case Kind::multiply:
      print_at(operands.front(), Level::product, out);
      for (std::size_t i = 1; i < operands.size(); ++i) {
        out += '*';
        print_at(operands[i], Level::power, out);
      }
      return;
    case Kind::divide:
      print_at(operands[0], Level::product, out);
      out += '/';
      return print_at(operands[1], Level::power, out);
    case Kind::negate:
      out += '-';
      return print_at(operands[0], Level::power, out);
    case Kind::power:
      print_at(operands[0], Level::atom, out);
      out += '^';
      return print_at(operands[1], Level::atom, out);
    case Kind::call:
    case Kind::sum:
    case Kind::prod:
      if (e.is(Kind::call))
        out += name_of(e.function());
      else
        (out += e.is(Kind::sum) ? "sum(" : "prod(") += e.name();
      out += e.is(Kind::call) ? "(" : ", ";
      print_list(operands, out);
      out += ')';
      return;
  }
}

}  // namespace

bool prefers_decimal(const Rational& value) {
  const std::string decimal = rankfall::to_text(value);
  return decimal.find('/') == std::string::npos && decimal.size() < fraction_text(value).size();
}

std::string to_text(const Expression& e) {
  std::string out;
  print(e, out);
  return out;
}

std::string to_short_text(const Expression& e, std::size_t length) {
  std::string text = to_text(e);
  if (text.size() <= length) return text;
  return text.substr(0, length / 2) + " ... " + text.substr(text.size() - length / 2);
}

}  // namespace rankfall::theory
