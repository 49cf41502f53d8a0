#!/usr/bin/env python3
"""The page of a report in a browser: no error, no request, every figure there, tables that sort, nothing wider than the
window, at 390 and at 1400 pixels. Exit code 77, which ctest calls skipped, where there is no Chromium.
usage: page_test.py PROGRAM [FOLDER for screenshots]"""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77

GRID = """depth = "1:4"
tokens = [3, 5]
dim = 4
heads = [1, 2]
beta = ["0.001", "0.05", "20"]
seeds = 3
digits = 6
"""

# Runs in the page before anything else of it: whatever goes wrong is kept, and nothing may be fetched.
FIRST = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';
script-src 'unsafe-inline'; img-src data:">
<script>
const wrong = [];
for (const kind of ["error", "warn"]) {
  const before = console[kind];
  console[kind] = (...words) => { wrong.push(kind + ": " + words.join(" ")); before(...words); };
}
addEventListener("error", (event) => wrong.push("error: " + event.message));
addEventListener("unhandledrejection", (event) => wrong.push("rejected: " + event.reason));
addEventListener("securitypolicyviolation", (event) => wrong.push("asked for: " + event.blockedURI));
</script>
"""

# Runs after the page is there, and tells the window around it what it found.
LAST = """<script>
addEventListener("load", () => {
  const found = { width: innerWidth };
  const figures = [...document.querySelectorAll("figure")];
  found.figures = figures.map((figure) => {
    const box = figure.querySelector("svg").getBoundingClientRect();
    return { name: figure.querySelector("figcaption").textContent, width: box.width, height: box.height,
             drawn: figure.querySelectorAll("svg path").length,
             hovers: figure.querySelectorAll(".hover title").length };
  });
  for (const details of document.querySelectorAll("details")) details.open = true;
  found.heat = [...document.querySelectorAll("table.heat[id]")].map((table) => ({
    id: table.id, cells: table.querySelectorAll("td[title]").length,
    unreadable: [...table.querySelectorAll("td[title]")].filter((td) => !td.textContent.trim()).length }));
  found.wide = document.documentElement.scrollWidth;
  const values = (table, column) => [...table.tBodies[0].rows].map((row) => row.cells[column].dataset.v);
  found.tables = [...document.querySelectorAll("table.sortable")].map((table) => {
    const headings = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    const bad = [];
    headings.forEach((heading, column) => {
      const numeric = heading.classList.contains("n");
      for (let turn = 0; turn < 2; ++turn) {
        heading.querySelector("button").click();
        const order = heading.getAttribute("aria-sort");
        let list = values(table, column);
        if (numeric) list = list.map(Number).filter((value) => !Number.isNaN(value));
        if (order === "descending") list.reverse();
        for (let i = 1; i < list.length; ++i)
          if (list[i - 1] > list[i]) { bad.push(heading.textContent + " " + order); break; }
        if (!["ascending", "descending"].includes(order)) bad.push(heading.textContent + " has no order");
      }
    });
    return { rows: table.tBodies[0].rows.length, columns: headings.length, bad };
  });
  const explore = document.getElementById("explore"), choose = explore.querySelector("form").elements;
  found.chosen = [];
  for (const [measure, rows, columns] of [[0, 0, 1], [1, 1, 0], [0, 1, 1]]) {
    choose.measure.value = measure; choose.rows.value = rows; choose.columns.value = columns;
    choose.rows.dispatchEvent(new Event("change", { bubbles: true }));
    found.chosen.push(explore.querySelectorAll("td[title]").length);
  }
  found.resources = performance.getEntriesByType("resource").map((entry) => entry.name);
  found.wrong = wrong;
  parent.postMessage(JSON.stringify(found), "*");
});
</script>
"""

AROUND = """<!DOCTYPE html><meta charset="utf-8"><title>around</title><pre id="found"></pre>
<script>addEventListener("message", (event) => {{ document.getElementById("found").textContent = event.data; }});</script>
<iframe src="page.html" style="width:{width}px;height:1200px;border:0"></iframe>
"""

failures = 0


def expect(words, true, found=""):
    global failures
    print(("ok    " if true else "WRONG ") + words + ("" if true else f": {found}"))
    failures += not true


def browser():
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if shutil.which(name):
            return name
    return None


def chromium(place, *arguments):
    return subprocess.run(
        [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
         "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-quic", f"--user-data-dir={place / 'profile'}",
         "--allow-file-access-from-files", "--enable-logging=stderr", "--virtual-time-budget=10000", *arguments],
        capture_output=True, text=True, errors="replace", timeout=180)


def check_width(place, report, width):
    (place / "around.html").write_text(AROUND.format(width=width))
    done = chromium(place, f"--window-size={max(width, 500) + 40},1300", "--dump-dom", (place / "around.html").as_uri())
    match = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    if not match or not match.group(1):
        expect(f"{width} pixels: the page loads", False, done.stderr[-400:])
        return
    found = json.loads(html.unescape(match.group(1)))
    at = f"{width} pixels: "
    expect(at + "as wide as asked", found["width"] == width, found["width"])
    expect(at + "no error", not found["wrong"] and "CONSOLE" not in done.stderr,
           found["wrong"] or re.findall(".*CONSOLE.*", done.stderr))
    expect(at + "no request", not found["resources"], found["resources"])
    files = {path.stem for path in (report / "figures").glob("*.svg")}
    shown = {re.sub(r"^figures/|\.svg.*$", "", figure["name"]) for figure in found["figures"]}
    heat = {table["id"].removeprefix("heat-") for table in found["heat"]}
    expect(at + f"every one of {len(files)} figures is there", shown | heat == files, files ^ (shown | heat))
    poor = [f["name"] for f in found["figures"]
            if f["width"] < 250 or f["height"] < 150 or f["drawn"] < 5 or f["hovers"] < 1]
    expect(at + f"{len(shown)} drawn, with words on hover", not poor, poor)
    expect(at + f"{len(heat)} heat maps with numbers",
           all(t["cells"] > 0 and t["unreadable"] == 0 for t in found["heat"]) and heat, found["heat"])
    few, turned, none = found["chosen"]
    expect(at + "two axes can be chosen, in both orders", few > 3 and turned > 3 and none == 0, found["chosen"])
    expect(at + "nothing wider than the window", found["wide"] <= width, found["wide"])
    tables = found["tables"]
    expect(at + f"{len(tables)} tables sort by every column, both ways",
           len(tables) >= 3 and all(t["rows"] > 2 and not t["bad"] for t in tables), tables)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    if not browser():
        print("skipped: the page in a browser: no Chromium (scripts/deps.sh readers)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        (place / "grid.toml").write_text(GRID)
        subprocess.run([program, "report", "--config", "grid.toml", "--out", "report"], cwd=place, check=True,
                       capture_output=True)
        page = (place / "report/index.html").read_text()
        head, end = page.index("<head>") + 6, page.rindex("</body>")
        (place / "page.html").write_text(page[:head] + FIRST + page[head:end] + LAST + page[end:])
        for width in (390, 1400):
            check_width(place, place / "report", width)
        # The test itself must be able to fail.
        broken = page[:head] + FIRST + page[head:end] + '<img src="http://127.0.0.1:9/x.png"><script>none()</script>'
        (place / "page.html").write_text(broken + LAST + page[end:])
        (place / "around.html").write_text(AROUND.format(width=1400))
        done = chromium(place, "--window-size=1440,1300", "--dump-dom", (place / "around.html").as_uri())
        expect("a page with an error and a request is found out", "asked for" in done.stdout and "none is not" in done.stdout)
        if len(sys.argv) > 2:
            for width, height in ((390, 14000), (1400, 9000)):
                picture = pathlib.Path(sys.argv[2]).resolve() / f"page-{width}.png"
                chromium(place, f"--window-size={width},{height}", f"--screenshot={picture}",
                         (place / "report/index.html").as_uri())
    return failures > 0


sys.exit(main())
