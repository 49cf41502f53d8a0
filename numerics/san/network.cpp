#include "numerics/san/network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/errors.hpp"

namespace rankfall {
namespace {

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw InputError(place + ": " + why);
}

std::string shape(Index rows, Index cols) {
  return fmt::format("{} x {}", rows, cols);
}
std::string shape(const ExactMatrix& matrix) {
  return shape(matrix.rows(), matrix.cols());
}

/// One matrix of a network and how messages call it.
struct Named {
  const ExactMatrix& matrix;
  std::string place;  // "blocks[2].heads[0]"
  std::string name;   // "W_K"

  std::string path() const { return place + "." + name; }
};

void require_present(const Named& named) {
  if (named.matrix.empty())
    refuse(named.path(), fmt::format("found a matrix of shape {}; it needs at least one row and one column",
                                     shape(named.matrix)));
}

/// `why` continues "must be R x C, ".
void require_shape(const Named& named, Index rows, Index cols, const std::string& why) {
  if (named.matrix.rows() != rows || named.matrix.cols() != cols)
    refuse(named.path(),
           fmt::format("found shape {}; it must be {}, {}", shape(named.matrix), shape(rows, cols), why));
}

/// An absent vector is empty and means zero.
void require_bias(const Named& named, Index length, const std::string& why) {
  if (named.matrix.rows() == 0 && named.matrix.cols() == 0) return;
  require_shape(named, 1, length, why);
}

void require_rows(const Named& named, Index tokens, Index width) {
  require_present(named);
  if (named.matrix.rows() != width)
    refuse(named.path(), fmt::format("found shape {}; it must have {} rows, because the state it reads is {} "
                                     "(tokens x d)",
                                     shape(named.matrix), width, shape(tokens, width)));
}

void validate_factored(const Head& head, const std::string& place, Index tokens, Index width) {
  const auto named = [&](const ExactMatrix& matrix, const char* name) { return Named{matrix, place, name}; };
  require_rows(named(head.W_Q, "W_Q"), tokens, width);
  const std::string like_query = "like W_Q, which is " + shape(head.W_Q);
  require_shape(named(head.W_K, "W_K"), head.W_Q.rows(), head.W_Q.cols(), like_query);
  require_rows(named(head.W_V, "W_V"), tokens, width);
  if (head.d_qk != head.W_Q.cols())
    refuse(place + ".d_qk",
           fmt::format("found {}; W_Q is {}, so it must be {}", head.d_qk, shape(head.W_Q), head.W_Q.cols()));
  if (!head.W_O.empty() && head.W_O.rows() != head.W_V.cols())
    refuse(place + ".W_O", fmt::format("found shape {}; it must have {} rows, because W_V is {}",
                                       shape(head.W_O), head.W_V.cols(), shape(head.W_V)));
  require_bias(named(head.b_Q, "b_Q"), head.W_Q.cols(), "because W_Q is " + shape(head.W_Q));
  require_bias(named(head.b_K, "b_K"), head.W_K.cols(), "because W_K is " + shape(head.W_K));
  require_bias(named(head.b_V, "b_V"), head.W_V.cols(), "because W_V is " + shape(head.W_V));
  if (!head.W_QK.empty() || !head.W.empty())
    refuse(place, "found W_QK or W beside W_Q, W_K, W_V; a head takes one form or the other");
}

void validate_fused(const Head& head, const std::string& place, Index tokens, Index width) {
  require_present({head.W_QK, place, "W_QK"});
  require_shape({head.W_QK, place, "W_QK"}, width, width,
                "square, because the state it reads is " + shape(tokens, width) + " (tokens x d)");
  require_rows({head.W, place, "W"}, tokens, width);
  if (head.d_qk < 1)
    refuse(place + ".d_qk", fmt::format("found {}; it must be a whole number of at least 1", head.d_qk));
  for (const ExactMatrix* other :
       {&head.W_Q, &head.W_K, &head.W_V, &head.W_O, &head.b_Q, &head.b_K, &head.b_V})
    if (!other->empty())
      refuse(place, "found a factor or a bias beside W_QK; a head in the form W_QK, d_qk, W takes neither");
}

/// Scores that depend on the row, of a head in either form.
void validate_row_biases(const Head& head, const std::string& place, Index tokens) {
  if (head.fused && (!head.relative_keys.empty() || !head.b_R.empty()))
    refuse(
        place,
        "found relative_keys or b_R beside W_QK; they need the queries of a head in the form W_Q, W_K, W_V");
  if (!head.relative_keys.empty())
    require_shape(
        {head.relative_keys, place, "relative_keys"}, 2 * tokens - 1, head.d_qk,
        fmt::format("a row for each distance of two of the {} tokens, and columns like W_Q", tokens));
  if (!head.b_R.empty() && head.relative_keys.empty())
    refuse(place + ".b_R", "found b_R without relative_keys, with which it is multiplied");
  require_bias({head.b_R, place, "b_R"}, head.d_qk, fmt::format("because a query has {} columns", head.d_qk));
  if (!head.score_bias.empty())
    require_shape({head.score_bias, place, "score_bias"}, tokens, tokens, "tokens x tokens");
}

void validate_mask(const Mask& mask, const std::string& place, Index tokens) {
  if (!mask.is_listed()) return;
  if (mask.tokens() != tokens)
    refuse(place, fmt::format("found shape {}; it must be {}, tokens x tokens",
                              shape(mask.tokens(), mask.tokens()), shape(tokens, tokens)));
  for (Index i = 0; i < tokens; ++i) {
    bool any = false;
    for (Index j = 0; j < tokens && !any; ++j) any = mask.allows(i, j);
    if (!any)
      refuse(fmt::format("{}[{}]", place, i),
             "found a row without a 1; every query must see at least one key");
  }
}

void validate_normalisation(const Normalisation& norm, const std::string& place, Index tokens, Index width) {
  const std::string why = "because the state it reads is " + shape(tokens, width) + " (tokens x d)";
  require_bias({norm.scale, place, "scale"}, width, why);
  require_bias({norm.shift, place, "shift"}, width, why);
  if (norm.epsilon < 0) refuse(place + ".epsilon", "found a negative number; it must be at least 0");
  const bool of_token = norm.of == Normalisation::Of::token;
  if (norm.epsilon == 0 && (of_token ? width : tokens) == 1)
    refuse(place + ".epsilon",
           fmt::format("found 0, but {} has only one entry, whose variance is zero; epsilon must be above 0",
                       of_token ? "a token" : "a column"));
}

void validate_pre_norm(const std::optional<Normalisation>& norm, const std::string& place, Index tokens,
                       Index width) {
  if (norm) validate_normalisation(*norm, place + ".pre_norm", tokens, width);
}

void validate_skip(const Rational& skip, const std::string& place, Index width_in, Index width_out) {
  if (skip != 0 && width_in != width_out)
    refuse(place + ".skip",
           fmt::format("found a skip, but the block turns {} columns into {}; a skip needs equal "
                       "widths",
                       width_in, width_out));
}

void validate_block(const AttentionBlock& block, const std::string& place, Index tokens, Index width) {
  validate_pre_norm(block.pre_norm, place, tokens, width);
  validate_mask(block.mask, place + ".mask", tokens);
  if (block.heads.empty()) refuse(place + ".heads", "found no head; an attention block needs at least one");
  const Index width_out = block.heads.front().output_width();
  for (std::size_t h = 0; h < block.heads.size(); ++h) {
    const Head& head = block.heads[h];
    const std::string head_place = fmt::format("{}.heads[{}]", place, h);
    if (head.fused)
      validate_fused(head, head_place, tokens, width);
    else
      validate_factored(head, head_place, tokens, width);
    validate_row_biases(head, head_place, tokens);
    if (head.output_width() != width_out) {
      const ExactMatrix& last = head.fused ? head.W : head.W_O.empty() ? head.W_V : head.W_O;
      const char* name = head.fused ? ".W" : head.W_O.empty() ? ".W_V" : ".W_O";
      refuse(head_place + name,
             fmt::format("found shape {}; it must have {} columns, because {}.heads[0] puts out "
                         "{}",
                         shape(last), width_out, place, shape(tokens, width_out)));
    }
  }
  require_bias({block.b_O, place, "b_O"}, width_out, "because the heads put out " + shape(tokens, width_out));
  validate_skip(block.skip, place, width, width_out);
}

void validate_block(const MlpBlock& block, const std::string& place, Index tokens, Index width) {
  validate_pre_norm(block.pre_norm, place, tokens, width);
  if (block.layers.empty()) refuse(place + ".layers", "found no layer; an mlp block needs at least one");
  Index current = width;
  for (std::size_t l = 0; l < block.layers.size(); ++l) {
    const MlpBlock::Layer& layer = block.layers[l];
    const std::string layer_place = fmt::format("{}.layers[{}]", place, l);
    require_rows({layer.W, layer_place, "W"}, tokens, current);
    current = layer.W.cols();
    require_bias({layer.b, layer_place, "b"}, current, "because W is " + shape(layer.W));
  }
  validate_skip(block.skip, place, width, current);
}

void validate_block(const Normalisation& block, const std::string& place, Index tokens, Index width) {
  validate_normalisation(block, place, tokens, width);
}

}  // namespace

