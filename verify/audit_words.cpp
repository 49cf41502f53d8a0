#include "verify/audit_words.hpp"

#include <fmt/format.h>

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr std::size_t shown_parameters = 8;
constexpr int constant_digits = 51;
constexpr Precision constant_bits(256);

std::string plural(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::string description_words(const Refutation& r) {
  const std::string& text = r.description;
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

std::string ratio_words(const Refutation& r) {
  const Precision p(256);
  if (!r.right.certainly_positive()) return "left above zero, right zero";
  const EnclosureText text = value_text(div(r.left, r.right, p), audit_digits);
  return fmt::format("left/right in [{}, {}]", text.low, text.high);
}

std::string parameter_words(const Refutation& r) {
  std::string text;
  for (std::size_t i = 0; i < r.parameters.size() && i < shown_parameters; ++i)
    text += fmt::format("{}{} = {}", i ? ", " : "", r.parameters[i].name,
                        rankfall::to_text(r.parameters[i].value));
  if (r.parameters.size() > shown_parameters)
    text += fmt::format(", and {} more (in the JSON)", r.parameters.size() - shown_parameters);
  return text;
}

EnclosureText enclosed(const Constant& constant) {
  return value_text(constant.enclose(constant_bits), constant_digits);
}

std::string constant_words(const Constant& constant) {
  const EnclosureText value = enclosed(constant);
  std::string text = fmt::format("{} in [{}, {}]", constant.name, value.low, value.high);
  if (!constant.stand_in) return text;
  text += certified(constant, constant_bits) ? ", above " : ", not certified above ";
  return text + rankfall::to_text(*constant.stand_in);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string ground_words(const AuditedClaim& claim) {
  if (claim.verdict == Status::open) return "no evidence that decides";
  std::string text = claim.ground;
  if (claim.verdict == Status::refuted)
    return text + ", " + plural(claim.refutations.size(), "certified instance", "certified instances");
  if (claim.constructions)
    text += ", " + plural(*claim.constructions, "certified construction", "certified constructions");
  if (claim.intervals) text += fmt::format(", {} intervals of arithmetic", *claim.intervals);
  if (!claim.proof.empty()) text += ", " + claim.proof;
  if (!claim.symbolic.empty())
    text += ", " + plural(claim.symbolic.size(), "symbolic induction", "symbolic inductions");
  if (claim.sampled > 0) text += fmt::format("; {} sampled decisions, none against", claim.sampled);
  return text;
}

}  // namespace rankfall::verify
