#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "verify/averages.hpp"
#include "verify/enclosure.hpp"
#include "verify/report/number_text.hpp"

namespace rankfall::verify {
namespace {

using Json = nlohmann::ordered_json;

constexpr int averages_digits = 8, interval_digits = 2, json_digits = 15;

std::string shown(const Ball& value) {
  return certified_text({value, value}, averages_digits, Notation::plain);
}

std::string interval(const Ball& value) {
  const EnclosureText ends = value_text(value, interval_digits);
  return fmt::format("[{}, {}]", ends.low, ends.high);
}

/// A sample proves and refutes nothing.
std::string outcome(const Confirmation& c) {
  if (!c.confidence || c.verdict == Verdict::inconclusive) return name(c.verdict);
  return c.verdict == Verdict::proved ? "consistent" : "missed";
}

std::string line(const Confirmation& c) {
  const std::string right =
      c.confidence ? fmt::format("{}, confidence {}", interval(c.right), *c.confidence) : shown(c.right);
  return fmt::format("  {:<10} {} {} {}\n             {}\n", outcome(c), shown(c.left), c.relation, right,
                     c.instance);
}

Json enclosure(const Ball& value) {
  const EnclosureText ends = value_text(value, json_digits);
  return {{"value", {ends.low, ends.high}}};
}

}  // namespace

std::string averages_text(const std::vector<Confirmation>& all) {
  std::string text, id;
  for (const Confirmation& c : all) {
    if (c.id != id) text += fmt::format("{}{}\n", id.empty() ? "" : "\n", c.id);
    id = c.id;
    text += line(c);
  }
  return text;
}

std::string averages_json(const std::vector<Confirmation>& all) {
  Json list = Json::array();
  for (const Confirmation& c : all)
    list.push_back({{"id", c.id},
                    {"instance", c.instance},
                    {"verdict", outcome(c)},
                    {"left", enclosure(c.left)},
                    {"relation", c.relation},
                    {"right", enclosure(c.right)},
                    {"confidence", c.confidence ? Json(*c.confidence) : Json(nullptr)}});
  return Json{{"format", "rankfall-averages/1"}, {"confirmations", list}}.dump(2) + "\n";
}

}  // namespace rankfall::verify
