"""What few certificates need besides recheck.py: symbols of diameters in a vector norm and of the scores, and
inequalities that are to hold for every token, entry or column, and what a causal mask does."""
import re
from fractions import Fraction
from itertools import product

import recheck_numbers
from recheck import composite, norm_1, norm_inf
from recheck_numbers import (Unreadable, at_ends, evaluate, expm1, expm2, high, hull, interval, largest, least, matrix, plus,
                             range_of, sqrt, tanh, times, transposed, weighted)


def entries(a):
    return [abs(v) for row in a for v in row]


def spectral(a, columns):
    return sqrt(spectral_of_symmetric(times([[v * c for v, c in zip(row, columns)] for row in a], transposed(a))))


def spectral_of_symmetric(G):
    """As |M| <= |M|_F <= sqrt(n) |M| for M = G^(2^k), the norm |G| is that of |M|_F^(2^-k) or little less."""
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
    return norm * top


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
    if name.startswith("spread_") or name == "first":
        return from_first(instance, instance.first, name)
    if name == "P_first":
        x, R = instance.network.states[instance.first]
        return least([row[0] for row in instance.network.apply(instance.first, x, R)[2][0].D])
    if name == "XWX":  # the largest entry of X W X^T, exactly zero where so many digits hold the tokens and W
        X = matrix(instance.network.X)
        if instance.first != 0 or any(len(h.W[0]) != len(X[0]) for h in instance.network.layers[0].heads):
            raise Unreadable("XWX where values are not added to tokens, or not to those of the input")
        return largest([v for h in instance.network.layers[0].heads for v in entries(times(times(X, h.W), transposed(X)))])
    h, rows = instance.views_of(instance.first)[0], instance.network.rows
    M, rho = largest(entries(h.E)), [range_of(row) for row in h.E]
    if name == "phi":  # (e^t - 1)/t grows from 1 at t = 0
        t = least([M, largest(rho)])
        return at_ends(lambda y: interval(1) if y.zero() else expm1(y) / y, hull(largest([t, 0]), t))
    return {"M": lambda: M, "sumrho": lambda: weighted(rho, rows), "E1": lambda: norm_1(h.E, rows),
            "RW": lambda: composite(h.RW, rows, instance.network.columns(instance.first + 1))}[name]()


def from_first(instance, k, what):
    """How far the tokens of state k are from the first: the second, or all of them."""
    R = instance.network.states[k][1]
    gaps = [[v - w for v, w in zip(row, R[0])] for row in R[1:]]
    if what in ("first", "first-difference"):
        return norm_of(gaps[0], "2")
    return largest([0, *(norm_of(gap, re.split("[-_]", what)[-1]) for gap in gaps)])


def norm_of(row, p):
    if p == "2":
        return sqrt(sum(v * v for v in row))
    return sum(map(abs, row)) if p == "1" else largest(map(abs, row))


def of_causal_layer(instance, name, k):
    """Of a layer of one head: the weight of the second token on itself, the least singular value of W."""
    if k not in instance.stretch:
        raise Unreadable("a layer beyond the network")
    if name == "p":
        network = instance.network
        return network.apply(k, *network.states[k])[2][0].D[1][1]
    W = instance.network.layers[k].heads[0].W
    G = inverse(times(W, transposed(W)))
    return 1 / sqrt(largest([0, spectral_of_symmetric(G)])) if G else hull(0, spectral(W, [1] * len(W[0])))


def inverse(a):
    """By elimination with the largest pivots; none where one may be zero."""
    n = len(a)
    rows = [list(row) + [interval(int(i == j)) for j in range(n)] for i, row in enumerate(a)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]).lo)
        rows[k], rows[best] = rows[best], rows[k]
        if abs(rows[k][k]).lo <= 0:
            return None
        pivot = rows[k][k]
        rows[k] = [v / pivot for v in rows[k]]
        for i in range(n):
            if i != k:
                factor = rows[i][k]
                rows[i] = [v - factor * w for v, w in zip(rows[i], rows[k])]
    return [row[n:] for row in rows]


def beyond_leading_order(instance, p):
    """For each token |R' - Lead|_p: Lead has the linear part q_j (E_ij - mean_i) of D, and with e = E + s, m = mean +
    mean of s, D less that is q_j (s_ij - mean s_i - m_i (E_ij - mean_i))/(1 + m_i)."""
    views, bent = instance.views_of(instance.first), None
    for h in views:
        bend = []
        for row in h.E:
            s = [expm2(v) for v in row]
            mean, mean_s = (sum(v * w for v, w in zip(h.q, each)) for each in (row, s))
            m = mean + mean_s
            bend.append([v * (b - mean_s - m * (a - mean)) / (1 + m) for v, a, b in zip(h.q, row, s)])
        change = times(bend, h.RW)
        bent = change if bent is None else [plus(a, b) for a, b in zip(bent, change)]
    diameters = [largest([0, *(norm_of([v - w for v, w in zip(h.RW[i], h.RW[k])], p)
                               for i in range(len(h.RW)) for k in range(i))]) for h in views]
    return {"H": Fraction(len(views)), "beyond": [norm_of(row, p) for row in bent], f"diam_{p}RW": diameters,
            "rho": list(zip(*([range_of(row) for row in h.E] for h in views)))}


def members(instance):
    """The two sides of every member, for every choice of its indices; of attention also for every head."""
    statement, network = instance.statement, instance.network
    views, R = instance.views_of(instance.first), instance.start[1]
    if any(c != 1 for c in network.rows):
        raise Unreadable("members of tokens that stand for several")
    quantity, n, out = statement["quantity"], len(R), len(network.last_columns)
    if quantity.startswith("beyond-leading-order-"):
        yield from each_member(statement, beyond_leading_order(instance, quantity[21:]), "i", n)
        return
    for h in views:
        pairs = [(i, k) for i in range(n) for k in range(i)]
        distances = [sum(abs(v - w) for v, w in zip(h.D[i], h.D[k])) for i, k in pairs]
        named = {"n": Fraction(n), "tau": largest([0, *distances]) / 2,
                 "range": largest([0, *(range_of(v - w for v, w in zip(h.E[i], h.E[k])) for i, k in pairs)]),
                 "rho": [range_of(row) for row in h.E], "osc": [range_of(column) for column in zip(*R)],
                 "mixed": [range_of(column) for column in zip(*times(h.D, h.keys))], "D": h.D, "RW": h.RW,
                 "out": instance.end}
        if h.q:
            named.update(q=h.q, P=[plus(h.q, row) for row in h.D])
        ranges = {"attention-entries": ("ij", n, len(h.keys)), "residual-entries": ("ij", n, out),
                  "column-oscillation": ("k", len(R[0]))}
        if quantity not in ranges:
            raise Unreadable(f"members of {quantity} are none that this script measures")
        yield from each_member(statement, named, *ranges[quantity])


def each_member(statement, named, letters, *sizes):
    for chosen in product(*(range(1, size + 1) for size in sizes)):
        here = dict(named, **dict(zip(letters, map(Fraction, chosen))))

        def symbol(name, index):
            value = here[name]
            for i in index:
                value = value[range(len(value))[i - 1]] if i > 0 else None
            return value
        for member in statement["members"]:
            yield evaluate(member["left"], symbol), evaluate(member["right"], symbol)
