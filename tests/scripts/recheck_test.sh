#!/usr/bin/env bash
# scripts/recheck.py and `rankfall recheck` agree: they accept what the program writes and nothing that was altered.
# usage: recheck_test.sh PROGRAM CASES
set -euo pipefail
program=$(realpath "$1")
cases=$(realpath "$2")
script=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../scripts/recheck.py")
sandbox=$(mktemp -d)
trap 'rm -rf "$sandbox"' EXIT
failures=0

expect() { # expect WORDS ACTUAL WANTED
  if [[ $2 == "$3" ]]; then
    printf 'ok    %s\n' "$1"
  else
    printf 'WRONG %s: found %s, expected %s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
  fi
}
includes=$(cat "$(dirname "$script")"/../verify/recheck/*.?pp | sed -n 's/^#include "\(.*\)"/\1/p' | sort -u)
expect "recheck shares no arithmetic with the engine but exact numbers" \
  "$(grep -v '^verify/recheck/' <<<"$includes" | xargs)" \
  "numerics/errors.hpp numerics/exact.hpp numerics/io/json_syntax.hpp verify/sha256.hpp"

code() { "$@" >"$sandbox/said" 2>&1 && echo 0 || echo $?; }

for name in two-heads-bias scalar-growth skip-half constant-rows; do
  "$program" check "$cases/$name.json" --certificate "$sandbox/$name" >"$sandbox/printed" 2>"$sandbox/told" || true
  expect "$name: told what has none" "$(grep -c 'certificates in' "$sandbox/told")" 1
  expect "$name: rankfall recheck" "$(code "$program" recheck "$sandbox/$name"/*.json)" 0
  expect "$name: recheck.py" "$(code python3 "$script" "$sandbox/$name"/*.json)" 0
done
"$program" audit --certificate "$sandbox/audit" >"$sandbox/printed" 2>"$sandbox/told"
expect "audit: rankfall recheck" "$(code "$program" recheck "$sandbox/audit"/*.json)" 0
expect "audit: recheck.py" "$(code python3 "$script" "$sandbox/audit"/*.json)" 0

# One character of a value changed, without and with a digest of its own.
python3 - "$script" "$sandbox" <<'PYTHON'
import hashlib
import importlib.util
import json
import pathlib
import random
import sys

spec = importlib.util.spec_from_file_location("recheck", sys.argv[1])
recheck = importlib.util.module_from_spec(spec)
spec.loader.exec_module(recheck)
random.seed(20261130)
paths = sorted(pathlib.Path(sys.argv[2]).glob("*/*.json"))


def places(value, path=()):
    for key, inner in (value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()):
        yield path + (key,)
        yield from places(inner, path + (key,))


def alter(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, str) and value:
        k = random.randrange(len(value))
        return type(value)(value[:k] + ("7" if value[k] != "7" else "1") + value[k + 1:])
    if isinstance(value, list):
        return value[1:] if value else [recheck.Num(1)]
    if isinstance(value, dict):
        return dict(value, added=None)
    return "x" if value is None else None


def outcome(certificate):
    try:
        return "rejected" if recheck.recheck(certificate) else "accepted"
    except (recheck.Unreadable, recheck.TooLarge, ValueError, ArithmeticError, LookupError, TypeError, AttributeError,
            SyntaxError, RecursionError):
        return "unreadable"


def under_a_new_digest(certificate):
    text = recheck.canonical(certificate, "digest")
    return dict(certificate, digest="sha256:" + hashlib.sha256(text.encode()).hexdigest())


accepted = 0
for _ in range(300):
    certificate = recheck.read(random.choice(paths))
    *path, last = random.choice(list(places(certificate)))
    inner = certificate
    for key in path:
        inner = inner[key]
    inner[last] = alter(inner[last])
    accepted += outcome(certificate) == "accepted"
print(f"ok    300 alterations" if accepted == 0 else f"WRONG {accepted} of 300 alterations accepted")
flipped = 0
for path in paths[::7]:
    certificate = recheck.read(path)
    assert outcome(under_a_new_digest(certificate)) == "accepted", path
    certificate["verdict"] = "proved" if certificate["verdict"] == "refuted" else "refuted"
    flipped += outcome(under_a_new_digest(certificate)) == "accepted"
print("ok    verdicts turned round" if flipped == 0 else f"WRONG {flipped} verdicts turned round were accepted")
sys.exit(accepted + flipped > 0)
PYTHON

printf '%s' '{"format": ' >"$sandbox/half.json"
printf '[%.0s' {1..100000} >"$sandbox/deep.json"
for name in half deep absent; do
  expect "$name: rankfall recheck" "$(code "$program" recheck "$sandbox/$name.json")" 65
  expect "$name: recheck.py" "$(code python3 "$script" "$sandbox/$name.json")" 65
done
exit $((failures > 0))
