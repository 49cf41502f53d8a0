#pragma once
#include <cstdint>
#include <random>

#include "theory/expression/expression.hpp"

namespace rankfall::test {

/// Formulas at random, the same on every machine.
class RandomExpression {
 public:
  explicit RandomExpression(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }
  Rational rational() {
    const long above = static_cast<long>(below(41)) - 20;
    const long below_line = below(3) == 0 ? 1 + static_cast<long>(below(16)) : 1;
    return Rational(above, below_line);
  }

  /// Anything that can be written, of at most that depth; mostly undefined as a number.
  theory::Expression any(int depth) {
    using namespace theory;
    if (depth <= 1 || below(8) == 0) return leaf(depth);
    switch (below(11)) {
      case 0:
      case 1:
        return add(several(depth));
      case 2:
      case 3:
        return multiply(several(depth));
      case 4:
        return any(depth - 1) - any(depth - 1);
      case 5:
        return any(depth - 1) / any(depth - 1);
      case 6:
        return -any(depth - 1);
      case 7:
        return pow(any(depth - 1), any(depth - 1));
      case 8: {
        const FunctionName& f = functions()[below(functions().size())];
        std::vector<Expression> arguments;
        const std::size_t count = f.least + (f.most > f.least ? below(3) : 0);
        for (std::size_t i = 0; i < count; ++i) arguments.push_back(any(depth - 1));
        return call(f.function, std::move(arguments));
      }
      case 9:
        return sum("i", any(depth - 1), any(depth - 1), any(depth - 1));
      default:
        return prod("j_1", any(depth - 1), any(depth - 1), any(depth - 1));
    }
  }

  /// Rational functions of x, y, z and the numbers c[0], c[1], c[2]: exact wherever they are defined.
  theory::Expression rational_function(int depth) {
    using namespace theory;
    if (depth <= 1 || below(8) == 0) {
      switch (below(5)) {
        case 0:
          return rational();
        case 1:
          return symbol("c", {Expression(below(3))});
        default:
          return sym(std::string(1, static_cast<char>('x' + static_cast<char>(below(3)))));
      }
    }
    const auto inner = [&] { return rational_function(depth - 1); };
    switch (below(12)) {
      case 0:
      case 1:
        return inner() + inner();
      case 2:
        return inner() - inner() + inner();
      case 3:
      case 4:
        return inner() * inner();
      case 5:
        return inner() / inner();
      case 6:
        return -inner();
      case 7:
        return pow(inner(), static_cast<int>(below(6)) - 2);
      case 8:
        return below(2) == 0 ? max(inner(), inner()) : min(inner(), inner());
      case 9:
        return abs(inner());
      case 10:
        return sum("i", static_cast<int>(below(3)), static_cast<int>(below(5)),
                   inner() * pow(sym("i"), below(3)));
      default:
        return prod("k", 0, static_cast<int>(below(3)), inner() + symbol("c", {sym("k")}));
    }
  }

 private:
  theory::Expression leaf(int depth) {
    using namespace theory;
    switch (below(6)) {
      case 0:
        return rational();
      case 1:
        return rational() / 1000;
      case 2:
        return depth > 1 ? symbol("a", {any(depth - 1), any(1)}) : sym("a", {"l", "h"});
      case 3:
        return sym("d_qk");
      case 4:
        return sym("i");
      default:
        return sym("beta");
    }
  }

  std::vector<theory::Expression> several(int depth) {
    std::vector<theory::Expression> result;
    for (std::size_t i = 0, count = 2 + below(3); i < count; ++i) result.push_back(any(depth - 1));
    return result;
  }

  std::mt19937_64 engine_;
};

}  // namespace rankfall::test
