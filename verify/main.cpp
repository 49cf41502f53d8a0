#include "verify/cli/run.hpp"
#include "verify/mpi/mpi_ranks.hpp"

int main(int argc, char** argv) {
  return rankfall::verify::cli::run(argc, argv, rankfall::verify::message_passing());
}
