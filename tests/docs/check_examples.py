"""Runs the commands that the manual shows and compares what they print with what it shows.

usage: check_examples.py PROGRAM PAGE... [--write]

A block that begins with `$ ` holds commands, each followed by its output. They run in one scratch folder a page, with
`rankfall` standing for PROGRAM; examples of the repository are found under docs/, scripts/recheck.py in its place. A block after a line
`<!-- needs: MODULE -->` is left out where Python lacks that module. --write puts the real output into the page instead.
"""
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile


PROGRESS = re.compile(r"\w+ \[[#.]+\] \d+/\d+ ")  # on a slow machine


def run(command, folder, program):
    shell = "rankfall() { '" + program + "' \"$@\"; }\n" + command
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]  # python3 is the one that runs this
    return subprocess.run(["bash", "-c", shell], cwd=folder, capture_output=True, text=True, timeout=300,
                          env=os.environ | {"PATH": path})


def real_block(block, folder, program):
    """The block with the output that its commands print now; messages on standard error included, exit codes not."""
    lines = []
    for line in block.splitlines():
        if line.startswith("$ "):
            lines.append(line)
            done = run(line[2:], folder, program)
            messages = [said for said in done.stderr.splitlines() if not PROGRESS.match(said)]
            lines += done.stdout.rstrip("\n").splitlines() + messages
    return "\n".join(lines) + "\n"


def check(page, program, write):
    text = open(page, encoding="utf-8").read()
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(os.path.dirname(page), "examples"), os.path.join(folder, "docs", "examples"))
        os.mkdir(os.path.join(folder, "scripts"))
        for script in glob.glob(os.path.join(os.path.dirname(page), "..", "scripts", "recheck*.py")):
            shutil.copy(script, os.path.join(folder, "scripts"))

        def replace(match):
            needs, block = match.group("needs"), match.group("block")
            if needs and importlib.util.find_spec(needs) is None:
                return match.group(0)
            real = real_block(block, folder, program)
            if real != block:
                faults.append(f"{page}: the manual shows\n{block}\nbut the commands print\n{real}")
            return match.group(0).replace("```\n" + block, "```\n" + real)

        new = re.sub(r"(<!-- needs: (?P<needs>\w+) -->\n+)?```\n(?P<block>\$ .*?)(?=```)", replace, text, flags=re.S)
    if write:
        open(page, "w", encoding="utf-8").write(new)
        return []
    return faults


def main():
    write = "--write" in sys.argv
    program, *pages = [a for a in sys.argv[1:] if a != "--write"]
    faults = [fault for page in pages for fault in check(page, os.path.abspath(program), write)]
    print("\n".join(faults) or f"{len(pages)} pages as shown")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
