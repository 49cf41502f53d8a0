// The tables once more by other means: MPFR numbers, from the powers themselves, and MPFR's own printing.
#include <doctest/doctest.h>

#include <array>
#include <sstream>

#include "numerics/real.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/table_text.hpp"

using namespace rankfall;
using namespace rankfall::verify;

namespace {

constexpr Precision working(3000);  // 3^400 alone takes 634 bits

const std::vector<std::string> ids = {"composite-diameter", "dong-2.3-repaired-sharp", "dong-2.3",
                                      "dong-2.3-v1"};
constexpr std::array depths{1L, 2L, 5L, 12L, 60L, 400L};

/// What a table is asked for, as it is written on a command line.
struct Constants {
  std::string tokens, heads, d_qk, beta, gamma, residual;
};

Real number(const std::string& text) {
  return rounded<Real>(parse_number(text));
}

/// log10 of sqrt(n-1), if paid, times C^((3^L-1)/2) r0^(3^L).
Real log10_bound(const std::string& id, const Constants& with, long depth) {
  const Real root = sqrt(number(with.d_qk)), weight = number(with.beta) * number(with.heads) / root;
  Real constant = 4 * weight, prefactor = 1;
  if (id == "composite-diameter") {
    constant = weight / 2;
    prefactor = sqrt(Real(number(with.tokens) - 1));
  }
  if (id == "dong-2.3-repaired-sharp") constant = sqrt(Real(3)) / 2 * weight;
  if (id == "dong-2.3") constant *= number(with.gamma);
  const Real cubed = pow(Real(3), static_cast<int>(depth));
  return log10(prefactor) + (cubed - 1) / 2 * log10(constant) + cubed * log10(number(with.residual));
}

/// As a table writes it, by MPFR.
std::string in_digits(const Real& value, int digits) {
  std::array<char, 160> text{};
  mpfr_snprintf(text.data(), text.size(), "%.*R*g", digits, MPFR_RNDN, value.backend().data());
  std::string result = text.data();
  if (const std::size_t e = result.find('e'); e != std::string::npos) {
    const std::string sign = result[e + 1] == '-' ? "-" : "";
    result = result.substr(0, e + 1) + sign + result.substr(result.find_first_of("123456789", e));
  }
  return result;
}

std::string written(const Real& log10, int digits) {
  if (abs(log10) < 10'000) return in_digits(pow(Real(10), log10), digits);
  return "10^(" + in_digits(log10, digits) + ")";
}

Table table(const Constants& with, int digits) {
  TableRequest request;
  for (const std::string& id : ids) request.statements.push_back(&theory::find_statement(id));
  request.axes = {{Constant::depth, "1,2,5,12,60,400"}, {Constant::tokens, with.tokens},
                  {Constant::heads, with.heads},        {Constant::d_qk, with.d_qk},
                  {Constant::beta, with.beta},          {Constant::gamma, with.gamma},
                  {Constant::residual, with.residual}};
  request.digits = digits;
  return Table(request);
}

std::string text(const Table& table, TableFormat format) {
  std::string result;
  write_table(table, format, [&](std::string_view piece) {
    result += piece;
    return true;
  });
  return result;
}

/// The cells of the lines that begin with a number, or with `|` and a number.
std::vector<std::vector<std::string>> cells(const std::string& text, char separator) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> row;
    std::istringstream parts(line);
    for (std::string part; std::getline(parts, part, separator);) {
      std::erase(part, ' ');
      if (!part.empty()) row.push_back(part);
    }
    if (!row.empty() && row.front().find_first_not_of("0123456789") == std::string::npos) rows.push_back(row);
  }
  return rows;
}

const std::vector<Constants> cases = {{"1000", "3", "7", "0.3", "5/4", "1/3"},
                                      {"1e30", "12", "64", "1e-40", "1/2", "1e10"},
                                      {"2", "1", "1", "5/7", "1", "0.99"}};

}  // namespace

TEST_CASE("every digit of a table is that of an independent computation") {
  const PrecisionScope scope(working);
  for (const Constants& with : cases)
    for (const int digits : {6, 15, 40}) {
      const auto rows = cells(text(table(with, digits), TableFormat::markdown), '|');
      REQUIRE(rows.size() == depths.size());
      for (std::size_t line = 0; line < depths.size(); ++line) {
        CAPTURE(depths[line]);
        REQUIRE(rows[line].size() == 1 + ids.size() + ids.size() - 1);
        const Real first = log10_bound(ids[0], with, depths[line]);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          CAPTURE(ids[i]);
          const Real log10 = log10_bound(ids[i], with, depths[line]);
          CHECK(rows[line][1 + i] == written(log10, digits));
          if (i > 0) CHECK(rows[line][ids.size() + i] == in_digits(Real(log10 - first), digits));
        }
      }
    }
}

TEST_CASE("the ends of a CSV table enclose an independent computation, as narrowly as was asked") {
  const PrecisionScope scope(working);
  for (const Constants& with : cases) {
    const auto rows = cells(text(table(with, 12), TableFormat::csv), ',');
    REQUIRE(rows.size() == depths.size());
    for (std::size_t line = 0; line < depths.size(); ++line)
      for (std::size_t i = 0; i < ids.size(); ++i) {
        CAPTURE(depths[line]);
        CAPTURE(ids[i]);
        const Real log10 = log10_bound(ids[i], with, depths[line]);
        const Real low = number(rows[line][constants + 2 * i]),
                   high = number(rows[line][constants + 2 * i + 1]);
        CHECK(low <= log10);
        CHECK(log10 <= high);
        CHECK(high - low <= Real(1e-12) * std::max(Real(1), Real(abs(log10))));
      }
  }
}
