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

mkdir "$sandbox/cases"
cp "$cases"/*.json "$sandbox/cases"
printf '%s' '{"format": "rankfall-network/1", "input": [[0.5, 0.25], [1, -0.5], [-0.75, 0.125]], "blocks": [{"kind": "attention",
"mask": "causal", "heads": [{"W_QK": [[0.5, 0.1], [0, 0.3]], "d_qk": 2, "W": [[0.7, 0.2], [0.1, -0.4]]}]}]}' >"$sandbox/cases/causal.json"
for name in two-heads-bias scalar-growth skip-half constant-rows key-padding causal; do
  "$program" check "$sandbox/cases/$name.json" --certificate "$sandbox/$name" >"$sandbox/printed" 2>"$sandbox/told" || true
  expect "$name: told what has none" "$(grep -c 'certificates in' "$sandbox/told")" 1
  expect "$name: rankfall recheck" "$(code "$program" recheck "$sandbox/$name"/*.json)" 0
  expect "$name: recheck.py" "$(code python3 "$script" "$sandbox/$name"/*.json)" 0
done
"$program" audit --certificate "$sandbox/audit" >"$sandbox/printed" 2>"$sandbox/told"
# What searches come to: a bound nearly attained, one attained, a family; the same search gives the same bytes.
search=(falsify layer-cubic --tokens 2 --dim 1 --budget 20000)
"$program" "${search[@]}" --certificate "$sandbox/searched" >/dev/null 2>&1
timeout -s INT 0.2 "$program" "${search[@]}" --state "$sandbox/state.json" >/dev/null 2>&1 || true
"$program" "${search[@]}" --state "$sandbox/state.json" --certificate "$sandbox/again" >/dev/null 2>&1
expect "falsify: interrupted and resumed" "$(diff -r "$sandbox/searched" "$sandbox/again" && echo same)" same
rm -r "$sandbox/again"
"$program" falsify diameter --tokens 2 --dim 1 --budget 1500 --certificate "$sandbox/searched" >/dev/null 2>&1
"$program" falsify dong-2.3 --family two-heads --budget 1 --certificate "$sandbox/searched" >/dev/null 2>&1
"$program" falsify dong-2.2-v1 --family one-logit-per-mover --budget 8000 --certificate "$sandbox/searched" >/dev/null 2>&1
"$program" falsify dong-3.1-orthogonal --family orthogonal-outputs --budget 99 --certificate "$sandbox/searched" >/dev/null 2>&1
"$program" falsify leading-order --tokens 3 --dim 1 --budget 500 --certificate "$sandbox/searched" >/dev/null 2>&1
"$program" table extremal layer-sharp --tokens 2,3 --dim 1 --evaluations 600 --certificate "$sandbox/extremal" >/dev/null 2>&1
expect "certificate files and nothing else" "$(cd "$sandbox" && echo searched/* extremal/*)" \
  "searched/diameter.diameter-1.0-1.json searched/dong-2.2-v1.one-logit-per-mover.json searched/dong-2.3.two-heads.json \
searched/dong-3.1-orthogonal.orthogonal-outputs.json searched/layer-cubic.residual-about-reference.0-1.json \
searched/leading-order.beyond-leading-order-1.0-1.json \
extremal/tokens-2.dim-1.heads-1.layer-sharp.residual-about-reference.0-1.json \
extremal/tokens-3.dim-1.heads-1.layer-sharp.residual-about-reference.0-1.json"
for from in searched extremal; do
  expect "$from: rankfall recheck" "$(code "$program" recheck "$sandbox/$from"/*.json)" 0
  expect "$from: recheck.py" "$(code python3 "$script" "$sandbox/$from"/*.json)" 0
done
# A certificate that was kept: what is written now has the same form, and it is still accepted.
golden=$(dirname "$cases")/certificates/two-tokens.json
(cd "$(dirname "$script")/.." && "$program" check docs/examples/two-tokens.json --define docs/examples/guess.toml \
  --statement sixteenth --certificate "$sandbox/golden" >/dev/null 2>&1)
expect "golden: rankfall recheck" "$(code "$program" recheck "$golden")" 0
expect "golden: recheck.py" "$(code python3 "$script" "$golden")" 0

# Residuals far below 10^(-10^18).
python3 - >"$sandbox/deep-model.json" <<'PYTHON'
import json
head = {"W_QK": [["1/2"]], "d_qk": 1, "W": [[1]]}
print(json.dumps({"format": "rankfall-network/1", "input": [["1/2"], ["-1/2"]],
                  "blocks": [{"kind": "attention", "heads": [head]}] * 45}))
PYTHON
"$program" check "$sandbox/deep-model.json" --statement dong-2.2-v1 --certificate "$sandbox/far" >/dev/null 2>&1
last=$sandbox/far/dong-2.2-v1.residual.0-45.json
expect "depth 45: a residual of 10^(-10^20) or less" "$(python3 -c 'import json, sys
ends = json.load(open(sys.argv[1]))["left"]["log10"]
print(float(ends[1]) < -1e20)' "$last")" True
expect "depth 45: rankfall recheck" "$(code "$program" recheck "$last")" 0
expect "depth 45: recheck.py" "$(code python3 "$script" "$last")" 0
sed 's/"verdict": "proved"/"verdict": "refuted"/' "$last" >"$sandbox/far-altered.json"
expect "depth 45: altered" "$(code python3 "$script" "$sandbox/far-altered.json")" 1
rm -r "$sandbox/far"

expect "audit: rankfall recheck" "$(code "$program" recheck "$sandbox/audit"/*.json)" 0
expect "audit: recheck.py" "$(code python3 "$script" "$sandbox/audit"/*.json)" 0

# One character of a value changed, without and with a digest of its own.
python3 - "$script" "$sandbox" "$golden" <<'PYTHON'
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).parent))
import recheck
from recheck_numbers import Num, TooLarge, Unreadable
random.seed(20261130)
paths = sorted(path for path in pathlib.Path(sys.argv[2]).glob("*/*.json") if path.parent.name != "cases")


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
        return value[1:] if value else [Num(1)]
    if isinstance(value, dict):
        return dict(value, added=None)
    return "x" if value is None else None


