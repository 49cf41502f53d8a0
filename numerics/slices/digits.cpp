#include "numerics/slices/digits.hpp"

namespace rankfall::slices {

// With W words in all, a lane holds x 2^(64 W - 1 - F) + bias, cut to an integer: the digits from the top
// down, each raised by half the base. The first has one bit more, because rounding may bring |x| up to
// 2^(F-1).

Digits::Digits(int slices, int bits) : slices_(slices), bits_(bits), words_((slices * bits + 9) / 64 + 1) {
  const auto set = [this](int bit) {
    bias_[static_cast<std::size_t>(bit / 64)] += std::uint64_t(1) << (bit % 64);
  };
  for (int t = 0; t < slices; ++t) set(64 * words_ - bits * t - 2);
  set(64 * words_ - bits * slices - 2);
}

void Digits::put_zero(int lane) {
  for (int w = 0; w < words_; ++w) lane_words_[w][lane] = bias_[static_cast<std::size_t>(w)];
}

void Digits::put(int lane, arf_srcptr x, long frame) {
  if (arf_is_special(x)) return put_zero(lane);
  mp_srcptr limbs;
  mp_size_t size;
  ARF_GET_MPN_READONLY(limbs, size, x);
  const long shift = frame + 1 - ARF_EXP(x);
  if (shift >= 64L * words_) return put_zero(lane);
  // Word w takes limb w - offset, of which `right` bits go to the word below.
  const long offset = words_ - size - shift / 64;
  const int right = static_cast<int>(shift % 64);
  const std::uint64_t sign = ARF_SGNBIT(x) ? ~std::uint64_t(0) : 0;
  const auto limb = [&](long i) -> std::uint64_t { return i >= 0 && i < size ? limbs[i] : 0; };
  unsigned __int128 sum = sign & 1;
  std::uint64_t low = limb(-offset) >> right;
  for (int w = 0; w < words_; ++w) {
    const std::uint64_t next = limb(w + 1 - offset);
    const std::uint64_t word = low | (next << 1) << (63 - right);
    low = next >> right;
    sum += static_cast<unsigned __int128>(word ^ sign) + bias_[static_cast<std::size_t>(w)];
    lane_words_[w][lane] = static_cast<std::uint64_t>(sum);
    sum >>= 64;
  }
}

void Digits::write(double* out, Index stride) const {
  const std::uint64_t one = std::bit_cast<std::uint64_t>(0x1p52);
  const double raised = 0x1p52 + static_cast<double>(std::uint64_t(1) << (bits_ - 1));
  for (int t = 0; t < slices_; ++t) {
    const int bit = 64 * words_ - 1 - bits_ * (t + 1), right = bit % 64;
    const std::uint64_t mask = (std::uint64_t(1) << (t == 0 ? bits_ + 1 : bits_)) - 1;
    const std::uint64_t *low = lane_words_[bit / 64], *high = lane_words_[bit / 64 + 1];
    double* const digits = out + t * stride;
    for (int lane = 0; lane < lanes; ++lane) {
      const std::uint64_t field = (low[lane] >> right | (high[lane] << 1) << (63 - right)) & mask;
      digits[lane] = std::bit_cast<double>(field | one) - raised;
    }
  }
}

}  // namespace rankfall::slices
