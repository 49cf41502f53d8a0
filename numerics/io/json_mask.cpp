#include "numerics/io/json_mask.hpp"

#include <fmt/format.h>

#include <utility>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"

namespace rankfall::json {

void MaskReader::text(std::string_view characters) {
  if (characters != "causal") refuse("the text " + in_quotes(characters));
  value = Mask::causal();
}

void MaskReader::begin_list() {
  row_.bit.bits.clear();
  row_.rows = row_.width = 0;
}

void MaskReader::Bit::accept(Rational number) {
  if (number != 0 && number != 1) refuse("another number");
  bits.push_back(number == 1);
}

void MaskReader::Row::end_list() {
  if (rows++ == 0) width = length;
  if (length != width || length == 0)
    throw InputError(fmt::format(
        "found a row of length {}; the rows of a mask are equally long, one entry for each token", length));
}

void MaskReader::end_list() {
  if (row_.rows != row_.width || row_.rows == 0)
    throw InputError(
        fmt::format("found {} rows of length {}; a mask is square, tokens x tokens", row_.rows, row_.width));
  value = Mask::listed(static_cast<Index>(row_.rows), std::exchange(row_.bit.bits, {}));
}

}  // namespace rankfall::json
