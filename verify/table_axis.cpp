#include "verify/table_axis.hpp"

#include <fmt/format.h>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"

namespace rankfall::verify {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Rational number(const std::string& axis, std::string_view text) {
  try {
    return parse_number(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--{}: {}", axis, error.what()));
  }
}

}  // namespace

Axis::Axis(std::string name, std::string_view text, const AxisRange& range) : name_(std::move(name)) {
  for (const std::string_view part : split(text, ',')) append(part, range);
}

void Axis::append(std::string_view part, const AxisRange& range) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("--{}: {} {}; allowed are {}", name_, in_quotes(part), why, range.allowed));
  };
  if (part.empty()) refuse("is empty: write a value, a list a,b,c or a range first:last:step");
  const std::vector<std::string_view> ends = split(part, ':');
  if (ends.size() > 3) refuse("is no range first:last or first:last:step");
  const Rational first = number(name_, ends[0]), last = ends.size() > 1 ? number(name_, ends[1]) : first,
                 step = ends.size() > 2 ? number(name_, ends[2]) : Rational(1);
  for (const Rational& end : {first, last})
    if (end < range.least || end > range.most || (range.integer && denominator(end) != 1))
      refuse(ends.size() > 1 ? "has an end out of range" : "is out of range");
  if (step <= 0 || (range.integer && denominator(step) != 1))
    refuse(range.integer ? "has a step that is no integer above 0" : "has a step that is not above 0");
  if (last < first) refuse("runs backwards: first must not exceed last");
  const Rational steps = (last - first) / step;
  Integer count = numerator(steps) / denominator(steps) + 1;
  size_ += count;
  stretches_.push_back({first, step, std::move(count)});
}

Rational Axis::at(long index) const {
  Integer left = index;
  for (const Stretch& stretch : stretches_) {
    if (left < stretch.count) return stretch.first + stretch.step * Rational(left);
    left -= stretch.count;
  }
  throw DomainError(fmt::format("axis {}: no value {}", name_, index));
}

}  // namespace rankfall::verify
