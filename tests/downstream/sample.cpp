// What a user of the installed library writes: a number enclosed, and a statement about it proved.
#include <cstdio>
#include <rankfall/numerics/ball.hpp>

int main() {
  using namespace rankfall;
  const Precision p(128);
  const Ball third(parse_number("1/3"), p);
  const Ball root = sqrt(third, p);
  std::printf("sqrt(1/3) lies in [%s, %s]\n", lower_text(root, 20).c_str(), upper_text(root, 20).c_str());

  const bool encloses = contains(mul(root, root, p), parse_number("1/3"));
  const bool tight = relative_accuracy_bits(root) > 120;
  return encloses && tight ? 0 : 1;
}
