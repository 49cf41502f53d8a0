#!/usr/bin/env bash
# The job scripts of scripts/slurm on this machine: Slurm's variables are set by hand, mpirun may be a fake.
# usage: slurm_test.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../scripts/slurm" && pwd)
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
code() { "$@" >said 2>&1 </dev/null && echo 0 || echo $?; }
exported() { "$program" export "$1" | sha256sum; }

for script in "$scripts"/*.sh; do
  expect "bash reads $(basename "$script")" "$(code bash -n "$script")" 0
  expect "$(basename "$script") without arguments" "$(($(code bash "$script") != 0))" 1
done

cat >grid.toml <<'TEXT'
depth = 2
tokens = [3, 4]
dim = 4
seeds = 5
digits = 6
TEXT
"$program" sweep grid.toml --ledger whole --threads 1 2>said
for task in 1 2 3; do
  expect "task $task" "$(code env RANKFALL="$program" SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=3 \
    SLURM_CPUS_PER_TASK=2 bash "$scripts/array.sh" grid.toml out)" 0
done
expect "a task alone, and again" "$(code env RANKFALL="$program" SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=1 \
  bash "$scripts/array.sh" grid.toml out 3)" 0
expect "has nothing to do" "$(grep -c '0 cells computed, 3 of 3' said)" 1
expect "a task that is none" "$(code env RANKFALL="$program" SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_COUNT=3 \
  bash "$scripts/array.sh" grid.toml out)" 64
expect "merging" "$(code env RANKFALL="$program" bash "$scripts/merge.sh" out)" 0
expect "tells the cells" "$(grep -c 'out/results.sqlite: 10 cells' said)" 2
expect "the merged ledger" "$(exported out/results.sqlite)" "$(exported whole)"
expect "nothing to merge" "$(code env RANKFALL="$program" bash "$scripts/merge.sh" nowhere)" 65

# Slurm's warning before the time limit: what is begun is finished, and the job ends as interrupted.
sed 's/^depth.*/depth = 12/; s/^seeds.*/seeds = 20000/' grid.toml >long.toml
RANKFALL=$program SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=1 bash "$scripts/array.sh" long.toml late 2>said &
job=$!
until "$program" status late/part-1.sqlite 2>/dev/null | grep -q 'sqlite: [1-9]'; do sleep 0.05; done
kill -TERM "$job"
wait "$job" && ended=0 || ended=$?
expect "exit code after a warning" "$ended" 130
expect "the ledger is whole" "$(code "$program" export late/part-1.sqlite)" 0

mkdir bin
printf '#!/bin/bash\necho "$*" >"%s/called"\nshift 4\nexec "$@"\n' "$sandbox" >bin/mpirun
chmod +x bin/mpirun
expect "mpi.sh" "$(code env PATH="$sandbox/bin:$PATH" RANKFALL="$program" SLURM_NTASKS=2 \
  bash "$scripts/mpi.sh" grid.toml shared)" 0
expect "starts as many processes" "$(cut -d' ' -f1-5 called)" "-n 2 --bind-to none $program"
expect "on one ledger" "$(exported shared/results.sqlite)" "$(exported whole)"

printf '%d wrong\n' "$failures"
((failures == 0))
