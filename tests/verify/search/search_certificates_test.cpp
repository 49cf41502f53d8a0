#include "verify/search/search_certificates.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "numerics/io/file.hpp"
#include "tests/verify/altered.hpp"
#include "theory/catalogue/catalogue.hpp"

using namespace rankfall;
using namespace rankfall::verify;
using recheck::Json;
using test::accepted;
using test::altered;
using test::member;

namespace {

/// A folder that is gone afterwards.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "rankfall-search-certificates") {
    std::filesystem::remove_all(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }
  std::string text(const std::string& name) const { return read_file(path_ / name, 1UL << 20U); }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      result.push_back(entry.path().filename());
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  std::filesystem::path path_;
};

FalsifyRequest request_for(const char* id, const Shape& shape, std::uint64_t evaluations) {
  FalsifyRequest result;
  result.statement = &theory::find_statement(id);
  result.shape = shape;
  result.evaluations = evaluations;
  return result;
}

bool on(const SearchState&) {
  return true;
}

std::string certificate_of(const FalsifyRequest& request, const SearchState& state, const Folder& folder) {
  const CertificateCount count = write_certificate(certify(request, state), folder.path());
  REQUIRE(count.written == 1);
  const auto names = folder.names();
  REQUIRE(names.size() == 1);
  return folder.text(names.front());
}

double low_end_of_ratio(const std::string& text) {
  Json json = recheck::parse_json(text);
  return std::stod(member(json, "ratio").members.front().second.items[0].text);
}

}  // namespace

TEST_CASE("what a search has come to has a certificate, the same for the same search") {
  const Folder folder;
  FalsifyRequest request = request_for("layer-cubic", {.tokens = 2, .dim = 1}, 12'000);
  const SearchState state = search(request, {}, on);
  const std::string text = certificate_of(request, state, folder);
  CHECK(accepted(text));
  CHECK(low_end_of_ratio(text) > 0.1249);

  const SearchState begun = search(request, {}, [](const SearchState&) { return false; });
  REQUIRE(begun.evaluations < state.evaluations);
  CHECK(certificate_of(request, search(request, begun, on), folder) == text);
  request.threads = 3;
  CHECK(certificate_of(request, search(request, {}, on), folder) == text);

  for (const auto& claimed : {std::pair{"0.126", "0.127"}, {"0.124", "0.12401"}, {"0.5", "0.2"}, {"x", "1"}})
    CHECK_FALSE(accepted(altered(text, [&](Json& j) {
      auto& ends = member(j, "ratio").members.front().second.items;
      ends[0].text = claimed.first;
      ends[1].text = claimed.second;
    })));
  CHECK_FALSE(accepted(altered(text, [](Json& j) { member(j, "verdict").text = "refuted"; })));
}

TEST_CASE("an instance that attains a bound has a certificate of that and of no more") {
  const Folder folder;
  const FalsifyRequest request = request_for("diameter", {.tokens = 2, .dim = 1}, 1500);
  const std::string text = certificate_of(request, search(request, {}, on), folder);
  Json json = recheck::parse_json(text);
  CHECK(member(json, "verdict").text == "inconclusive");
  CHECK(accepted(text));
  CHECK(low_end_of_ratio(text) > 1 - 1e-9);
  for (const char* verdict : {"proved", "refuted"})
    CHECK_FALSE(accepted(altered(text, [&](Json& j) { member(j, "verdict").text = verdict; })));
  CHECK_FALSE(accepted(altered(text, [](Json& j) {
    Json& ratio = member(j, "ratio");
    ratio = Json();
  })));
}

TEST_CASE("a search in vain and what no recheck follows leave the reason and no file") {
  const Folder folder;
  CHECK(write_certificate(Finding{}, folder.path()).missing.count("no instance satisfied the hypotheses") ==
        1);
  const FalsifyRequest relu = request_for("diameter-mlp", {.tokens = 2, .dim = 1, .mlp = true}, 200);
  const CertificateCount count = write_certificate(certify(relu, search(relu, {}, on)), folder.path());
  CHECK(count.written == 0);
  CHECK(count.missing.size() == 1);
  CHECK(folder.names().empty());
}

TEST_CASE("a table of extremes has a certificate for each row, named by its size") {
  const Folder folder;
  const FalsifyRequest request = request_for("composite-diameter", {}, 600);
  const std::vector<ExtremalRow> rows =
      extremal_rows(request, {{.tokens = 2, .dim = 1}, {.tokens = 3, .dim = 2, .heads = 2, .outputs = 2}},
                    [](std::size_t) {});
  CHECK(write_certificates(rows, folder.path()).written == 2);
  const std::vector<std::string> names = folder.names();
  REQUIRE(names.size() == 2);
  CHECK(names[0].starts_with("tokens-2.dim-1.heads-1.composite-diameter."));
  CHECK(names[1].starts_with("tokens-3.dim-2.heads-2.composite-diameter."));
  for (const std::string& name : names) CHECK(accepted(folder.text(name)));
}

TEST_CASE("the smallest violating member of a family has a structured certificate") {
  const Folder folder;
  const auto found = least_instance("dong-2.3", 1, 1, [](long) {});
  REQUIRE(found.has_value());
  CHECK(write_certificate(*found, folder.path()).written == 1);
  const std::string text = folder.text("dong-2.3.two-heads.json");
  CHECK(text.size() < 10'000);
  CHECK(accepted(text));
  CHECK_FALSE(accepted(altered(text, [](Json& j) {  // one column fewer than it takes
    std::string& count = member(j, "columns").items.back().text;
    count = std::to_string(std::stol(count) - 1);
  })));
}
