#!/usr/bin/env bash
# Runs clang-tidy over the project's sources; a finding is an error. usage: scripts/tidy.sh [REGEX]
# Without REGEX over everything, the libraries in the groups that they are compiled in, so that what four sources include
# is read once. REGEX selects among the paths of the sources, for example numerics/san; these are then read one by one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if (($#)); then
  group=OFF files="^$PWD/(numerics|theory|verify|tests|bench)/.*$1"
else
  group=ON files="^$PWD/(build/tidy/[a-z]+/CMakeFiles/.*/Unity|numerics|theory|verify|tests|bench)/"
fi

scripts/deps.sh build test bench lint
cmake --preset release -B build/tidy -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D RANKFALL_BUILD_BENCH=ON -D RANKFALL_GROUP=$group
nice run-clang-tidy -quiet -p build/tidy -j "$(nproc)" "$files"
