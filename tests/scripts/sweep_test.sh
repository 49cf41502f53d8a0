#!/usr/bin/env bash
# Sweeps that are killed, refused, out of room or without leave to write: nothing is lost and the ledger is whole.
# usage: sweep_test.sh PROGRAM          a tiny tmpfs and a read-only mount where mounting is possible, in a
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
cd "$sandbox"
expect() { # expect WORDS ACTUAL WANTED
  if [[ $2 == "$3" ]]; then
    printf 'ok    %s\n' "$1"
  else
    printf 'WRONG %s: found %s, expected %s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
  fi
}
code() { "$@" >said 2>&1 </dev/null && echo 0 || echo $?; }
exported() { "$program" export "$1" | sha256sum; }
cells() { "$program" status "$1" 2>/dev/null | sed -n '1s/.*: \([0-9]*\) cells$/\1/p' || true; }

cat >grid.toml <<'TEXT'
depth = "1:3"
tokens = 4
dim = 4
beta = ["0.01", "20"]
seeds = 100
digits = 6
TEXT
expect "an undisturbed sweep" "$(code "$program" sweep grid.toml --ledger whole --threads 2)" 0
wanted=$(exported whole)

# Ten times SIGKILL, at moments that a seed decides: some cells later, and some milliseconds after that.
RANDOM=7
killed=0 opened=0
for round in {1..10}; do
  before=$(cells killed)
  "$program" sweep grid.toml --ledger killed --threads $((1 + RANDOM % 2)) >said 2>&1 </dev/null &
  child=$!
  goal=$((${before:-0} + RANDOM % 8)) pause=$((RANDOM % 30))
  while ((round > 1)) && [[ $(cells killed) -lt $goal ]]; do :; done
  sleep "0.$(printf '%03d' "$pause")"
  kill -KILL "$child"
  wait "$child" 2>/dev/null || (($? == 137)) && killed=$((killed + 1))
  "$program" status killed >said 2>&1 || grep -q 'holds nothing\|no ledger' said && opened=$((opened + 1))
done
expect "kills" "$killed" 10
expect "the ledger opens after each" "$opened" 10
expect "cells are missing ($(cells killed) of 200)" "$(($(cells killed) < 200))" 1
expect "the rest" "$(code "$program" sweep grid.toml --ledger killed)" 0
expect "as if undisturbed" "$(exported killed)" "$wanted"

# A second process is refused, readers are not.
sed 's/^seeds.*/seeds = 100000/' grid.toml >long.toml
"$program" sweep long.toml --ledger busy --threads 1 >progress 2>&1 </dev/null &
child=$!
until [[ $(cells busy) -ge 1 ]]; do sleep 0.02; done
expect "a second process on one ledger" "$(code "$program" sweep grid.toml --ledger busy)" 74
expect "is told why" "$(grep -c 'another process is writing busy' said)" 1
expect "merging into it too" "$(code "$program" merge busy whole)" 74
expect "status meanwhile" "$(code "$program" status busy)" 0
expect "tells how far it is" "$(grep -c '^last sweep: [0-9]* of 200000 cells, begun' said)" 1
expect "and counts verdicts" "$(grep -c '^verdicts: .*[0-9] proved' said)" 1
expect "export meanwhile" "$(code "$program" export busy)" 0
kill -TERM "$child"
wait "$child" && ended=0 || ended=$?
expect "exit code when told to end" "$ended" 130
expect "what it says at last" "$(grep -c 'cells computed, .* refuted, .* inconclusive' progress)" 1
expect "nothing is left beside the ledger" "$(find . -name 'busy-*' | wc -l)" 0

# A full disk.
full() { # full LEDGER: a sweep that has no room
  if [[ $how == mounting ]]; then
    "$program" sweep grid.toml --ledger "$1" --threads 2
  else
    (trap '' XFSZ && ulimit -f 200 && "$program" sweep grid.toml --ledger "$1" --threads 2)
  fi
}
room=.
if [[ $how == mounting ]]; then
  room=small
  mkdir small
  mount -t tmpfs -o size=600k none small
fi
expect "a full disk" "$(code full "$room/full")" 74
expect "is named" "$(grep -ci 'full\|too large\|disk i/o' said)" 1
expect "the ledger opens on the full disk" "$(code "$program" status "$room/full")" 0
held=$(cells "$room/full")
expect "and holds some cells ($held)" "$((held > 0 && held < 200))" 1
expect "a sweep that begins on a full disk" "$(code full "$room/full")" 74
expect "loses nothing" "$(cells "$room/full")" "$held"
cp "$room"/full* "$sandbox" 2>/dev/null || true
expect "with room it goes on" "$(code "$program" sweep grid.toml --ledger full)" 0
expect "only with what is missing" "$(grep -c "$((200 - held)) cells computed, 200 of 200" said)" 1
expect "to the same end" "$(exported full)" "$wanted"

# A folder that cannot be written.
locked=locked
mkdir locked
cp whole locked/whole
if [[ $how == mounting ]]; then
  mount --bind locked locked
  mount -o remount,bind,ro locked
elif (($(id -u))); then
  chmod a-w locked/whole locked
else
  locked=/proc # a root that may not mount: where nobody writes
fi
expect "a new ledger in a read-only folder" "$(code "$program" sweep grid.toml --ledger "$locked/new")" 74
if [[ $locked != /proc ]]; then
  expect "an old one" "$(code "$program" sweep grid.toml --ledger "$locked/whole")" 74
  expect "merging into it" "$(code "$program" merge "$locked/whole" whole)" 74
  expect "is read all the same" "$(exported "$locked/whole")" "$wanted"
fi

printf '%d wrong (%s)\n' "$failures" "$how"
((failures == 0))
