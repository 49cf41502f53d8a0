#!/usr/bin/env bash
#SBATCH --job-name=rankfall-mpi
#SBATCH --ntasks=32
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
#SBATCH --output=%x-%j.log
# One grid, one ledger, many processes on any number of nodes; the first owns the ledger, DIR/results.sqlite.
#   sbatch scripts/slurm/mpi.sh GRID.toml DIR
# usage: mpi.sh GRID.toml DIR                    Submitted again it computes what is missing.
# RANKFALL is the program, absent: the one in PATH. It must be built with MPI (rankfall --version).
set -euo pipefail
grid=${1:?usage: mpi.sh GRID.toml DIR} directory=${2:?usage: mpi.sh GRID.toml DIR}
mkdir -p "$directory"
status=0
mpirun -n "${SLURM_NTASKS:?this script runs in a Slurm job}" --bind-to none \
  "${RANKFALL:-rankfall}" sweep "$grid" --ledger "$directory/results.sqlite" \
  --threads "${SLURM_CPUS_PER_TASK:-1}" || status=$?
((status == 1 || status == 2)) && status=0 # verdicts, not failures of the job
"${RANKFALL:-rankfall}" status "$directory/results.sqlite"
exit "$status"
