#include "verify/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "numerics/errors.hpp"
#include "numerics/san/weight_product.hpp"

namespace rankfall::verify {
namespace {

/// A ball whose midpoint has at most this many bits holds them itself.
constexpr long inline_bits = 128;
constexpr long working_matrices = 3;  // tokens x tokens, beside the scores of each head

Integer ball_bytes(Precision p) {
  return Integer(sizeof(Ball)) + (p.bits <= inline_bits ? 0 : p.bits / 8 + 16);
}

/// Scores and values, which large heads keep in factors.
Integer weight_entries(const Head& head) {
  const Integer d = head.input_width(), d_out = head.output_width();
  Integer scores = d * d, values = d * d_out;
  if (!head.fused && stays_factored(head.input_width(), head.d_qk, head.input_width()))
    scores = 2 * d * head.d_qk;
  if (!head.fused && !head.W_O.empty() &&
      stays_factored(head.input_width(), head.W_V.cols(), head.output_width()))
    values = Integer(head.W_V.cols()) * (d + d_out);
  return scores + values;
}

Integer entries(const Network& network) {
  const Integer tokens = network.tokens();
  Integer all = tokens * network.dim() * Integer(network.blocks.size() + 1), largest = 0;
  for (const Block& block : network.blocks) {
    if (const auto* mlp = std::get_if<MlpBlock>(&block))
      for (const MlpBlock::Layer& layer : mlp->layers)
        all += Integer(layer.W.rows()) * layer.W.cols() + tokens * layer.W.cols();
    const auto* attention = std::get_if<AttentionBlock>(&block);
    if (!attention) continue;
    for (const Head& head : attention->heads) all += weight_entries(head);
    largest =
        std::max<Integer>(largest, tokens * tokens * Integer(attention->heads.size() + working_matrices));
  }
  return all + largest;
}

double gib(const Integer& bytes) {
  return bytes.convert_to<double>() / static_cast<double>(1L << 30);
}

}  // namespace

Integer working_bytes(const Network& network, Precision p) {
  return entries(network) * ball_bytes(p);
}

Integer available_bytes() {
  Integer result = Integer(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    result = std::min<Integer>(result, Integer(limit.rlim_cur));
  return result;
}

bool fits_memory(const Network& network, Precision p, unsigned shares) {
  return working_bytes(network, p) * shares <= available_bytes();
}

void require_memory(const Network& network, Precision p, unsigned shares) {
  if (fits_memory(network, p, shares)) return;
  throw InputError(fmt::format(
      "{} tokens of width {} in {} blocks take about {:.1f} GiB to follow at {} bits; {:.1f} GiB are "
      "available{}",
      network.tokens(), network.dim(), network.blocks.size(), gib(working_bytes(network, p)), p.bits,
      gib(available_bytes() / shares), shares > 1 ? fmt::format(" to each of {} threads", shares) : ""));
}

}  // namespace rankfall::verify
