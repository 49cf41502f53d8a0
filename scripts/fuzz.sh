#!/usr/bin/env bash
# Feeds each reader (of networks; of weights and arrays) what libFuzzer makes of its saved corpus, for a bounded time.
# Fails on a crash, a hang, or memory beyond bounds; the input that did it stays in build/fuzz/findings.
# usage: scripts/fuzz.sh [--seconds N] [--seed N]              default: 60 seconds for all together, seed 1
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
readers=(network weights)
scripts/build.sh --preset fuzz "${readers[@]/%/_fuzz}"

findings=build/fuzz/findings
mkdir -p "$findings"
scratch=$(mktemp -d) # new inputs go here, the saved ones are only read
trap 'rm -rf "$scratch"' EXIT

status=0
share=$(((seconds + ${#readers[@]} - 1) / ${#readers[@]}))
for reader in "${readers[@]}"; do
  dictionary=()
  [[ -e tests/fuzz/$reader.dict ]] && dictionary=("-dict=tests/fuzz/$reader.dict")
  mkdir "$scratch/$reader"
  ended=0
  "build/fuzz/bin/${reader}_fuzz" -seed="$seed" -max_total_time="$share" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
    "${dictionary[@]}" -artifact_prefix="$findings/" -print_final_stats=1 \
    "$scratch/$reader" "tests/fuzz/corpus/$reader" >"$scratch/log" 2>&1 || ended=$?
  if ((ended)); then
    cat "$scratch/log" >&2
    printf 'scripts/fuzz.sh: a finding, in %s; save it in tests/fuzz/corpus/%s once it is mended\n' "$findings" "$reader" >&2
    status=$ended
  else
    printf '%s: ' "$reader"
    grep -E '^(Done|stat::(number_of_executed_units|new_units_added|peak_rss_mb))' "$scratch/log"
  fi
done
exit "$status"
