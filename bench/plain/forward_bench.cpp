// A forward pass of BERT-base's size as anybody would write it with Eigen, in doubles and with all
// instructions of the machine: attention alone, 128 tokens, width 768, 12 heads, 12 layers. Nothing is
// certified about it; a program of its own, since the others are compiled for every machine.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Eigen::Index tokens = 128, width = 768, heads = 12, depth = 12;

/// Entries of variance 1/`fan_in`, from a multiplicative generator: their law does not matter here.
Matrix weights(Eigen::Index rows, Eigen::Index cols, double fan_in, std::uint64_t& state) {
  Matrix result(rows, cols);
  for (Eigen::Index i = 0; i < result.size(); ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    result.data()[i] = (static_cast<double>(state >> 11U) * 0x1p-53 - 0.5) * std::sqrt(12 / fan_in);
  }
  return result;
}

struct Head {
  Matrix queries, keys, values, outputs;
};

void forward(benchmark::State& state) {
  std::uint64_t seed = 1;
  const Eigen::Index inner = width / heads;
  std::vector<std::vector<Head>> layers(depth);
  for (auto& layer : layers)
    for (Eigen::Index h = 0; h < heads; ++h)
      layer.push_back({weights(width, inner, width, seed), weights(width, inner, width, seed),
                       weights(width, inner, width, seed), weights(inner, width, width, seed)});
  const Matrix input = weights(tokens, width, 1, seed);
  const double root = std::sqrt(static_cast<double>(inner));
  for (auto _ : state) {
    Matrix X = input;
    for (const auto& layer : layers) {
      Matrix sum = Matrix::Zero(tokens, width);
      for (const Head& head : layer) {
        const Matrix queries = X * head.queries, keys = X * head.keys, values = X * head.values;
        Matrix scores = queries * keys.transpose() / root;
        for (Eigen::Index i = 0; i < tokens; ++i) {
          scores.row(i) = (scores.row(i).array() - scores.row(i).maxCoeff()).exp();
          scores.row(i) /= scores.row(i).sum();
        }
        const Matrix mixed = scores * values;
        sum.noalias() += mixed * head.outputs;
      }
      X = std::move(sum);
    }
    benchmark::DoNotOptimize(X.data());
  }
}
BENCHMARK(forward)->Name("bert_base_plain")->Unit(benchmark::kSecond);

}  // namespace
