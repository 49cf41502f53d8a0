// Network to canonical text.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "numerics/io/activation_names.hpp"
#include "numerics/io/json_network.hpp"

namespace rankfall {
namespace {

/// Whether any program that reads JSON numbers as doubles gets the double nearest to this decimal text, and
/// shows it again with the same digits.
bool is_plain_json_number(std::string_view text) {
  if (text.find_first_of("/x") != std::string_view::npos) return false;
  const std::size_t exponent_at = text.find('e');
  const std::string_view mantissa = text.substr(0, exponent_at);
  if (exponent_at != std::string_view::npos &&
      std::abs(std::atol(std::string(text.substr(exponent_at + 1)).c_str())) > 300)
    return false;
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const auto significant = mantissa.substr(first, mantissa.find_last_of("123456789") - first + 1);
  return std::count_if(significant.begin(), significant.end(), [](char c) { return c != '.'; }) <= 15;
}

std::string number_text(const Rational& value) {
  const bool is_double = exact_double(value).has_value();
  // An odd number over 2^23 or more has over 15 decimal digits: no need to find out which.
  constexpr std::size_t bits_of_2_to_23 = 24;
  const bool is_long = is_double && mpz_sizeinbase(mpq_denref(value.backend().data()), 2) >= bits_of_2_to_23;
  std::string text = is_long ? "" : to_text(value);
  if (!is_long && is_plain_json_number(text)) return text;
  return fmt::format("\"{}\"", is_double ? *hexadecimal_text(value) : text);
}

/// Appends values, members and line breaks; the caller keeps the structure.
class Writer {
 public:
  void row(const ExactMatrix& matrix, Index row) {
    out_ += '[';
    for (Index col = 0; col < matrix.cols(); ++col) {
      if (col > 0) out_ += ", ";
      out_ += number_text(matrix(row, col));
    }
    out_ += ']';
  }

  void matrix(const ExactMatrix& matrix, int depth) {
    out_ += '[';
    for (Index i = 0; i < matrix.rows(); ++i) {
      next_line(i > 0, depth + 1);
      row(matrix, i);
    }
    next_line(false, depth);
    out_ += ']';
  }

  void key(std::string_view name, bool first, int depth) {
    next_line(!first, depth);
    out_ += fmt::format("\"{}\": ", name);
  }

  void next_line(bool comma, int depth) {
    if (comma) out_ += ',';
    out_ += '\n';
    out_.append(2 * static_cast<std::size_t>(depth), ' ');
  }

