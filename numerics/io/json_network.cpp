#include "numerics/io/json_network.hpp"

#include <fmt/format.h>

#include "numerics/errors.hpp"
#include "numerics/io/file.hpp"
#include "numerics/io/json_block.hpp"
#include "numerics/message.hpp"

namespace rankfall {
namespace {

constexpr std::string_view format_name = "rankfall-network/1";

class FormatReader final : public json::ValueReader {
 public:
  std::string expected() const override { return in_quotes(format_name); }
  void text(std::string_view characters) override {
    if (characters != format_name) refuse(in_quotes(characters));
  }
};

class NetworkReader final : public json::ObjectReader {
 public:
  NetworkReader()
      : ObjectReader({"format", "comment", "input", "blocks"}),
        budget_(max_network_bits),
        matrix_(budget_),
        block_(budget_),
        blocks_(block_, "a list of blocks") {}

  Network network;

 private:
  json::ValueReader& value_of(std::string_view key) override {
    if (key == "format") return format_;
    if (key == "comment") return comment_;
    if (key == "input") return matrix_.into(network.input);
    return blocks_;
  }
  void finish() override {
    require("format", fmt::format("a network file says \"format\": {}", in_quotes(format_name)));
    require("input", "it holds the matrix tokens x d that the network reads");
    require("blocks", "it holds the list of blocks");
    network.blocks = std::move(block_.blocks);
  }

  json::SizeBudget budget_;
  FormatReader format_;
  json::CommentReader comment_;
  json::MatrixReader matrix_;
  json::BlockReader block_;
  json::ListReader blocks_;
};

}  // namespace

Network parse_network(std::string_view text, std::string_view name) {
  NetworkReader reader;
  json::read_json(text, name, reader);
  try {
    validate(reader.network);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
  return std::move(reader.network);
}

Network read_network(const std::filesystem::path& path) {
  const std::string text = read_file(path, max_network_bytes);
  return parse_network(text, path.string());
}

}  // namespace rankfall