std::size_t Network::depth() const {
  return static_cast<std::size_t>(std::count_if(blocks.begin(), blocks.end(), [](const Block& block) {
    return std::holds_alternative<AttentionBlock>(block);
  }));
}

bool is_plain(const AttentionBlock& block) {
  return block.mask.none() && !block.pre_norm &&
         std::none_of(block.heads.begin(), block.heads.end(),
                      [](const Head& head) { return head.has_row_biases(); });
}

Index output_width(const Block& block, Index input_width) {
  if (const auto* attention = std::get_if<AttentionBlock>(&block))
    return attention->heads.empty() ? input_width : attention->heads.front().output_width();
  if (const auto* mlp = std::get_if<MlpBlock>(&block))
    return mlp->layers.empty() ? input_width : mlp->layers.back().W.cols();
  return input_width;
}

std::string kind(const Block& block) {
  return std::holds_alternative<AttentionBlock>(block) ? "attention"
         : std::holds_alternative<MlpBlock>(block)     ? "mlp"
                                                       : "norm";
}

Rational skip(const Block& block) {
  if (const auto* attention = std::get_if<AttentionBlock>(&block)) return attention->skip;
  if (const auto* mlp = std::get_if<MlpBlock>(&block)) return mlp->skip;
  return 0;
}

const std::optional<Normalisation>& pre_norm(const Block& block) {
  static const std::optional<Normalisation> none;
  if (const auto* attention = std::get_if<AttentionBlock>(&block)) return attention->pre_norm;
  if (const auto* mlp = std::get_if<MlpBlock>(&block)) return mlp->pre_norm;
  return none;
}

void validate(const Network& network) {
  if (network.input.empty())
    refuse("input", fmt::format("found shape {}; it needs at least one row (token) and one column",
                                shape(network.input)));
  Index width = network.dim();
  for (std::size_t b = 0; b < network.blocks.size(); ++b) {
    const std::string place = fmt::format("blocks[{}]", b);
    std::visit([&](const auto& block) { validate_block(block, place, network.tokens(), width); },
               network.blocks[b]);
    width = output_width(network.blocks[b], width);
  }
}

}  // namespace rankfall
