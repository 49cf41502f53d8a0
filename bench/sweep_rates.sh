#!/usr/bin/env bash
# How fast sweeps are and what memory they take: one grid (16 tokens, width 16, depth 12, one head, the bounds on the
# residual) into a ledger by one thread, by two, and by two processes under mpirun, then the report of that ledger.
# The ledgers must say the same. Prints a table in Markdown; the numbers stay in a JSON file.
# For figures that mean anything: a release build, and nothing else running on the machine.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

usage() {
  cat <<'TEXT'
usage: bench/sweep_rates.sh [--cells N] [--program FILE] [--json FILE] [--write]
  --cells N        networks in the grid (default: 10000, for the figures of docs/performance.md)
  --program FILE   the program (default: build/release/bin/rankfall)
  --json FILE      where the numbers go (default: build/sweep_rates.json)
  --write          also put the table, and the machine it is from, into docs/performance.md, between its marks
Exit code 1 when two ledgers differ or a run fails. Without mpirun, or with a program built without MPI, that row is absent.
TEXT
}

refuse() {
  printf 'bench/sweep_rates.sh: %s\n' "$1" >&2
  exit 64
}

cells=10000
program=$root/build/release/bin/rankfall
json=$root/build/sweep_rates.json
write=false
while (($#)); do
  case $1 in
    -h | --help) usage && exit ;;
    --write) write=true && shift ;;
    --cells | --program | --json)
      [[ -n ${2:-} ]] || refuse "$1 needs a value"
      declare "${1#--}=$2"
      shift 2
      ;;
    *) refuse "unknown argument '$1'" ;;
  esac
done
[[ $cells =~ ^[1-9][0-9]{0,6}$ ]] || refuse "--cells: '$cells' is no number from 1 to 9999999"
[[ -x $program ]] || refuse "--program: there is no program $program; scripts/build.sh rankfall makes it"
program=$(realpath "$program")
mkdir -p "$(dirname "$json")"
json=$(realpath "$json")

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

grid() { # grid SEEDS FILE
  cat >"$2" <<TEXT
depth = 12
tokens = 16
dim = 16
seeds = $1
statements = ["dong-2.2-v1", "dong-2.2", "dong-2.3-v1", "dong-2.3", "dong-2.3-repaired", "composite-diameter", "diameter"]
TEXT
}
tenth=$(((cells + 9) / 10))
grid "$tenth" tenth.toml
grid "$cells" grid.toml

# measure NAME CELLS COMMAND...: a line of JSON in `runs`; the memory is that of the largest process.
measure() {
  printf '%s ...\n' "$1" >&2
  python3 - "$@" <<'PYTHON' >>runs
import json, os, resource, subprocess, sys, time
name, cells, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
start = time.monotonic()
with open("said", "w") as said:
    code = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
seconds = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
if code != 0:
    sys.stderr.write(open("said").read())
    sys.exit(f"{name}: exit code {code}")
print(json.dumps({"name": name, "cells": cells, "seconds": round(seconds, 3), "cells_per_second": cells / seconds,
                  "processor_seconds": round(used.ru_utime + used.ru_stime, 3), "peak_kib": used.ru_maxrss}))
PYTHON
}

exported() { { "$program" export "$1" && "$program" export "$1" --table margin; } | sha256sum; }
same() { # same LEDGER: as that of one thread
  [[ $(exported "$1") == "$wanted" ]] || { printf 'the ledger %s differs from that of one thread\n' "$1" >&2 && exit 1; }
}

measure "2 threads, a tenth of the grid" "$tenth" "$program" sweep tenth.toml --ledger tenth --threads 2
measure "1 thread" "$cells" "$program" sweep grid.toml --ledger one --threads 1
wanted=$(exported one)
measure "2 threads" "$cells" "$program" sweep grid.toml --ledger two --threads 2
same two
if command -v mpirun >/dev/null && "$program" --version | grep -q '^MPI: Open MPI'; then
  (($(id -u) == 0)) && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  measure "2 processes of mpirun" "$cells" env TMPDIR=/tmp mpirun --oversubscribe --bind-to none -n 2 \
    "$program" sweep grid.toml --ledger ranks
  same ranks
fi
measure "report of the ledger" "$cells" "$program" report --ledger one --out report
rows=$("$program" export one | wc -l)

python3 - "$program" "$json" "$((rows - 1))" "$("$write" && echo "$root/docs/performance.md")" <<'PYTHON'
import json, os, pathlib, re, subprocess, sys

program, target, rows, page = sys.argv[1:]
runs = [json.loads(line) for line in open("runs")]
info = open("/proc/cpuinfo").read()
model = re.search(r"model name\s*: (.*)", info)
memory = int(re.search(r"MemTotal: *(\d+)", open("/proc/meminfo").read())[1])
machine = {"processor": model[1].strip() if model else "unknown", "cores": len(os.sched_getaffinity(0)),
           "memory_gib": round(memory / 2**20, 1)}
version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
pathlib.Path(target).write_text(json.dumps({"version": version, "machine": machine, "rows": int(rows), "runs": runs},
                                           indent=1) + "\n")

one = next(run for run in runs if run["name"] == "1 thread")
lines = ["| run | cells | time | cells per second | to one thread | largest process |", "|---|---:|---:|---:|---:|---:|"]
for run in runs:
    ratio = ""
    if run["cells"] == one["cells"] and not run["name"].startswith("report"):
        ratio = f"{run['cells_per_second'] / one['cells_per_second']:.2f}"
    lines.append(f"| {run['name']} | {run['cells']} | {run['seconds']:.1f} s | {run['cells_per_second']:.1f} | {ratio} | "
                 f"{run['peak_kib'] / 1024:.0f} MiB |")
said = (f"{version} on {machine['cores']} cores of {machine['processor']}, {machine['memory_gib']} GiB of memory; "
        f"{one['cells']} cells, {int(rows)} rows; the ledgers say the same.")
text = said + "\n\n" + "\n".join(lines) + "\n"
print(text, end="")
if page:
    first, last = "<!-- sweep-rates: begin -->", "<!-- sweep-rates: end -->"
    whole = pathlib.Path(page).read_text()
    before, found, rest = whole.partition(first + "\n")
    _, closed, after = rest.partition(last)
    if not found or not closed:
        sys.exit(f"{page} has no marks {first} and {last}")
    pathlib.Path(page).write_text(before + found + text + last + after)
PYTHON
