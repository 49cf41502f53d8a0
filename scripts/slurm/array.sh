#!/usr/bin/env bash
#SBATCH --job-name=rankfall
#SBATCH --array=1-16
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --output=%x-%A-%a.log
# One shard of a grid for each task of a Slurm array, each in a ledger of its own; merge.sh joins them.
#   job=$(sbatch --parsable scripts/slurm/array.sh GRID.toml DIR)
#   sbatch --dependency=afterany:"$job" scripts/slurm/merge.sh DIR
# usage: array.sh GRID.toml DIR [SHARDS]         SHARDS: of how many this task is one; absent: tasks of the array
# Submitted again it computes what is missing; for some of the tasks alone (--array=3,7) give SHARDS.
# RANKFALL is the program, absent: the one in PATH. On most clusters sbatch's own --array, --cpus-per-task and
# --time replace those above.
set -euo pipefail
grid=${1:?usage: array.sh GRID.toml DIR [SHARDS]} directory=${2:?usage: array.sh GRID.toml DIR [SHARDS]}
shards=${3:-${SLURM_ARRAY_TASK_COUNT:?this script runs in a Slurm array}}
shard=${SLURM_ARRAY_TASK_ID:?this script runs in a Slurm array}
if ((shard < 1 || shard > shards)); then
  echo "array.sh: task $shard of $shards; the array must count from 1 (--array=1-$shards)" >&2
  exit 64
fi
mkdir -p "$directory"

# In the background, so that the shell hears Slurm's warning before the end and hands it on: what is begun is finished.
"${RANKFALL:-rankfall}" sweep "$grid" --ledger "$directory/part-$shard.sqlite" --shard "$shard/$shards" \
  --threads "${SLURM_CPUS_PER_TASK:-1}" &
child=$! told=0 status=0
trap 'told=1; kill -TERM "$child" 2>/dev/null' TERM
wait "$child" || status=$?
if ((told)); then # that wait ended with the signal, not with the program
  status=0
  wait "$child" || status=$?
fi
((status == 1 || status == 2)) && status=0 # verdicts, not failures of the job: merge.sh tells them
exit "$status"
