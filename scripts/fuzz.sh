#!/usr/bin/env bash
# Feeds the network reader what libFuzzer makes of the saved corpus, for a bounded time. Fails on a crash, a hang, or
# memory beyond bounds; the input that did it stays in build/fuzz/findings.
# usage: scripts/fuzz.sh [--seconds N] [--seed N]              default: 60 seconds, seed 1
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=60
seed=1
while (($#)); do
  case $1 in
    --seconds | --seed)
      [[ ${2:-} =~ ^[1-9][0-9]{0,8}$ ]] || { echo "scripts/fuzz.sh: $1 needs a number from 1" >&2 && exit 64; }
      declare "${1#--}=$2" && shift 2
      ;;
    *) echo "scripts/fuzz.sh: unknown argument '$1'" >&2 && exit 64 ;;
  esac
done

scripts/deps.sh build fuzz
scripts/build.sh --preset fuzz network_fuzz

findings=build/fuzz/findings
mkdir -p "$findings"
corpus=$(mktemp -d) # new inputs go here, the saved ones are only read
trap 'rm -rf "$corpus"' EXIT

status=0
log=$corpus.log
build/fuzz/bin/network_fuzz -seed="$seed" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
  -dict=tests/fuzz/network.dict -artifact_prefix="$findings/" -print_final_stats=1 \
  "$corpus" tests/fuzz/corpus/network >"$log" 2>&1 || status=$?
if ((status)); then
  cat "$log" >&2
  printf 'scripts/fuzz.sh: a finding, in %s; save it in tests/fuzz/corpus/network once it is mended\n' "$findings" >&2
else
  grep -E '^(Done|stat::(number_of_executed_units|new_units_added|peak_rss_mb))' "$log"
fi
rm -f "$log"
exit "$status"
