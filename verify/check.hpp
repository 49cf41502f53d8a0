#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "numerics/san/measures.hpp"
#include "theory/catalogue/catalogue.hpp"
#include "verify/decide.hpp"

namespace rankfall::verify {

inline constexpr int most_digits = 1000;
inline constexpr long least_bits = 32, most_bits = 1'000'000;

/// What to check and how hard to try.
struct CheckOptions {
  theory::Statements known = {};        ///< must live as long as the results, which point into it
  std::vector<std::string> statements;  ///< ids; empty: all that is known
  std::vector<theory::Gamma> gammas = {
      {theory::Gamma::Kind::one, 1}, {theory::Gamma::Kind::sum_max, 1}, {theory::Gamma::Kind::max_ratio, 1}};
  int digits = 12;          ///< printed enclosures are no wider than 10^-digits max(1, |v|)
  unsigned threads = 1;     ///< that one check may use; results do not depend on it
  unsigned concurrent = 1;  ///< checks that run at a time and share the memory
  long start_bits = 128;
  long max_bits = 0;  ///< 0: 1024 + 32 for each block
};

/// lambda of one MLP block (docs/theory, `dong-3.2-mlp`).
struct Lipschitz {
  std::size_t block = 0;
  std::array<Magnitude, 3> local;  ///< about each reference, carried along from the input
  Magnitude global;                ///< product of norms
};

/// A network's states and verdicts.
struct CheckResult {
  Index tokens = 0, dim = 0;
  std::size_t depth = 0, blocks = 0;
  std::vector<std::string> kinds;  ///< of each state: "input", then the blocks'
  std::vector<StateMeasures> states;
  std::vector<Lipschitz> lipschitz;  ///< of the MLP blocks
  std::vector<Decision> decisions;
  long bits = 0;  ///< highest precision used

  /// Fills in what describes the network; states and decisions stay as they are.
  void describe(const Network& network);
  /// Whether all that is printed of the states is narrow enough for so many digits.
  bool narrow_states(int digits) const;
  bool refutes_a_true_statement() const;
  /// Decisions that more bits might settle.
  std::size_t undecided() const;
  bool lacks_precision() const { return undecided() > 0; }
};

/// Decides every statement on every layer and prefix, raising the precision until all is decided or its cause
/// is a gap or an equality, and all that will be printed is narrow enough, or the limit is reached. Throws
/// InputError for a broken network, an unknown statement, and a network that does not fit into the memory.
CheckResult check(const Network& network, const CheckOptions& options);

}  // namespace rankfall::verify
