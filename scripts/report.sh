#!/usr/bin/env bash
# The main job in one step: installs what is missing, builds, and writes the report.
# usage: scripts/report.sh [options of `rankfall report`]      default: the embedded grid, into out/report
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

"$root/scripts/deps.sh" build test report # the tests are configured with the rest, though not built here
"$root/scripts/build.sh" rankfall

directory=
for ((i = 1; i <= $#; ++i)); do
  case ${!i} in
    --out=*) directory=${!i#*=} ;;
    --out) next=$((i + 1)) && directory=${!next:-} ;;
  esac
done
if [[ -z $directory ]]; then
  directory=$root/out/report
  set -- --out "$directory" "$@"
fi

start=$(mktemp)
trap 'rm -f "$start"' EXIT
status=0
"$root/build/release/bin/rankfall" report "$@" || status=$?
if [[ $directory/index.html -nt $start ]]; then
  printf 'The page: %s\n' "$(realpath "$directory/index.html")"
fi
exit "$status"
