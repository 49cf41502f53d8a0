#include "verify/cli/run.hpp"

int main(int argc, char** argv) {
  return rankfall::verify::cli::run(argc, argv);
}
