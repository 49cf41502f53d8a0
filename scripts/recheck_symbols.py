"""What few certificates need besides recheck.py: symbols of diameters in a vector norm and of the scores, and
inequalities that are to hold for every entry or column."""
from fractions import Fraction
from itertools import product

import recheck_numbers
from recheck import composite, norm_1, norm_inf
from recheck_numbers import (Unreadable, at_ends, evaluate, expm1, high, hull, interval, largest, least, plus, range_of,
                             sqrt, tanh, times, transposed, weighted)


def entries(a):
    return [abs(v) for row in a for v in row]


def spectral(a, columns):
    """The root of |G|, G = A A^T: as |M| <= |M|_F <= sqrt(n) |M| for M = G^(2^k), that of |M|_F^(2^-k) or little less."""
    G = times([[v * c for v, c in zip(row, columns)] for row in a], transposed(a))
    top, steps = high(largest(entries(G))), min(recheck_numbers.DIGITS, 50)
    if top.zero():
        return top
    G = [[v / top for v in row] for row in G]
    for _ in range(steps):
        G = times(G, G)
    frobenius = sqrt(sum(v * v for v in entries(G)))
    norm = hull(frobenius / sqrt(interval(len(G))), frobenius)
    for _ in range(steps):
        norm = sqrt(norm)
    return sqrt(norm * top)


def of_head(h, single, columns):
    """How the scores and the values of one head act on vectors (docs/theory, 1)."""
    return {"op_1": lambda: norm_inf(h.W, columns), "op_2": lambda: spectral(h.W, columns),
            "op_inf": lambda: norm_1(h.W, single), "k_1": lambda: largest(entries(h.A)) / 4,
            "k_2": lambda: spectral(h.A, single) / 4, "k_inf": lambda: sum(entries(h.A)) / 4}


def measure(instance, name, heads):
    """A symbol without index; `heads` are the layers' heads as pairs (layer, number)."""
    if name.startswith(("diam_", "rate_")):
        p, diameter = name[5:], instance.sizes(instance.first)["diameter " + name[5:]]
        if name.startswith("diam_"):
            return diameter
        return largest([sum(instance.of_head("op_" + p, *h) * tanh(instance.of_head("k_" + p, *h) * diameter * diameter)
                            for h in layer) for layer in heads])
    h, rows = instance.views_of(instance.first)[0], instance.network.rows
    M, rho = largest(entries(h.E)), [range_of(row) for row in h.E]
    if name == "phi":  # (e^t - 1)/t grows from 1 at t = 0
        t = least([M, largest(rho)])
        return at_ends(lambda y: interval(1) if y.zero() else expm1(y) / y, hull(largest([t, 0]), t))
    return {"M": lambda: M, "sumrho": lambda: weighted(rho, rows), "E1": lambda: norm_1(h.E, rows),
            "RW": lambda: composite(h.RW, rows, instance.network.columns(instance.first + 1))}[name]()


def members(instance):
    """The two sides of every member, for every choice of its indices and every head."""
    statement, network = instance.statement, instance.network
    views, R = instance.views_of(instance.first), instance.start[1]
    n, d, out = (range(1, size + 1) for size in (len(R), len(R[0]), len(network.last_columns)))
    indices = {"attention-entries": ("ij", n, n), "residual-entries": ("ij", n, out), "column-oscillation": ("k", d)}
    if statement["quantity"] not in indices or any(c != 1 for c in network.rows):
        raise Unreadable(f"members of {statement['quantity']} are none that this script measures")
    letters, *ranges = indices[statement["quantity"]]
    for h in views:
        pairs = [(i, k) for i in range(len(R)) for k in range(i)]
        distances = [sum(abs(v - w) for v, w in zip(h.D[i], h.D[k])) for i, k in pairs]
        named = {"n": Fraction(len(R)), "tau": largest([0, *distances]) / 2,
                 "range": largest([0, *(range_of(v - w for v, w in zip(h.E[i], h.E[k])) for i, k in pairs)]),
                 "q": h.q, "rho": [range_of(row) for row in h.E], "osc": [range_of(column) for column in zip(*R)],
                 "mixed": [range_of(column) for column in zip(*times(h.D, R))],
                 "D": h.D, "P": [plus(h.q, row) for row in h.D], "RW": h.RW, "out": instance.end}
        for chosen in product(*ranges):
            here = dict(named, **dict(zip(letters, map(Fraction, chosen))))

            def symbol(name, index):
                value = here[name]
                for i in index:
                    value = value[range(len(value))[i - 1]] if i > 0 else None
                return value
            for member in statement["members"]:
                yield evaluate(member["left"], symbol), evaluate(member["right"], symbol)
