#include "numerics/io/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "numerics/errors.hpp"
#include "numerics/message.hpp"
#include "numerics/nearest.hpp"

namespace rankfall::json {
namespace {

std::string each_in_quotes(const std::vector<std::string_view>& words) {
  std::string result;
  for (const std::string_view word : words) result += (result.empty() ? "" : ", ") + in_quotes(word);
  return result;
}

/// "; did you mean "W_Q"?", or the end of the sentence.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& words) {
  const std::string meant = nearest(word, {words.begin(), words.end()});
  return meant.empty() ? "." : fmt::format("; did you mean {}?", in_quotes(meant));
}

}  // namespace

void SizeBudget::charge(std::size_t bits_each, std::size_t units) {
  const std::size_t left = max_bits_ - used_;
  if (bits_each > 0 && units > left / bits_each)
    throw InputError(
        fmt::format("with this entry the network takes more than {} MiB, the most that is allowed (every "
                    "number counts its exact bits, 64 at least)",
                    max_bits_ >> 23U));
  used_ += bits_each * units;
}

void SizeBudget::charge(const Rational& number) {
  charge(std::max<std::size_t>(64, bit_size(number)));
}

void SizeBudget::charge(double number) {
  int exponent = 0;
  const auto m = static_cast<std::uint64_t>(std::ldexp(std::fabs(std::frexp(number, &exponent)), 53));
  const int odd_bits = 53 - std::min(53, std::countr_zero(m)), last = exponent - odd_bits;  // odd * 2^last
  charge(static_cast<std::size_t>(std::max(64, odd_bits + std::abs(last) + 1)));
}

std::string NumberReader::expected() const {
  return "a number, or a string such as \"1/3\", \"1e-400\", \"0x1.8p-3\"";
}

void NumberReader::number(std::string_view decimal) {
  read(decimal);
}

void NumberReader::text(std::string_view characters) {
  read(characters);
}

void NumberReader::read(std::string_view text) {
  if (const std::optional<double> value = parse_double(text)) {
    budget_.charge(*value);
    accept_double(*value);
    return;
  }
  Rational value = parse_number(text);
  budget_.charge(value);
  accept(std::move(value));
}

std::string WholeNumberReader::expected() const {
  return fmt::format("a whole number from {} to {}", least_, greatest_);
}

void WholeNumberReader::accept(Rational number) {
  const bool whole = denominator(number) == 1;
  if (!whole || number < least_ || number > greatest_) {
    const std::string digits = bit_size(number) < 400
                                   ? to_text(number)
                                   : "a number of " + std::to_string(bit_size(number)) + " bits";
    refuse(whole ? digits : digits + ", which is not whole");
  }
  value = static_cast<std::int64_t>(numerator(number));
}

std::string WordReader::expected() const {
  return "one of " + each_in_quotes(words_);
}

void WordReader::text(std::string_view characters) {
  const auto word = std::find(words_.begin(), words_.end(), characters);
  if (word == words_.end())
    throw InputError(fmt::format("found {}{} Allowed: {}", in_quotes(characters),
                                 suggestion(characters, words_), each_in_quotes(words_)));
  value = *word;
}

std::string ObjectReader::expected() const {
  return "an object with the keys " + listed(keys_);
}

void ObjectReader::begin_object() {
  std::fill(seen_.begin(), seen_.end(), false);
  start();
}

ValueReader& ObjectReader::member(std::string_view key) {
  const auto known = std::find(keys_.begin(), keys_.end(), key);
  if (known == keys_.end())
    throw InputError(fmt::format("found the unknown key {}{} Keys allowed here: {}", in_quotes(key),
                                 suggestion(key, keys_), listed(keys_)));
  const auto index = static_cast<std::size_t>(known - keys_.begin());
  if (seen_[index])
    throw InputError(fmt::format("found the key {} twice; every key may stand once", in_quotes(key)));
  ValueReader& reader = value_of(*known);
  seen_[index] = true;
  return reader;
}

bool ObjectReader::seen(std::string_view key) const {
  const auto known = std::find(keys_.begin(), keys_.end(), key);
  return known != keys_.end() && seen_[static_cast<std::size_t>(known - keys_.begin())];
}

void ObjectReader::require(std::string_view key, std::string_view why) const {
  if (!seen(key)) throw InputError(fmt::format("the key {} is missing; {}", in_quotes(key), why));
}

}  // namespace rankfall::json
