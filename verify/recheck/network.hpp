#pragma once
#include <optional>
#include <string>
#include <vector>

#include "verify/recheck/json.hpp"
#include "verify/recheck/number.hpp"

namespace rankfall::recheck {

/// Rows of exact entries; empty when absent.
struct Table {
  long rows = 0, cols = 0;
  std::vector<Rational> entries;
  const Rational& operator()(long i, long j) const { return entries[static_cast<std::size_t>(i * cols + j)]; }
  bool empty() const { return entries.empty(); }
};

/// One head, in either form of docs/formats; absent parts are empty.
struct Head {
  Table W_Q, W_K, W_V, W_O, b_Q, b_K, b_V;
  Table W_QK, W;
  long d_qk = 0;
  long input_width() const { return W_QK.empty() ? W_Q.rows : W_QK.rows; }
  long output_width() const { return !W.empty() ? W.cols : W_O.empty() ? W_V.cols : W_O.cols; }
};

/// Z -> skip Z + sum of the heads + bias, without normalisation and score biases.
struct Layer {
  Rational skip = 0;
  std::vector<Head> heads;
  Table b_O;
  std::vector<std::vector<long>> keys;  ///< that each query sees, in order

  /// Whether every query sees the same keys.
  bool keys_are_shared() const;
  /// Whether query i sees the keys up to i.
  bool is_causal() const;
};

/// Tokens and attention layers. A row of the input may stand for several equal tokens, a column of the last
/// state for several equal columns.
struct Network {
  Table input;
  std::vector<Layer> layers;
  std::vector<Integer> tokens, columns;  ///< how many each row (of the input), column (of the last state) is

  Integer token_count() const;
  /// Whether a row or column stands for more than one.
  bool folded() const;
};

/// Reads the keys `network` and, where they are, `tokens` and `columns` of a certificate. Throws InputError
/// naming the place for shapes that break and for what a recheck does not follow.
Network read_network(const Json& certificate);

/// A list of rows of one length. Throws InputError.
Table read_matrix(const Json& value);

/// A number of a certificate: a JSON number or a text, exactly.
Rational exact_number(const Json& value);

}  // namespace rankfall::recheck
