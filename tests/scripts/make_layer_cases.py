#!/usr/bin/env python3
"""Writes the cases of whole layers: networks of every block kind, and what direct evaluation finds.

Textbook formulas in mpmath, which shares no code with rankfall. Usage: make_layer_cases.py FOLDER
"""
import json
import pathlib
import random
import sys

from mpmath import erf, exp, log10, mp, mpf, sqrt, tanh

DIGITS = 2600
TOKENS, DIM = 4, 3


def number(text):
    top, _, bottom = str(text).partition("/")
    return mpf(top) / mpf(bottom) if bottom else mpf(top)


def matrix(rows):
    return [[number(entry) for entry in row] for row in rows]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def plus_row(a, row):
    return a if row is None else [[x + number(y) for x, y in zip(line, row)] for line in a]


def normalise(norm, z):
    of_token = norm["of"] == "token"
    lines = [list(line) for line in (z if of_token else zip(*z))]
    for line in lines:
        mean = sum(line) / len(line)
        deviation = sqrt(sum((x - mean) ** 2 for x in line) / len(line) + number(norm.get("epsilon", 0)))
        line[:] = [(x - mean) / deviation for x in line]
    rows = lines if of_token else [list(row) for row in zip(*lines)]
    scale, shift = norm.get("scale", [1] * len(rows[0])), norm.get("shift", [0] * len(rows[0]))
    return [[x * number(g) + number(s) for x, g, s in zip(row, scale, shift)] for row in rows]


def allowed(mask, i, j):
    return mask is None or (j <= i if mask == "causal" else mask[i][j] == 1)


def attend(head, mask, z):
    n = len(z)
    content = plus_row(product(z, matrix(head["W_Q"])), head.get("b_Q"))
    keys = plus_row(product(z, matrix(head["W_K"])), head.get("b_K"))
    values = plus_row(product(z, matrix(head["W_V"])), head.get("b_V"))
    plain = plus_row(product(z, matrix(head["W_Q"])), head.get("b_R"))
    relative = matrix(head["relative_keys"]) if "relative_keys" in head else None
    mixed = []
    for i in range(n):
        scores = {}
        for j in range(n):
            if not allowed(mask, i, j):
                continue
            score = sum(x * y for x, y in zip(content[i], keys[j]))
            if relative:
                score += sum(x * y for x, y in zip(plain[i], relative[i - j + n - 1]))
            score /= sqrt(mpf(len(keys[j])))
            if "score_bias" in head:
                score += number(head["score_bias"][i][j])
            scores[j] = score
        weights = {j: exp(score - max(scores.values())) for j, score in scores.items()}
        total = sum(weights.values())
        mixed.append([sum(w * values[j][k] for j, w in weights.items()) / total for k in range(len(values[0]))])
    return product(mixed, matrix(head["W_O"]))


ACTIVATIONS = {"relu": lambda x: max(x, mpf(0)), "tanh": tanh, "gelu": lambda x: x * (1 + erf(x / sqrt(mpf(2)))) / 2}


def run(block, z):
    if block["kind"] == "norm":
        return normalise(block, z)
    seen = normalise(block["pre_norm"], z) if "pre_norm" in block else z
    if block["kind"] == "attention":
        heads = [attend(head, block.get("mask"), seen) for head in block["heads"]]
        out = plus_row([[sum(entries) for entries in zip(*rows)] for rows in zip(*heads)], block.get("b_O"))
    else:
        out = seen
        for number_of, layer in enumerate(block["layers"]):
            if number_of > 0:
                out = [[ACTIVATIONS[block["activation"]](x) for x in row] for row in out]
            out = plus_row(product(out, matrix(layer["W"])), layer.get("b"))
    skip = number(block.get("skip", 0))
    return [[y + skip * x for x, y in zip(before, after)] for before, after in zip(z, out)] if skip else out


def median(column):
    ordered = sorted(column)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def logarithm(x):
    return mp.nstr(log10(x), 30, min_fixed=-10, max_fixed=10, strip_zeros=False) if x > 0 else "-inf"


def measures(z):
    columns = [list(column) for column in zip(*z)]
    references = {"mean": [sum(c) / len(c) for c in columns], "median": [median(c) for c in columns],
                  "midrange": [(max(c) + min(c)) / 2 for c in columns]}
    result = {}
    for name, y in references.items():
        sizes = [[abs(x - r) for x, r in zip(row, y)] for row in z]
        result[name] = logarithm(sqrt(max(map(sum, zip(*sizes))) * max(map(sum, sizes))))
    pairs = [[abs(x - y) for x, y in zip(a, b)] for a in z for b in z]
    result["diam_1"] = logarithm(max(sum(p) for p in pairs))
    result["diam_2"] = logarithm(max(sqrt(sum(x * x for x in p)) for p in pairs))
    result["diam_inf"] = logarithm(max(max(p) for p in pairs))
    return result


