#include <fmt/format.h>
#include <gmp.h>
#include <mpfr.h>

#include <boost/version.hpp>

#include <Eigen/Core>

#if __has_include(<flint/arb.h>)
#include <flint/arb.h>
#else
#include <arb.h>
#endif
#include "numerics/version.hpp"
#include "verify/cli/command.hpp"

namespace rankfall::verify::cli {
namespace {

std::string arb_name() {
#if __FLINT_RELEASE >= 30000
  return "inside FLINT";
#else
  return arb_version;
#endif
}

}  // namespace

std::string version_text(const MessagePassing& messages) {
  return fmt::format(
      "rankfall {}\n"
      "GMP {}, MPFR {}, FLINT {}, Arb {}, Boost {}.{}.{}, Eigen {}.{}.{}\n"
      "MPI: {}\n"
      "kernels: Arb balls (residual engine)\n",
      build::version, gmp_version, mpfr_get_version(), FLINT_VERSION, arb_name(), BOOST_VERSION / 100000,
      BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100, EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
      EIGEN_MINOR_VERSION, messages.start ? messages.name : "absent");
}

}  // namespace rankfall::verify::cli
