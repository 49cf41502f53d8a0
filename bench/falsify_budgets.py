#!/usr/bin/env python3
"""How reliably `rankfall falsify` finds what is known, within stated budgets: every search with five seeds.

usage: falsify_budgets.py PROGRAM [--write PAGE]
Prints the table; with --write, puts it between the markers of the page (docs/performance.md). Exit code 1 when a search
with any seed falls short of what is sought.
"""
import argparse
import decimal
import json
import pathlib
import subprocess
import sys
import time

SEEDS = range(1, 6)
# arguments of falsify; what is sought: left/right at least, or the size at which a family breaks
SEARCHES = [
    ("layer-cubic --tokens 2 --dim 1 --budget 4000", 0.1249),
    ("layer-cubic --tokens 3 --dim 2 --budget 20000", 0.150),
    ("layer-cubic --tokens 4 --dim 3 --budget 120000", 0.170),
    ("diameter --tokens 2 --dim 2 --budget 4000", 1 - 1e-6),
    ("diameter --tokens 4 --dim 2 --budget 20000", 1 - 1e-6),
    ("composite-diameter --tokens 2 --dim 2 --budget 4000", 1 - 1e-6),
    ("composite-diameter --tokens 2 --dim 1 --heads 2 --budget 4000", 1 - 1e-6),
    ("proof-step-printed --tokens 2 --dim 1 --budget 2000", "violated"),
    ("dong-2.2-v1 --family one-logit-per-mover --budget 8000", {"n": 3568}),
    ("dong-2.3 --family two-heads --budget 1", {"m": 65026}),
    ("dong-3.1-orthogonal --family orthogonal-outputs --budget 200", {"d": 2}),
]
BEGIN, END = "<!-- falsify-budgets: begin -->\n", "<!-- falsify-budgets: end -->\n"


def run(program, words, seed):
    start = time.monotonic()
    done = subprocess.run([program, "falsify", *words.split(), "--seed", str(seed), "--json"], capture_output=True,
                          text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{words}: exit code {done.returncode}: {done.stderr}")
    return json.loads(done.stdout), time.monotonic() - start


def reached(found, sought):
    if isinstance(sought, dict):
        return found["violated"] and found["size"] == sought
    return found["violated"] if sought == "violated" else float(found["ratio"]["value"][0]) >= sought


def words_of(found):
    """What one search came to; ratios from below."""
    if found["violated"] and "size" not in found:
        return "violated"
    least = str(decimal.Decimal(found["ratio"]["value"][0]).quantize(decimal.Decimal("1e-9"), decimal.ROUND_FLOOR))
    if "size" not in found:
        return least
    ((name, size),) = found["size"].items()
    return f"{name} = {size}, {least}"


def sought_words(sought):
    if isinstance(sought, dict):
        ((name, size),) = sought.items()
        return f"violated from {name} = {size}"
    return sought if isinstance(sought, str) else "1 - 10^-6" if sought > 0.999 else f"{sought:g}"


def table(program):
    rows, short = [], 0
    for words, sought in SEARCHES:
        runs = [run(program, words, seed) for seed in SEEDS]
        good = sum(reached(found, sought) for found, _ in runs)
        short += good < len(runs)
        found = sorted(words_of(each) for each, _ in runs)
        evaluations = sorted(each["evaluations"] for each, _ in runs)
        rows.append((f"`{words}`", sought_words(sought), f"{good} of {len(runs)}", found[0], found[-1],
                     f"{evaluations[-1]}", f"{max(seconds for _, seconds in runs):.1f} s"))
        print(*rows[-1], file=sys.stderr)
    head = ("`rankfall falsify`", "sought", "seeds 1 to 5", "least", "largest", "most evaluations", "longest")
    lines = ["| " + " | ".join(row) + " |" for row in (head, ("---",) * len(head), *rows)]
    return "\n".join(lines) + "\n", short


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    text, short = table(arguments.program)
    print(text, end="")
    if arguments.write:
        page = arguments.write.read_text()
        before, _, rest = page.partition(BEGIN)
        _, _, after = rest.partition(END)
        arguments.write.write_text(before + BEGIN + text + END + after)
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
