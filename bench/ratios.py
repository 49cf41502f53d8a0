#!/usr/bin/env python3
"""The figures that the engine is held to, as ratios measured in one run: against Arb, MPFR and mpmath on the same networks.

usage: bench/ratios.py BUILD [--json FILE] [--write PAGE] [--quick]
  BUILD         a release build with numerics_bench and rankfall
  --json FILE   where all measurements go (default: BUILD/ratios.json)
  --write PAGE  also put the tables into PAGE, between its marks
  --quick       without what takes minutes: depth 10 and 1000, networks of BERT's size
For figures that mean anything: nothing else running on the machine.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

FILTERS = [r"slices/(arb_mul|arb_classical|arb_block|ball_to_ball|state_in_slices|plain_double)/n:(16|64|256)/.*bits:128$",
           r"tiers/", r"direct/[a-z]+/depth:[68]$"]
LONG = [r"direct/[a-z]+/depth:10", r"entry_balls/", r"propagation/depth:(100|1000)$",
        r"bert_base(_arb)?/layers:12/|bert_base_in_pairs"]
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def benchmarks(program, filters):
    found = {}
    for each in filters:
        print(f"{program.name} --benchmark_filter='{each}' ...", file=sys.stderr)
        done = subprocess.run([program, f"--benchmark_filter={each}", "--benchmark_format=json"], capture_output=True, text=True,
                              check=True)
        for run in json.loads(done.stdout)["benchmarks"]:
            if run.get("error_occurred"):
                sys.exit(f"{run['name']}: {run['error_message']}")
            name = run["name"].replace("/real_time", "").replace("/iterations:1", "")
            time_of = "real_time" if "/real_time" in run["name"] else "cpu_time"
            known = {"name", "real_time", "cpu_time", "iterations", "time_unit", "threads", "run_name", "run_type", "repetitions",
                     "repetition_index", "family_index", "per_family_instance_index"}
            found[name] = {"seconds": run[time_of] * UNITS[run["time_unit"]],
                           **{key: value for key, value in run.items() if key not in known}}
    return found


def commands(rankfall, measured, quick):
    """Whole commands, and the script in mpmath."""
    mpmath = pathlib.Path(__file__).with_name("direct_mpmath.py")
    with tempfile.TemporaryDirectory() as place:
        network = os.path.join(place, "network.json")

        def generate(depth):
            with open(network, "w") as out:
                subprocess.run([rankfall, "generate", "--depth", str(depth)], stdout=out, check=True)
        for depth in (6, 8):
            generate(depth)
            bits = int(measured[f"direct/mpfr/depth:{depth}"]["bits"])
            done = subprocess.run([sys.executable, mpmath, network, str(bits)], capture_output=True, text=True)
            if done.returncode == 0:
                measured[f"direct/mpmath/depth:{depth}"] = json.loads(done.stdout)
            else:
                print(f"mpmath is left out: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        if quick:
            return
        generate(1000)
        for threads in (1, 2):
            best = None
            for _ in range(3):
                start = time.perf_counter()
                subprocess.run([rankfall, "check", network, "--statement", "diameter", "--digits", "10", "--json", "--threads",
                                str(threads)], stdout=subprocess.DEVNULL, check=True)
                seconds = time.perf_counter() - start
                best = seconds if best is None else min(best, seconds)
            measured[f"check/depth:1000/threads:{threads}"] = {"seconds": best}


class Figure:
    def __init__(self, words, must, aim, at_most=False, unit="x"):
        self.words, self.must, self.aim, self.at_most, self.unit = words, must, aim, at_most, unit

    def row(self, value):
        if value is None:
            return None
        sign = "at most " if self.at_most else ""
        met = "" if self.must is None else "yes" if (value <= self.must if self.at_most else value >= self.must) else "**no**"
        must = "" if self.must is None else f"{sign}{self.must:g}{self.unit}"
        shown = f"{value:.0f}" if value >= 1000 else f"{value:.3g}"
        aim = "" if self.aim is None else f"{sign}{self.aim:g}{self.unit}"
        return [self.words, must, aim, f"{shown}{self.unit}", met]


def figures(measured):
    def seconds(name):
        return measured[name]["seconds"] if name in measured else None

    def ratio(slow, fast):
        return None if seconds(slow) is None or seconds(fast) is None else seconds(slow) / seconds(fast)

    def best_arb(n):
        names = [f"slices/arb_{kind}/n:{n}/k:{n}/m:{n}/bits:128" for kind in ("mul", "classical", "block")]
        return min(names, key=lambda name: seconds(name))

    rows = []
    for n, must, aim in ((16, 1.4, 8), (64, 2.5, 10), (256, 3.5, 5)):
        size = f"n:{n}/k:{n}/m:{n}/bits:128"
        rows.append(Figure(f"product of balls, {n} x {n}, 128 bits, against the best of Arb's", must, None).row(
            ratio(best_arb(n), f"slices/ball_to_ball/{size}")))
        rows.append(Figure("the same with the state kept in slices", must, aim).row(
            ratio(best_arb(n), f"slices/state_in_slices/{size}")))
    for name, words in (("doubles", "doubles"), ("pairs", "pairs of doubles")):
        rows.append(Figure(f"bits lost a layer in {words}, depth 12", 4.3, 2.8, True, "").row(
            measured[f"tiers/states/{name}"]["lost a layer"]))
    rows.append(Figure("states in doubles against balls with Arb's products at 128 bits, depth 12, weights prepared", 30, 80).row(
        ratio("tiers/states/arb", "tiers/states/doubles")))
    rows.append(Figure("the same from the network on", 30, 80).row(ratio("tiers/network/arb", "tiers/network/doubles")))
    rows.append(Figure("random networks that doubles carry to depth 12", 95, None, False, " %").row(
        100 * measured["tiers/many/threads:2"]["share"]))
    rows.append(Figure("networks certified in a second, depth 12, two threads", 10000, 20000, False, "").row(
        measured["tiers/many/threads:2"]["networks"]))
    rows.append(Figure("depth 10 in balls at 128 bits against direct evaluation in Arb at just enough bits", None, None).row(
        ratio("direct/arb/depth:10", "direct/residual/depth:10")))
    rows.append(Figure("depth 10 in doubles against the same", 5000, 100000).row(
        ratio("direct/arb/depth:10", "tiers/network/doubles")))
    rows.append(Figure("`check` of depth 1000, file to JSON, one thread, against entry balls in Arb at just enough bits", 15, 300)
                .row(ratio("entry_balls/depth:1000", "check/depth:1000/threads:1")))
    rows.append(Figure("the same, two threads", 15, 300).row(ratio("entry_balls/depth:1000", "check/depth:1000/threads:2")))
    rows.append(Figure("BERT-base's size, 12 layers: pairs of doubles against entry balls with Arb's products", 8, None).row(
        ratio("bert_base_arb/layers:12/bits:256", "bert_base_in_pairs")))
    rows.append(Figure("the same against a plain double forward", 20, 12, True).row(ratio("bert_base_in_pairs", "bert_base_plain")))
    rows.append(Figure("time of depth 1000 over that of depth 100 (100: quadratic)", 100, None, True).row(
        ratio("propagation/depth:1000", "propagation/depth:100")))
    return [row for row in rows if row is not None]


def machine():
    info, memory = open("/proc/cpuinfo").read(), open("/proc/meminfo").read()
    model = re.search(r"model name\s*: (.*)", info)
    return {"processor": model[1].strip() if model else "unknown", "cores": len(os.sched_getaffinity(0)),
            "memory_gib": round(int(re.search(r"MemTotal: *(\d+)", memory)[1]) / 2**20, 1),
            "avx512": "avx512f" in info}


def in_words(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def text_of(where, version, rows, measured):
    lines = [f"{version} on {where['cores']} cores of {where['processor']}{' with AVX-512' if where['avx512'] else ''}, "
             f"{where['memory_gib']} GiB of memory.", "", "| figure | must | aim | measured | met |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    lines += ["", "What was measured (processor time of one thread; networks of `rankfall generate`, 16 tokens of width 16 and one "
              "head, where nothing else is said):", "", "| benchmark | time | beside it |", "|---|---:|---|"]
    for name, run in measured.items():
        beside = ", ".join(f"{key} {value:.4g}" for key, value in run.items()
                           if key != "seconds" and isinstance(value, (int, float)) and key != "madd")
        lines.append(f"| {name} | {in_words(run['seconds'])} | {beside} |")
    return "\n".join(lines) + "\n"


def put(page, text):
    first, last = "<!-- ratios: begin -->", "<!-- ratios: end -->"
    before, found, rest = page.read_text().partition(first + "\n")
    _, closed, after = rest.partition(last)
    if not found or not closed:
        sys.exit(f"{page} has no marks {first} and {last}")
    page.write_text(before + found + text + last + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    program, plain = given.build / "bench" / "numerics_bench", given.build / "bench" / "plain_bench"
    rankfall = given.build / "bin" / "rankfall"
    for needed in (program, plain, rankfall):
        if not os.access(needed, os.X_OK):
            parser.error(f"there is no program {needed}; scripts/bench.sh builds it")
    if given.write and given.quick:
        parser.error("--quick leaves figures out: not for --write")
    measured = benchmarks(program, FILTERS + ([] if given.quick else LONG))
    measured |= {} if given.quick else benchmarks(plain, ["bert_base_plain"])
    commands(rankfall, measured, given.quick)
    version = subprocess.run([rankfall, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    where, rows = machine(), figures(measured)
    target = given.json or given.build / "ratios.json"
    target.write_text(json.dumps({"version": version, "machine": where, "measured": measured, "figures": rows}, indent=1) + "\n")
    text = text_of(where, version, rows, measured)
    print(text, end="")
    if given.write:
        put(given.write, text)


main()
