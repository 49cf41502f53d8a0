#!/usr/bin/env bash
# Configures and builds one preset of CMakePresets.json into build/PRESET.
# usage: scripts/build.sh [--preset NAME] [TARGET...]          default: release, everything
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=release
targets=()
while (($#)); do
  case $1 in
    --preset) preset=${2:?scripts/build.sh: --preset needs a name} && shift 2 ;;
    --preset=*) preset=${1#*=} && shift ;;
    -*) echo "scripts/build.sh: unknown option '$1'" >&2 && exit 64 ;;
    *) targets+=("$1") && shift ;;
  esac
done

cmake --preset "$preset"
cmake --build --preset "$preset" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" ${targets:+--target "${targets[@]}"}
