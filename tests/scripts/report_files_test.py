#!/usr/bin/env python3
"""What `rankfall report --ledger` writes, read by other programs: CSV strictly, JSON by schema, LaTeX compiled, and
numbers of the page recomputed from the exported rows. usage: report_files_test.py PROGRAM ROOT"""

import csv
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction

GRID = """depth = "1:3"
tokens = [3, 5]
dim = 4
heads = [1, 2]
beta = ["0.001", "0.05", "20"]
seeds = 3
digits = 9
"""

program = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(sys.argv[2]).resolve()
failures = 0


def expect(words, true, found=""):
    global failures
    print(("ok    " if true else "WRONG ") + words + ("" if true else f": {found}"))
    failures += not true


def expect_quietly(words, true, found):
    if not true:
        expect(words, true, found)


def skip(words):
    print("skipped: " + words)


def run(*arguments, **options):
    return subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, **options)


def read_csv(text):
    lines = list(csv.reader(text.splitlines(keepends=True), strict=True))
    return [dict(zip(lines[0], line)) for line in lines[1:]], {len(line) for line in lines}


# --- numbers recomputed ---------------------------------------------------------------------------------------


def quartile(numbers, q):
    ordered = sorted(numbers)
    place, part = divmod(q * (len(ordered) - 1), 4)
    return ordered[place] + (Fraction(part, 4) * (ordered[place + 1] - ordered[place]) if part else 0)


def ends(rows, measure, q):
    """Both ends of the q-th quartile of an enclosed measure."""
    return [quartile([Fraction(row[f"{measure}_{end}"]) for row in rows], q) for end in ("lo", "hi")]


def number_of(text):
    """A number as the page writes it."""
    text = re.sub(r"\u00d710<sup>(\u2212?)(\d+)</sup>", lambda m: "e" + ("-" if m[1] else "") + m[2], text)
    return Fraction(text.replace("\u2212", "-"))


def says(text, low, high):
    """Whether the page's text is one that an enclosure allows: a rounding of all of it, or a range about it."""
    if "\u2013" in text:
        shared = re.fullmatch(r"\((.*)\)(.*)", text)
        first, last = (shared[1] if shared else text).split("\u2013")
        power = shared[2] if shared else ""
        first, second = number_of(first + power), number_of(last + power)
        return first <= low and high <= second
    shown = number_of(text)
    digits = max(len(re.sub(r"^0+", "", re.sub(r"\u00d7.*|[^\d]", "", text))), 1)
    half = abs(shown) * Fraction(6, 10 ** digits)  # generous: half a unit of the last digit is at most 5/10^digits
    return abs(low - shown) <= half and abs(high - shown) <= half


def row_cells(page, label):
    row = re.search(r'<tr><th scope="row" data-v="' + re.escape(label) + r'">.*?</tr>', page, re.S).group()
    return re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)


def check_numbers(page, rows):
    mine = [row for row in rows if row["statement"] == "dong-2.2-v1" and row["verdict"] != "inapplicable"]
    cells = row_cells(page, "dong-2.2-v1")
    # in general, proved, refuted, inapplicable, inconclusive, looseness least, median, greatest, slack, vacuous, ...
    refuted = sum(row["verdict"] == "refuted" for row in mine)
    expect("refuted of dong-2.2-v1", re.sub(r"\D", "", re.sub("<[^>]*>", "", cells[2])) == str(refuted), cells[2])
    loose = [row for row in mine if row["looseness_lo"]]
    for name, cell, q in (("least", 5, 0), ("median", 6, 2), ("greatest", 7, 4)):
        low, high = ends(loose, "looseness", q)
        expect(f"{name} looseness of dong-2.2-v1 is {cells[cell]}", says(cells[cell], low, high),
               f"{float(low)} .. {float(high)}")
    vacuous = [row["vacuous"] for row in mine if row["vacuous"]]
    share = round(100 * vacuous.count("true") / len(vacuous))
    expect("share of vacuous bounds of dong-2.2-v1", cells[9].replace("\u2009", " ") in (f"{share} %", "<1 %", "&lt;1 %"),
           f"{cells[9]}, not {share}")
    at = [row for row in loose if row["depth"] == "3" and Fraction(row["beta"]) == Fraction("0.05")]
    low, high = ends(at, "looseness", 2)
    table = re.search(r'<table class="heat" id="heat-looseness-by-beta">.*?</table>', page, re.S).group()
    line = re.search(r'<th scope="row">dong-2.2-v1</th>.*?</tr>', table, re.S).group()
    column = re.findall(r'<th scope="col">(.*?)</th>', table).index("0.05") - 1
    cell = re.findall(r"<td[^>]*>(.*?)</td>", line)[column]
    expect(f"heat map, dong-2.2-v1 at beta 0.05 is {cell}", says(cell, low, high), f"{float(low)} .. {float(high)}")


