#!/usr/bin/env bash
#SBATCH --job-name=rankfall-merge
#SBATCH --ntasks=1
#SBATCH --time=00:30:00
#SBATCH --output=%x-%j.log
# Joins the ledgers of array.sh into DIR/results.sqlite and says what they hold.
# usage: merge.sh DIR
set -euo pipefail
directory=${1:?usage: merge.sh DIR}
parts=("$directory"/part-*.sqlite)
[[ -e ${parts[0]} ]] || { echo "merge.sh: there is no $directory/part-*.sqlite" >&2 && exit 65; }
"${RANKFALL:-rankfall}" merge "$directory/results.sqlite" "${parts[@]}"
"${RANKFALL:-rankfall}" status "$directory/results.sqlite"
