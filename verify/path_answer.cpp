#include "verify/path_answer.hpp"

#include <algorithm>

#include "numerics/errors.hpp"
#include "verify/enclosure.hpp"

namespace rankfall::verify {
namespace {

using namespace theory;

constexpr long equal_digits = 60;  // identities agree to 10^-60 of their terms

Ball entry_bound(const BallMatrix& matrix, Precision p) {
  return upper(largest_entry(matrix, p), p);
}

/// `terms` are the largest entries of what forms the difference.
IdentityResult judge(const BallMatrix& difference, const std::vector<Ball>& terms, Precision p) {
  Ball largest;
  for (const Ball& term : terms) largest = max(largest, term, p);
  const Ball reach = entry_bound(difference, p);
  IdentityResult result{Verdict::inconclusive, Magnitude(reach, p), Magnitude(largest, p)};
  const Ball allowed = mul(lower(largest, p), Ball(power(Rational(10), -equal_digits), p), p);
  const auto* entries = difference.data();
  if (!std::all_of(entries, entries + difference.size(),
                   [](const Ball& entry) { return contains_zero(entry); }))
    result.verdict = Verdict::refuted;
  else if (certainly_less_equal(reach, allowed))
    result.verdict = Verdict::proved;
  return result;
}

PathAnswer answer_at(const Network& network, PathSums sums, Precision p) {
  const PathDecomposition found = path_decomposition(network, sums, p);
  PathAnswer answer;
  answer.sums = sums;
  answer.paths = found.paths;
  answer.bits = p.bits;
  std::vector<Ball> outputs{largest_entry(found.output, p)}, residuals{largest_entry(found.residual, p)};
  for (const PathsOfLength& part : found.lengths) {
    outputs.push_back(largest_entry(part.output, p));
    residuals.push_back(largest_entry(part.residual, p));
    if (part.paths == 0) continue;
    answer.shares.push_back({part.length, part.paths, Magnitude(composite_norm(part.output, p), p),
                             Magnitude(residual(part.residual, Reference::mean, p), p)});
  }
  answer.output = judge(found.output_difference, outputs, p);
  answer.residual = judge(found.residual_difference, residuals, p);
  answer.whole_output = Magnitude(composite_norm(found.output, p), p);
  answer.whole_residual = Magnitude(residual(found.residual, Reference::mean, p), p);
  return answer;
}

bool settled(const PathAnswer& answer, int digits) {
  bool good = answer.verdict() != Verdict::inconclusive && narrow_log10(answer.whole_output, digits) &&
              narrow_log10(answer.whole_residual, digits);
  for (const PathShare& share : answer.shares)
    good = good && narrow_log10(share.output, digits) && narrow_log10(share.residual, digits);
  return good;
}

}  // namespace

Verdict PathAnswer::verdict() const {
  if (output.verdict == Verdict::refuted || residual.verdict == Verdict::refuted) return Verdict::refuted;
  return output.verdict == Verdict::proved && residual.verdict == Verdict::proved ? Verdict::proved
                                                                                  : Verdict::inconclusive;
}

PathAnswer path_answer(const Network& network, const PathOptions& options) {
  validate(network);
  const PathSums sums = path_total(network) <= std::min(options.max_paths, most_enumerated_paths)
                            ? PathSums::enumerated
                            : PathSums::by_length;
  for (long bits = std::min(256L, options.max_bits);; bits = std::min(2 * bits, options.max_bits)) {
    try {
      PathAnswer answer = answer_at(network, sums, Precision(bits));
      if (settled(answer, options.digits) || bits == options.max_bits) return answer;
    } catch (const DomainError& error) {  // the states themselves are not known well enough yet
      if (bits == options.max_bits)
        throw PrecisionLimit("the network cannot be followed at " + std::to_string(bits) + " bits (" +
                             error.what() + "); raise --max-bits");
    }
  }
}

}  // namespace rankfall::verify