  Writer& operator<<(std::string_view text) { return out_ += text, *this; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

void write_member(Writer& out, const char* name, const ExactMatrix& matrix, bool first, int depth) {
  if (matrix.empty()) return;  // absent
  out.key(name, first, depth);
  if (name[0] == 'b')
    out.row(matrix, 0);
  else
    out.matrix(matrix, depth);
}

/// A vector in one line, whatever its name.
void write_vector(Writer& out, const char* name, const ExactMatrix& vector, bool first, int depth) {
  if (vector.empty()) return;
  out.key(name, first, depth);
  out.row(vector, 0);
}

void write_head(Writer& out, const Head& head, int depth) {
  out << "{";
  const int inner = depth + 1;
  if (head.fused) {
    write_member(out, "W_QK", head.W_QK, true, inner);
    out.key("d_qk", false, inner);
    out << std::to_string(head.d_qk);
    write_member(out, "W", head.W, false, inner);
  } else {
    write_member(out, "W_Q", head.W_Q, true, inner);
    write_member(out, "W_K", head.W_K, false, inner);
    write_member(out, "W_V", head.W_V, false, inner);
    write_member(out, "W_O", head.W_O, false, inner);
    write_member(out, "b_Q", head.b_Q, false, inner);
    write_member(out, "b_K", head.b_K, false, inner);
    write_member(out, "b_V", head.b_V, false, inner);
    write_member(out, "relative_keys", head.relative_keys, false, inner);
    write_member(out, "b_R", head.b_R, false, inner);
  }
  write_member(out, "score_bias", head.score_bias, false, inner);
  out.next_line(false, depth);
  out << "}";
}

void write_layer(Writer& out, const MlpBlock::Layer& layer, int depth) {
  out << "{";
  write_member(out, "W", layer.W, true, depth + 1);
  write_member(out, "b", layer.b, false, depth + 1);
  out.next_line(false, depth);
  out << "}";
}

template <class Item, class WriteItem>
void write_list(Writer& out, const std::vector<Item>& items, int depth, WriteItem write_item) {
  out << "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    out.next_line(i > 0, depth + 1);
    write_item(out, items[i], depth + 1);
  }
  if (!items.empty()) out.next_line(false, depth);
  out << "]";
}

void write_opening(Writer& out, std::string_view kind, const Rational& skip, int depth) {
  out << "{";
  out.key("kind", true, depth + 1);
  out << fmt::format("\"{}\"", kind);
  if (skip == 0) return;
  out.key("skip", false, depth + 1);
  out << number_text(skip);
}

void write_mask(Writer& out, const Mask& mask, int depth) {
  if (mask.none()) return;
  out.key("mask", false, depth);
  if (mask.is_causal()) {
    out << "\"causal\"";
    return;
  }
  out << "[";
  for (Index i = 0; i < mask.tokens(); ++i) {
    out.next_line(i > 0, depth + 1);
    for (Index j = 0; j < mask.tokens(); ++j) out << (j == 0 ? "[" : ", ") << (mask.allows(i, j) ? "1" : "0");
    out << "]";
  }
  out.next_line(false, depth);
  out << "]";
}

void write_fields(Writer& out, const Normalisation& norm, bool first, int depth) {
  out.key("of", first, depth);
  out << (norm.of == Normalisation::Of::token ? "\"token\"" : "\"column\"");
  if (norm.epsilon != 0) {
    out.key("epsilon", false, depth);
    out << number_text(norm.epsilon);
  }
  write_vector(out, "scale", norm.scale, false, depth);
  write_vector(out, "shift", norm.shift, false, depth);
}

void write_pre_norm(Writer& out, const std::optional<Normalisation>& norm, int depth) {
  if (!norm) return;
  out.key("pre_norm", false, depth);
  out << "{";
  write_fields(out, *norm, true, depth + 1);
  out.next_line(false, depth);
  out << "}";
}

struct BlockWriter {
  Writer& out;
  int depth;

  void operator()(const AttentionBlock& block) const {
    write_opening(out, "attention", block.skip, depth);
    write_mask(out, block.mask, depth + 1);
    write_pre_norm(out, block.pre_norm, depth + 1);
    out.key("heads", false, depth + 1);
    write_list(out, block.heads, depth + 1, write_head);
    write_member(out, "b_O", block.b_O, false, depth + 1);
    close();
  }
  void operator()(const MlpBlock& block) const {
    write_opening(out, "mlp", block.skip, depth);
    write_pre_norm(out, block.pre_norm, depth + 1);
    out.key("activation", false, depth + 1);
    out << fmt::format("\"{}\"", name_of(block.activation));
    out.key("layers", false, depth + 1);
    write_list(out, block.layers, depth + 1, write_layer);
    close();
  }
  void operator()(const Normalisation& block) const {
    write_opening(out, "norm", 0, depth);
    write_fields(out, block, false, depth + 1);
    close();
  }

 private:
  void close() const {
    out.next_line(false, depth);
    out << "}";
  }
};

}  // namespace

std::string write_network(const Network& network) {
  Writer out;
  out << "{";
  out.key("format", true, 1);
  out << "\"rankfall-network/1\"";
  write_member(out, "input", network.input, false, 1);
  out.key("blocks", false, 1);
  write_list(out, network.blocks, 1, [](Writer& to, const Block& block, int depth) {
    std::visit(BlockWriter{to, depth}, block);
  });
  out << "\n}\n";
  return out.take();
}

}  // namespace rankfall
