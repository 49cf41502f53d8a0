#!/usr/bin/env python3
"""How long mpmath takes for a network of plain attention, evaluated on the tokens as textbooks write it, with the given bits.

usage: direct_mpmath.py NETWORK BITS        prints the seconds and the largest distance of an entry from the first token's
NETWORK is a file of `rankfall generate`: heads in factors, without biases and masks.
"""
import json
import sys
import time

import mpmath


def matrix(rows):
    return mpmath.matrix([[number(entry) for entry in row] for row in rows])


def number(entry):
    if "x" in str(entry):  # a double in hexadecimal
        return mpmath.mpf(float.fromhex(entry))
    over = str(entry).split("/")
    return mpmath.mpf(over[0]) / mpmath.mpf(over[1]) if len(over) == 2 else mpmath.mpf(entry)


def attention(head, X):
    scores = X * head["W_Q"] * (X * head["W_K"]).T / mpmath.sqrt(head["d_qk"])
    for i in range(scores.rows):
        top = max(scores[i, :])
        weights = [mpmath.exp(scores[i, j] - top) for j in range(scores.cols)]
        total = mpmath.fsum(weights)
        for j, weight in enumerate(weights):
            scores[i, j] = weight / total
    return scores * (X * head["W_V"])


def main():
    path, bits = sys.argv[1], int(sys.argv[2])
    network = json.load(open(path), parse_float=str)
    mpmath.mp.prec = bits
    start = time.perf_counter()
    X = matrix(network["input"])
    for block in network["blocks"]:
        if block["kind"] != "attention" or not block.keys() <= {"kind", "heads"}:
            sys.exit(f"{path}: only plain attention is evaluated")
        parts = []
        for head in block["heads"]:
            if not {"W_Q", "W_K", "W_V", "W_O"} >= head.keys() - {"d_qk"}:
                sys.exit(f"{path}: heads are in factors and without biases")
            weights = {name: matrix(head[name]) for name in head if name != "d_qk"}
            weights["d_qk"] = weights["W_Q"].cols
            mixed = attention(weights, X)
            parts.append(mixed * weights["W_O"] if "W_O" in weights else mixed)
        X = sum(parts[1:], parts[0])
    seconds = time.perf_counter() - start
    apart = max(abs(X[i, j] - X[0, j]) for i in range(X.rows) for j in range(X.cols))
    print(json.dumps({"seconds": seconds, "bits": bits, "log10_apart": float(mpmath.log10(apart)) if apart else None}))


main()
