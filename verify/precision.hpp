#pragma once
#include <optional>
#include <string>
#include <vector>

#include "numerics/san/arithmetics.hpp"
#include "verify/report/figure.hpp"

namespace rankfall::verify {

struct PrecisionOptions {
  std::vector<long> bits = {64, 128, 256};  ///< of mpfr, mpfi and ball
  bool times = true;                        ///< measure how long each evaluation takes
};

/// What one kind of number makes of a network in one form, held against the certified enclosure.
struct PrecisionRow {
  std::string arithmetic;
  long bits;
  Form form;
  bool encloses;
  std::optional<double> seconds;     ///< the fastest of three; nothing when times are not asked for
  std::vector<double> digits;        ///< of each state's composite diameter: at least so many are right
  std::optional<std::size_t> blind;  ///< first state of whose diameter no digit is right
  /// First state that violates the proved bound by the state before, and by how many powers of ten at least;
  /// of an enclosure nothing, it is never wrong.
  std::optional<std::size_t> refutes;
  double decades = 0;
  std::optional<std::size_t> vanishes;   ///< first state of zero diameter, where the true one is not zero
  std::optional<std::size_t> undecided;  ///< of an enclosure: first state on which the bound stays open
};

/// What one depth takes.
struct DepthNeed {
  std::size_t depth;
  std::optional<long>
      residual;  ///< least bits with which the residual recursion in balls decides every layer so far
  std::optional<long>
      direct;      ///< least bits with which the naive form in mpfr has one digit right at this depth
  long predicted;  ///< bits that the tokens share: log2 of the state's norm over its diameter
};

struct PrecisionStudy {
  std::size_t tokens, dim, depth;
  std::vector<PrecisionRow> rows;
  std::vector<DepthNeed> needs;
};

inline constexpr long most_direct_bits = 4096;  ///< beyond, `direct` is not searched for
inline constexpr std::size_t most_studied_blocks = 64;

/// Evaluates the network in every kind of number and form, beside `composite-diameter` decided with
/// certainty. Throws InputError for a network of other blocks than plain attention, or of more than
/// most_studied_blocks.
PrecisionStudy study_precision(const Network& network, const PrecisionOptions& options);

enum class PrecisionFormat { text, csv, json };
std::string precision_text(const PrecisionStudy& study, PrecisionFormat format);
/// Right digits by layer, on the tokens and on the residual, and the bits that a depth takes; not drawn yet.
std::vector<Figure> precision_figures(const PrecisionStudy& study);

}  // namespace rankfall::verify
