#!/usr/bin/env bash
# Sweeps under mpirun: the same ledger for any number of processes, and nothing lost with one that dies.
# usage: mpi_test.sh PROGRAM       exit code 77, which ctest calls skipped, where there is no MPI to test.
set -euo pipefail
program=$(realpath "$1")
skip() {
  printf 'skipped: %s\n' "$1"
  exit 77
}
command -v mpirun >/dev/null || skip "no mpirun on this machine (scripts/deps.sh mpi)"
"$program" --version | grep -q '^MPI: Open MPI' || skip "the program was built without MPI"

sandbox=$(mktemp -d)
trap 'rm -rf "$sandbox"' EXIT
cd "$sandbox"
failures=0
expect() { # expect WORDS ACTUAL WANTED
  if [[ $2 == "$3" ]]; then
    printf 'ok    %s\n' "$1"
  else
    printf 'WRONG %s: found %s, expected %s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
  fi
}
ranks=(env OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # those of Open MPI
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=/tmp mpirun --oversubscribe -n)
code() { # code FILE COMMAND...: the exit code; what it said in FILE
  local file=$1
  shift
  "$@" >"$file" 2>&1 </dev/null && echo 0 || echo $?
}
exported() { "$program" export "$1" | sha256sum; }
cells() { "$program" status "$1" 2>/dev/null | sed -n '1s/.*: \([0-9]*\) cells$/\1/p' || true; }

cat >grid.toml <<'TEXT'
depth = "1:4"
tokens = [3, 5]
dim = 4
heads = [1, 2]
beta = ["0.01", "20"]
seeds = 4
digits = 6
TEXT
sweep=("$program" sweep grid.toml --ledger)
"${sweep[@]}" one --threads 1 2>said
wanted=$(exported one)
expect "cells of one thread" "$(cells one)" 32
"${sweep[@]}" two --threads 2 2>said
expect "two threads" "$(exported two)" "$wanted"
for n in 1 2 4; do
  expect "exit code of $n processes" "$(code said "${ranks[@]}" "$n" "${sweep[@]}" "of-$n")" 0
  expect "$n processes" "$(exported "of-$n")" "$wanted"
done
expect "two processes of two threads" "$(code said "${ranks[@]}" 2 "${sweep[@]}" threads --threads 2)" 0
expect "their ledger" "$(exported threads)" "$wanted"
for i in 1 2 3; do "${sweep[@]}" "part-$i" --shard "$i/3" 2>said; done
expect "a shard under mpirun" "$(code said "${ranks[@]}" 2 "${sweep[@]}" part-shared --shard 2/3)" 0
expect "is that shard" "$(exported part-shared)" "$(exported part-2)"
"$program" merge merged part-1 part-2 part-3 >said
expect "shards merged" "$(exported merged)" "$wanted"

# What is wrong is said once, and ends all.
sed 's/^seeds/sedes/' grid.toml >typo.toml
expect "a typo in the grid" "$(code said "${ranks[@]}" 3 "$program" sweep typo.toml --ledger x)" 65
expect "is told once" "$(grep -c "did you mean 'seeds'" said)" 1
expect "a ledger that cannot be made" "$(code said "${ranks[@]}" 2 "${sweep[@]}" absent/folder)" 74
expect "no MPI without mpirun" "$(code said env -u OMPI_COMM_WORLD_SIZE OMPI_MCA_pml=none "${sweep[@]}" one)" 0

# A process dies by SIGKILL in the middle: mpirun ends the others, and what had arrived is there.
sed 's/^depth.*/depth = 8/; s/^seeds.*/seeds = 40/' grid.toml >long.toml
echo 'statements = ["composite-diameter", "dong-2.2-v1"]' >>long.toml
"${ranks[@]}" 2 "$program" sweep long.toml --ledger killed >said 2>&1 </dev/null &
parent=$!
until [[ $(cells killed) -ge 10 ]]; do sleep 0.05; done
before=$(cells killed)
for process in $(pgrep -P "$parent"); do
  tr '\0' '\n' <"/proc/$process/environ" | grep -qx 'OMPI_COMM_WORLD_RANK=1' && kill -KILL "$process"
done
wait "$parent" && ended=0 || ended=$?
expect "mpirun notices a death" "$((ended != 0))" 1
after=$(cells killed)
expect "the death came in the middle ($before, then $after of 320)" "$((before <= after && after < 320))" 1
expect "a rerun" "$(code said "${ranks[@]}" 2 "$program" sweep long.toml --ledger killed)" 0
expect "computes the rest alone" "$(grep -c "$((320 - after)) cells computed, 320 of 320" said)" 1
"$program" sweep long.toml --ledger undisturbed 2>said
expect "and is as if nothing had happened" "$(exported killed)" "$(exported undisturbed)"

printf '%d wrong\n' "$failures"
((failures == 0))
