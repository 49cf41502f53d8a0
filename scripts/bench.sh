#!/usr/bin/env bash
# Builds the benchmarks and prints the figures that the engine is held to, as ratios measured in one run; the numbers stay in
# build/release/ratios.json. usage: scripts/bench.sh [--quick] [--write | --all]
#   --quick  without what takes minutes
#   --write  also put the tables into docs/performance.md
#   --all    the same, and those of searches and sweeps, which take half an hour more
# For figures that mean anything: nothing else running on the machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

quick=() write=() all=false
for argument; do
  case $argument in
    --quick) quick=(--quick) ;;
    --write) write=(--write docs/performance.md) ;;
    --all) write=(--write docs/performance.md) all=true ;;
    -h | --help) sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;;
    *) printf "scripts/bench.sh: unknown argument '%s'\n" "$argument" >&2 && exit 64 ;;
  esac
done

scripts/deps.sh build bench mpmath
cmake --preset release -D RANKFALL_BUILD_BENCH=ON >&2
cmake --build --preset release --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" --target numerics_bench plain_bench rankfall >&2
python3 bench/ratios.py build/release "${quick[@]}" "${write[@]}"
if "$all"; then
  python3 bench/falsify_budgets.py build/release/bin/rankfall --write docs/performance.md
  bench/sweep_rates.sh --write
fi
