#!/usr/bin/env bash
# A report that cannot be written ends with 74, a killed one with its signal, and the earlier report stays whole.
# usage: report_disk_test.sh PROGRAM          a tiny tmpfs and a read-only mount where mounting is possible, in a
# namespace of its own; elsewhere a limit on file sizes and a folder without write permission.
set -euo pipefail
program=$(realpath "$1")

if [[ ${2:-} != mounting && ${2:-} != plain ]]; then
  may_mount='d=$(mktemp -d) && mount -t tmpfs -o size=64k none "$d" && umount "$d" && rmdir "$d"'
  for space in "--mount" "--user --map-root-user --mount"; do
    # shellcheck disable=SC2086
    unshare $space bash -c "$may_mount" 2>/dev/null && exec unshare $space bash "$0" "$program" mounting
  done
  exec bash "$0" "$program" plain
fi
how=$2

sandbox=$(mktemp -d)
failures=0
cleanup() {
  if [[ $how == mounting ]]; then
    mountpoint -q "$sandbox/small" && umount "$sandbox/small"
    mountpoint -q "$sandbox/locked" && umount "$sandbox/locked"
  fi
  chmod -R u+w "$sandbox"
  rm -rf "$sandbox"
}
trap cleanup EXIT

expect() { # expect WORDS ACTUAL WANTED
  if [[ $2 == "$3" ]]; then
    printf 'ok    %s\n' "$1"
  else
    printf 'WRONG %s: found %s, expected %s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
  fi
}
sums() { (cd "$1" && find . -type f -exec sha256sum {} + | sort -k2 | sha256sum); }
beside() { find "$(dirname "$1")" -mindepth 1 -maxdepth 1 -name "$(basename "$1").*" | wc -l; }
report() { # report OUT [GRID]: the exit code in $code, what it said in $said
  code=0
  said=$("$program" report --threads 1 --config "${2:-$sandbox/tiny.toml}" --out "$1" 2>&1 >/dev/null) || code=$?
}

cat >"$sandbox/tiny.toml" <<'TEXT'
depth = "1:2"
tokens = 2
dim = 2
seeds = 1
digits = 4
beta = "0.1"
statements = ["dong-2.2-v1", "composite-diameter"]
TEXT
cat >"$sandbox/long.toml" <<'TEXT'
depth = "1:6"
tokens = 8
dim = 8
seeds = 20000
TEXT

# The earlier report, and that one report can follow another.
earlier=$sandbox/report
report "$earlier"
expect "a first report" "$code" 0
report "$earlier"
expect "a report in place of an earlier one" "$code" 0
before=$(sums "$earlier")
size=$(du -sk "$earlier" | cut -f1)

# stopped SIGNAL CODE: sends it to a long report as soon as that has begun beside the earlier one.
stopped() {
  "$program" report --threads 1 --config "$sandbox/long.toml" --out "$earlier" 2>/dev/null &
  local child=$! ended=0
  until (($(beside "$earlier"))) || ! kill -0 "$child" 2>/dev/null; do sleep 0.05; done
  sleep 0.2
  kill -s "$1" "$child"
  wait "$child" || ended=$?
  expect "exit code after $1" "$ended" "$2"
  expect "the earlier report after $1" "$(sums "$earlier")" "$before"
}
stopped INT 130
expect "left beside it after INT" "$(beside "$earlier")" 0
stopped TERM 130
expect "left beside it after TERM" "$(beside "$earlier")" 0
stopped KILL 137 # no program can tidy up after that
report "$earlier"
expect "a report after a killed one" "$code" 0
rm -rf "$earlier".*
before=$(sums "$earlier")

# A full disk: room for the earlier report, none for a second one beside it.
if [[ $how == mounting ]]; then
  mkdir "$sandbox/small"
  mount -t tmpfs -o "size=$((size + size / 2))k" none "$sandbox/small"
  report "$sandbox/small/report"
  expect "a report that fits" "$code" 0
  before=$(sums "$sandbox/small/report")
  report "$sandbox/small/report"
  expect "a report on a full disk" "$code" 74
  expect "named in the message" "$(grep -c 'No space left' <<<"$said")" 1
  expect "the earlier report on a full disk" "$(sums "$sandbox/small/report")" "$before"
  expect "left beside it on a full disk" "$(beside "$sandbox/small/report")" 0
else
  full() { (trap '' XFSZ && ulimit -f 16 && report "$1" && echo "$code"); }
  expect "a report where files may have 16 KiB" "$(full "$earlier")" 74
  expect "the earlier report" "$(sums "$earlier")" "$before"
  expect "left beside it" "$(beside "$earlier")" 0
fi

# A place that cannot be written.
locked=$sandbox/locked
mkdir "$locked"
cp -r "$earlier" "$locked/report"
before=$(sums "$locked/report")
if [[ $how == mounting ]]; then
  mount --bind "$locked" "$locked"
  mount -o remount,bind,ro "$locked"
elif (($(id -u))); then
  chmod a-w "$locked"
else
  locked=/proc # a root that may not mount: where nobody writes
fi
report "$locked/new"
expect "a new report in a read-only folder" "$code" 74
if [[ $locked != /proc ]]; then
  report "$locked/report"
  expect "a report in place of one in a read-only folder" "$code" 74
  expect "the earlier report in a read-only folder" "$(sums "$locked/report")" "$before"
fi

printf '%d wrong (%s)\n' "$failures" "$how"
((failures == 0))