def outcome(certificate):
    try:
        return "rejected" if recheck.recheck(certificate) else "accepted"
    except (Unreadable, TooLarge, ValueError, ArithmeticError, LookupError, TypeError, AttributeError,
            SyntaxError, RecursionError):
        return "unreadable"


def under_a_new_digest(certificate):
    return dict(certificate, digest=recheck.digest(certificate))


accepted = 0
for _ in range(1000):
    certificate = recheck.read(random.choice(paths))
    *path, last = random.choice(list(places(certificate)))
    inner = certificate
    for key in path:
        inner = inner[key]
    inner[last] = alter(inner[last])
    accepted += outcome(certificate) == "accepted"
print("ok    1000 alterations" if accepted == 0 else f"WRONG {accepted} of 1000 alterations accepted")
flipped = 0
for path in paths[::7]:
    certificate = recheck.read(path)
    assert outcome(under_a_new_digest(certificate)) == "accepted", path
    certificate["verdict"] = "proved" if certificate["verdict"] == "refuted" else "refuted"
    flipped += outcome(under_a_new_digest(certificate)) == "accepted"


def form(value):
    """Without the digits of enclosures, and what changes with the program."""
    if isinstance(value, dict):
        return {key: type(inner) if key in ("version", "precision", "digest") or key in ("log10", "value") and type(inner) is list
                else form(inner) for key, inner in value.items()}
    return [form(inner) for inner in value] if isinstance(value, list) else value


kept, written = (form(recheck.read(path)) for path in (sys.argv[3], pathlib.Path(sys.argv[2], "golden/sixteenth.residual.0-2.json")))
print("ok    golden: the form" if kept == written else "WRONG golden: certificates have another form")
# A ratio moved, under a digest that belongs to it.
moved = 0
for path in [path for path in paths if path.parent.name in ("searched", "extremal")]:
    certificate = recheck.read(path)
    for ends in (certificate.get("ratio") or {}).values():
        low, high = map(float, ends)
        for other in ([low * 1.001, high * 1.001], [low * 0.999, high * 0.999], [high * 1.001, low]):
            ends[:] = map(str, other)
            moved += outcome(under_a_new_digest(certificate)) == "accepted"
print("ok    ratios moved" if moved == 0 else f"WRONG {moved} ratios that were moved were accepted")
print("ok    verdicts turned round" if flipped == 0 else f"WRONG {flipped} verdicts turned round were accepted")
sys.exit(accepted + flipped + moved > 0 or kept != written)
PYTHON

printf '%s' '{"format": ' >"$sandbox/half.json"
printf '[%.0s' {1..100000} >"$sandbox/deep.json"
for name in half deep absent; do
  expect "$name: rankfall recheck" "$(code "$program" recheck "$sandbox/$name.json")" 65
  expect "$name: recheck.py" "$(code python3 "$script" "$sandbox/$name.json")" 65
done
exit $((failures > 0))
