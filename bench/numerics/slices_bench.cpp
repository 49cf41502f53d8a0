#include <benchmark/benchmark.h>
#if __has_include(<flint/arb_mat.h>)
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif

#include "numerics/random.hpp"
#include "numerics/slices/ball_product.hpp"
#include "numerics/slices/double_double.hpp"

// Products n x k times k x m of full midpoints with radii: the time of one multiply-add is what counts.
// numerics_bench --benchmark_filter=slices/ shows all in one run.

namespace {

using namespace rankfall;

struct Shape {
  Index n, k, m;
  long bits;
};

Shape shape_of(const benchmark::State& state) {
  return {state.range(0), state.range(1), state.range(2), state.range(3)};
}

Matrix<double> normal(Index rows, Index cols, std::uint64_t matrix) {
  const Stream stream(1, 0, 0, matrix);
  Matrix<double> result(rows, cols);
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = stream.normal(static_cast<std::uint64_t>(i));
  return result;
}

BallMatrix balls(Index rows, Index cols, std::uint64_t matrix, long bits) {
  const Matrix<double> values = normal(rows, cols, matrix);
  BallMatrix result(rows, cols);
  for (Index i = 0; i < result.size(); ++i)
    result.data()[i] = div(Ball(values.data()[i]), Ball(3L), Precision(bits));
  return result;
}

void count(benchmark::State& state, const Shape& s) {
  state.counters["madd"] =
      benchmark::Counter(static_cast<double>(s.n * s.k * s.m),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void arb(benchmark::State& state, void (*multiply)(arb_mat_t, const arb_mat_t, const arb_mat_t, slong)) {
  const Shape s = shape_of(state);
  arb_mat_t a, b, c;
  const auto copy = [](arb_mat_t to, const BallMatrix& from) {
    arb_mat_init(to, from.rows(), from.cols());
    for (Index i = 0; i < from.rows(); ++i)
      for (Index j = 0; j < from.cols(); ++j) arb_set(arb_mat_entry(to, i, j), from(i, j).raw());
  };
  copy(a, balls(s.n, s.k, 1, s.bits));
  copy(b, balls(s.k, s.m, 2, s.bits));
  arb_mat_init(c, s.n, s.m);
  for (auto _ : state) multiply(c, a, b, s.bits);
  arb_mat_clear(a);
  arb_mat_clear(b);
  arb_mat_clear(c);
  count(state, s);
}

void ball_to_ball(benchmark::State& state, Kernel kernel) {
  const Shape s = shape_of(state);
  if (kernel > fastest_kernel()) return state.SkipWithError("this machine has no such instructions");
  const BallMatrix a = balls(s.n, s.k, 1, s.bits), b = balls(s.k, s.m, 2, s.bits);
  for (auto _ : state) benchmark::DoNotOptimize(sliced_product(a, b, Precision(s.bits), kernel));
  count(state, s);
}

/// A weight of doubles is the right operand.
void short_weights(benchmark::State& state) {
  const Shape s = shape_of(state);
  const Matrix<double> weights = normal(s.k, s.m, 2);
  const BallMatrix a = balls(s.n, s.k, 1, s.bits);
  BallMatrix b(s.k, s.m);
  for (Index i = 0; i < b.size(); ++i) b.data()[i] = Ball(weights.data()[i]);
  for (auto _ : state) benchmark::DoNotOptimize(sliced_product(a, b, Precision(s.bits)));
  count(state, s);
}

/// The step of a state: hi + lo to slices, the product with what is in slices already, and back.
void state_in_slices(benchmark::State& state) {
  const Shape s = shape_of(state);
  const SliceShape shape = slice_shape(s.k, s.bits);
  const Matrix<double> hi = normal(s.n, s.k, 1), lo = hi * 0x1.23p-54, weights = normal(s.k, s.m, 2);
  const SliceMatrix b = sliced(weights, weights * 0x1.45p-54, Side::right, shape);
  for (auto _ : state) benchmark::DoNotOptimize(product(sliced(hi, lo, Side::left, shape), b));
  count(state, s);
}

void plain_double(benchmark::State& state) {
  const Shape s = shape_of(state);
  const Matrix<double> a = normal(s.n, s.k, 1), b = normal(s.k, s.m, 2);
  Matrix<double> c(s.n, s.m);
  for (auto _ : state) {
    c.noalias() = a * b;
    benchmark::DoNotOptimize(c.data());
  }
  count(state, s);
}

void shapes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"n", "k", "m", "bits"})->Unit(benchmark::kMicrosecond);
  for (const long n : {16, 64, 256})
    for (const long bits : {53, 106, 128, 256}) bench->Args({n, n, n, bits});
  bench->Args({128, 768, 768, 106});
}

BENCHMARK_CAPTURE(arb, mul, arb_mat_mul)->Name("slices/arb_mul")->Apply(shapes);
BENCHMARK_CAPTURE(arb, classical, arb_mat_mul_classical)->Name("slices/arb_classical")->Apply(shapes);
BENCHMARK_CAPTURE(arb, block, arb_mat_mul_block)->Name("slices/arb_block")->Apply(shapes);
BENCHMARK_CAPTURE(ball_to_ball, fastest, fastest_kernel())->Name("slices/ball_to_ball")->Apply(shapes);
BENCHMARK_CAPTURE(ball_to_ball, avx2, Kernel::avx2)->Name("slices/avx2")->Apply(shapes);
BENCHMARK_CAPTURE(ball_to_ball, plain, Kernel::plain)->Name("slices/plain")->Apply(shapes);
BENCHMARK(short_weights)->Name("slices/short_weights")->Apply(shapes);
BENCHMARK(state_in_slices)->Name("slices/state_in_slices")->Apply(shapes);
BENCHMARK(plain_double)->Name("slices/plain_double")->Apply(shapes);

}  // namespace
