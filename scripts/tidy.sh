#!/usr/bin/env bash
# Runs clang-tidy over the project's sources; a finding is an error. usage: scripts/tidy.sh [REGEX]
# REGEX selects among the paths of the sources, for example numerics/san.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/deps.sh build test lint
cmake --preset release -B build/tidy -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D RANKFALL_GROUP=OFF
run-clang-tidy -quiet -p build/tidy "^$PWD/(numerics|theory|verify|tests|bench)/.*${1:-}" 
