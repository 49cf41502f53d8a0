#include "verify/report/tables.hpp"
#include "verify/row.hpp"

namespace rankfall::verify {

std::string tightness_csv(const std::vector<Instance>& instances, int digits) {
  std::string text = csv_header();
  for (const Instance& instance : instances) text += csv_line(row_of(instance, digits));
  return text;
}

std::string margins_csv(const std::vector<Instance>& instances, int digits) {
  std::string text = margin_csv_header();
  for (const Instance& instance : instances)
    if (!instance.decision->hypotheses.empty())
      text += margin_csv_lines(row_of(instance, digits), hypothesis_rows(*instance.decision, digits));
  return text;
}

}  // namespace rankfall::verify