def check_margins(page, directory, exported, rows):
    """The table of margins, recomputed from the exported lines; each line names a row and agrees with its verdict."""
    expect("margins.csv is what export prints", (directory / "margins.csv").read_text() == exported)
    margins = read_csv(exported)[0]
    network = ("blocks", "tokens", "dim", "heads", "d_qk", "beta", "law", "input_law", "seed")
    claim = ("statement", "gamma", "quantity", "depth", "from", "to", "reference")
    verdicts = {tuple(row[c] for c in claim + network): row["verdict"] for row in rows}
    failing = set()
    for line in margins:
        key = tuple(line[c] for c in claim + network)
        expect_quietly("a margin belongs to a row", verdicts.get(key) == line["verdict"], line)
        low, high = Fraction(line["margin_lo"]), Fraction(line["margin_hi"])
        expect_quietly("a margin has the sign that its hypothesis says",
                       low <= high and {"true": high >= 0, "false": low < 0, "": True}[line["holds"]], line)
        if line["holds"] != "true":
            failing.add(key)
    expect("margins and verdicts agree", failing and all(verdicts[key] == "inapplicable" for key in failing))
    mine = [line for line in margins if line["statement"] == "layer-cubic" and line["hypothesis"] == "1.256"]
    table = re.search(r'<table class="sortable" id="margins-table">.*?</table>', page, re.S).group()
    row = re.search(r'data-v="layer-cubic">layer-cubic</th><td data-v="1.256">.*?</tr>', table, re.S).group()
    cells = re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)  # hypothesis, certified, failing, open, five numbers
    certified = sum(line["holds"] == "true" for line in mine)
    expect(f"1.256 certified for layer-cubic: {cells[1]}", re.sub(r"\D", "", cells[1]) == str(certified), certified)
    for name, q in (("least", 0), ("lower quartile", 1), ("median", 2), ("upper quartile", 3), ("greatest", 4)):
        low, high = ends(mine, "margin", q)
        expect(f"{name} margin of layer-cubic is {cells[4 + q]}", says(cells[4 + q], low, high),
               f"{float(low)} .. {float(high)}")


# --- the rest -------------------------------------------------------------------------------------------------


def check_csv(directory, exported):
    for path in sorted(directory.rglob("*.csv")):
        try:
            rows, widths = read_csv(path.read_text())
            expect(f"{path.name}: {len(rows)} rows of CSV", len(widths) == 1 and rows, widths)
        except csv.Error as error:
            expect(path.name, False, error)
    expect("tightness.csv is what export prints", (directory / "tightness.csv").read_text() == exported)
    for table in ("result", "margin"):
        lines = run("export", directory.parent / "l.sqlite", "--format", "jsonl", "--table", table).stdout.splitlines()
        told = [json.loads(line) for line in lines]
        kept = sum(len(line["hypotheses"]) if table == "result" else 1 for line in told)
        expect(f"{kept} hypotheses in JSON Lines, {table}", kept == len(read_csv(
            (directory / "margins.csv").read_text())[0]), kept)


