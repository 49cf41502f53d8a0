# Libraries the rooms stand on. Headers and versions are tested, never package names.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW) # Boost's own configuration instead of the find module that CMake is retiring
endif()
find_package(Threads REQUIRED)
rankfall_require(Boost 1.74 libboost-dev)
rankfall_require(Eigen3 3.4 libeigen3-dev NO_MODULE)
rankfall_require(GMP "" libgmp-dev)
rankfall_require(MPFR "" libmpfr-dev)
rankfall_require(MPFI "" libmpfi-dev) # intervals, of which `precision` tells what they cost
rankfall_require(FLINT "" "libflint-arb-dev (libflint-dev where FLINT is 3 or newer)")
rankfall_require(Random123 "" librandom123-dev)
rankfall_require(fmt "" libfmt-dev)
rankfall_require(nlohmann_json 3.10 nlohmann-json3-dev)
rankfall_require(CLI11 "" libcli11-dev)
rankfall_require(tomlplusplus "" libtomlplusplus-dev)
rankfall_require(LibZip "" libzip-dev) # npz files
rankfall_require(SQLite3 3.35 libsqlite3-dev) # ledgers of sweeps
rankfall_require(OpenSSL "" libssl-dev COMPONENTS Crypto) # SHA-256 of checked files
if(RANKFALL_MPI)
  find_package(MPI QUIET COMPONENTS C) # sweeps under mpirun; the program does without
endif()
