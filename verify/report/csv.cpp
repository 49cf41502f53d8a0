#include <fmt/format.h>

#include <iterator>

#include "verify/enclosure.hpp"
#include "verify/report/tables.hpp"

namespace rankfall::verify {
namespace {

constexpr char columns[] =
    "statement,gamma,depth,tokens,dim,heads,d_qk,beta,law,seed,verdict,reason,log10_left_lo,log10_left_hi,"
    "log10_right_lo,log10_right_hi,slack_lo,slack_hi,looseness_lo,looseness_hi,bits,quantity,from,to,"
    "reference,"
    "input_law,claim_status,non_contracting,vacuous\n";

/// RFC 4180.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string ends(const EnclosureText& text) {
  return text.low + ',' + text.high;
}

std::string truth(const std::optional<bool>& value) {
  return value ? (*value ? "true" : "false") : "";
}

std::string measures(const Decision& d, int digits) {
  if (!d.compared) return ",,,,,,,";
  return fmt::format("{},{},{},{}", ends(log10_text(d.left, digits)), ends(log10_text(d.right, digits)),
                     ends(value_text(d.slack, digits)),
                     d.looseness ? ends(value_text(*d.looseness, digits)) : ",");
}

}  // namespace

std::string tightness_csv(const std::vector<Instance>& instances, int digits) {
  std::string text = columns;
  const auto out = std::back_inserter(text);
  for (const Instance& instance : instances) {
    const GenerateSpec& spec = instance.cell->cell.spec;
    const Decision& d = *instance.decision;
    fmt::format_to(out, "{},{},{},{},{},{},{},{},{},{},{},{},", field(d.statement->id),
                   d.gamma ? field(name(*d.gamma)) : "", d.depth, spec.tokens, spec.dim, spec.heads,
                   query_width(spec), beta_text(spec), field(spec.law), spec.seed, name(d.verdict),
                   field(d.reason));
    fmt::format_to(out, "{},{},{},{},{},{},{},{},{},{}\n", measures(d, digits), d.bits, name(d.quantity),
                   d.from, d.to, d.reference, field(spec.input_law), name(d.claim()),
                   truth(d.non_contracting), truth(d.vacuous));
  }
  return text;
}

}  // namespace rankfall::verify