def check_schemas(directory):
    try:
        import jsonschema
    except ImportError:
        skip("JSON against docs/schema: Python without jsonschema (scripts/deps.sh readers)")
        return
    schemas = {name: json.loads((root / f"docs/schema/{name}.json").read_text()) for name in ("verdicts", "check", "row", "margin")}
    for schema in schemas.values():
        jsonschema.Draft7Validator.check_schema(schema)

    def valid(document, name):
        errors = list(jsonschema.Draft7Validator(schemas[name]).iter_errors(document))
        return not errors, [f"{list(e.path)}: {e.message}"[:200] for e in errors[:3]]

    verdicts = json.loads((directory / "verdicts.json").read_text())
    expect("verdicts.json against its schema", *valid(verdicts, "verdicts"))
    for name, table in (("row", "result"), ("margin", "margin")):
        lines = run("export", directory.parent / "l.sqlite", "--format", "jsonl", "--table", table).stdout.splitlines()
        wrong = [bad for line in lines for ok, bad in [valid(json.loads(line), name)] if not ok]
        expect(f"{len(lines)} JSON Lines of the table {table} against their schema", lines and not wrong, wrong[:2])
        broken = json.loads(lines[0])
        broken["depth"] = "3"
        expect("a wrong line is refused", not valid(broken, name)[0])
    verdicts["verdicts"]["proved"] = "many"
    expect("a wrong verdicts.json is refused", not valid(verdicts, "verdicts")[0])
    for name in ("two-tokens", "attention-and-mlp", "decoder-layer", "two-heads-skip"):
        done = run("check", root / f"docs/examples/{name}.json", "--json")
        expect(f"check --json of {name} against its schema", *valid(json.loads(done.stdout), "check"))


def check_latex(directory):
    if not shutil.which("pdflatex"):
        skip("LaTeX tables: no pdflatex (scripts/deps.sh readers)")
        return
    for style in ("booktabs.sty", "longtable.sty", "geometry.sty"):
        if subprocess.run(["kpsewhich", style], capture_output=True).returncode != 0:
            skip(f"LaTeX tables: no {style} (scripts/deps.sh readers)")
            return
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
                          cwd=directory / "tables", capture_output=True, text=True, errors="replace")
    expect("LaTeX tables compile", done.returncode == 0 and (directory / "tables/all.pdf").exists(),
           done.stdout[-600:])


with tempfile.TemporaryDirectory() as place:
    place = pathlib.Path(place)
    (place / "grid.toml").write_text(GRID)
    run("sweep", place / "grid.toml", "--ledger", place / "l.sqlite", "--threads", "1")
    exported = run("export", place / "l.sqlite", "--format", "csv").stdout
    done = run("report", "--ledger", "l.sqlite", "--out", "report", cwd=place)
    expect("report --ledger ends well", done.returncode == 0, done.stderr)
    if done.returncode == 0:
        page = html.unescape((place / "report/index.html").read_text().replace("&lt;", "&amp;lt;"))
        check_numbers(page, read_csv(exported)[0])
        margins = run("export", place / "l.sqlite", "--table", "margin").stdout
        check_margins(page, place / "report", margins, read_csv(exported)[0])
        check_csv(place / "report", exported)
        check_schemas(place / "report")
        check_latex(place / "report")
    for flags in (["--config", "grid.toml"], ["--threads", "2"], ["--certificate", "folder"]):
        done = run("report", "--ledger", "l.sqlite", "--out", "other", *flags, cwd=place)
        expect(f"--ledger beside {flags[0]} is refused", done.returncode == 64 and flags[0] in done.stderr, done.stderr)
    done = run("report", "--ledger", "none.sqlite", "--out", "other", cwd=place)
    expect("a ledger that is not there is bad input", done.returncode == 65 and "none.sqlite" in done.stderr, done.stderr)
    expect("and nothing is written then", not (place / "other").exists())

sys.exit(failures > 0)
