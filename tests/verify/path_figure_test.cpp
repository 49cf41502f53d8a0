#include "verify/path_figure.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "numerics/errors.hpp"

using namespace rankfall;
using namespace rankfall::verify;

TEST_CASE("the figure's data hold every count, and its strips every row") {
  const Figure figure = path_figure({{"", theory::path_count(2, 2)}, {"DeiT-T", theory::path_count(3, 12)}});
  CHECK(figure.data.find("\n0 0 1 0.111111 0 0.195\n1 0.5 4 0.444444 0 0.78\n2 1 4 0.444444 0 0.78\n") !=
        std::string::npos);
  CHECK(figure.data.find("# DeiT-T: 3 heads, 12 layers, mean 9\n") != std::string::npos);
  CHECK(figure.script.find("\"2 heads, 2 layers\"") != std::string::npos);
  CHECK(figure.script.find("\"9 of 12\"") != std::string::npos);
  CHECK_THROWS_WITH_AS(path_figure({}), "a figure of 0 rows; allowed are 1 to 20", InputError);
}

TEST_CASE("gnuplot draws the models" * doctest::skip(!have_gnuplot())) {
  std::vector<PathRow> rows;
  for (const theory::PathModel& model : theory::path_models())
    rows.push_back({model.title, theory::path_count(model.heads, model.depth)});
  Figure figure = path_figure(rows);
  const auto folder = std::filesystem::temp_directory_path() / "rankfall-path-figure-test";
  std::filesystem::create_directories(folder);
  draw(figure, folder);
  CHECK(figure.svg.find("GPT-3") != std::string::npos);
  CHECK(std::filesystem::exists(folder / "path-count.svg"));
  std::filesystem::remove_all(folder);
}