def drawn(rng, rows, cols, size=1.0):
    return [[round(rng.gauss(0, size), 6) for _ in range(cols)] for _ in range(rows)]


def vector(rng, size=1.0):
    return drawn(rng, 1, DIM, size)[0]


def norm(rng, of, epsilon):
    return {"of": of, "epsilon": epsilon, "scale": vector(rng), "shift": vector(rng)}


def head(rng, values=0.7):
    return {"W_Q": drawn(rng, DIM, 2, 0.4), "W_K": drawn(rng, DIM, 2, 0.4), "W_V": drawn(rng, DIM, 2, values),
            "W_O": drawn(rng, 2, DIM, 0.7), "b_Q": drawn(rng, 1, 2)[0], "b_K": drawn(rng, 1, 2)[0],
            "b_V": drawn(rng, 1, 2)[0]}


def attention(rng, **more):
    values = more.pop("values", 0.7)
    return {"kind": "attention", **more, "heads": [head(rng, values) for _ in range(2)], "b_O": vector(rng)}


def mlp(rng, activation, **more):
    return {"kind": "mlp", **more, "activation": activation,
            "layers": [{"W": drawn(rng, DIM, 4), "b": drawn(rng, 1, 4)[0]}, {"W": drawn(rng, 4, DIM)}]}


PADDING = [[1, 1, 0, 1]] * TOKENS
LISTED = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]]


def cases():
    def blocks(seed, depth, layer):
        rng = random.Random(seed)
        network = {"format": "rankfall-network/1", "input": drawn(rng, TOKENS, DIM), "blocks": []}
        for _ in range(depth):
            network["blocks"] += layer(rng)
        return network

    yield "post-ln", blocks(1, 6, lambda r: [attention(r), {"kind": "norm", **norm(r, "token", 0)}])
    yield "pre-ln", blocks(2, 6, lambda r: [attention(r, pre_norm=norm(r, "token", 0.00001))])
    yield "encoder-layers", blocks(3, 3, lambda r: [
        attention(r, skip=1, mask=PADDING), {"kind": "norm", **norm(r, "token", 0.00001)},
        mlp(r, "gelu", skip=1), {"kind": "norm", **norm(r, "token", 0.00001)}])
    yield "decoder-layers", blocks(4, 3, lambda r: [
        attention(r, skip=1, mask="causal", pre_norm=norm(r, "token", 0.00001)),
        mlp(r, "tanh", skip=1, pre_norm=norm(r, "token", 0.00001))])
    yield "column-norm", blocks(5, 5, lambda r: [attention(r), {"kind": "norm", **norm(r, "column", 0.1)}])
    yield "column-norm-without-epsilon", blocks(6, 3, lambda r: [
        attention(r, pre_norm=norm(r, "column", 0)), {"kind": "norm", **norm(r, "column", 0)}])
    yield "key-padding", blocks(7, 6, lambda r: [attention(r, mask=PADDING)])
    yield "causal-deep", blocks(8, 60, lambda r: [attention(r, mask="causal", values=0.0001)])
    yield "listed-mask-deep", blocks(9, 60, lambda r: [attention(r, mask=LISTED, values=0.0001)])

    def biased(rng):
        block = attention(rng, mask="causal")
        block["heads"][0].update(relative_keys=drawn(rng, 2 * TOKENS - 1, 2), b_R=drawn(rng, 1, 2)[0])
        block["heads"][1].update(score_bias=drawn(rng, TOKENS, TOKENS))
        return [block]

    yield "row-biases", blocks(10, 4, biased)
    yield "column-norm-deep", blocks(11, 7, lambda r: [attention(r), {"kind": "norm", **norm(r, "column", 0.1)}])
    yield "mlp-deep", blocks(12, 6, lambda r: [attention(r), mlp(r, "gelu")])
    yield "row-biases-deep", blocks(13, 60, lambda r: [attention(r, mask="causal", values=0.0001) | {
        "heads": [head(r, 0.0001) | {"relative_keys": drawn(r, 2 * TOKENS - 1, 2), "b_R": drawn(r, 1, 2)[0]},
                  head(r, 0.0001) | {"score_bias": drawn(r, TOKENS, TOKENS)}]}])


def main():
    mp.dps = DIGITS
    folder = pathlib.Path(sys.argv[1])
    for name, network in cases():
        z = matrix(network["input"])
        states = [{"block": "input", **measures(z)}]
        for block in network["blocks"]:
            z = run(block, z)
            states.append({"block": block["kind"], **measures(z)})
        (folder / f"{name}.json").write_text(json.dumps(network, separators=(",", ":")) + "\n")
        expected = {"network": f"{name}.json", "digits_used": DIGITS, "log10": states}
        (folder / f"{name}.expected.json").write_text(json.dumps(expected, indent=1) + "\n")


main()
