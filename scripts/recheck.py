#!/usr/bin/env python3
"""Rechecks certificates (rankfall-certificate/1, docs/certificates.md) with nothing but Python's own numbers.

usage: recheck.py CERTIFICATE...
exit codes: 0 every certificate accepted, 1 one rejected, 3 one too large for this script, 65 one unreadable

It takes from a certificate the network and the text of the statement, computes everything else itself, and compares:
enclosures must overlap, the verdict must be the same, left/right must lie where it is claimed to lie, the digest must
belong to the text. It does not know the catalogue: read the statement that it prints.

In this order: the file and its digest; the network and its layers; what is measured on its states; the symbols of the
statement's formulas; the verdict. Beside it: recheck_numbers.py, intervals with outward rounding, and formulas in them;
and what few certificates need: recheck_symbols.py, rarer symbols; recheck_classes.py, instances in classes of tokens.
"""
import hashlib
import json
import re
import sys
from decimal import Overflow, Underflow
from fractions import Fraction
from types import SimpleNamespace

import recheck_numbers
from recheck_numbers import (I, Num, TooLarge, Undefined, Unreadable, count, digits, evaluate, exp, expm1, high, hull,
                             interval, largest, least, logarithm, matrix, number, plus, power, range_of, sqrt, table,
                             times, transposed, weighted)

LARGEST = 64 * 2**20  # bytes
MOST_OPERATIONS, MOST_FAR_OPERATIONS = 3e7, 1e6  # of one pass; a minute or two
REFERENCES = "mean", "median", "midrange"
FEWEST_DIGITS, MOST_DIGITS = 40, 320  # doubled until the verdict is decided


# ---- The file and its digest ---------------------------------------------------------------------------------------

def canonical(value, without=None):
    """The text that the digest is of: no blanks, sorted keys, numbers as written."""
    if isinstance(value, dict):
        inner = (json.dumps(k, ensure_ascii=False) + ":" + canonical(value[k]) for k in sorted(value) if k != without)
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return str(value) if isinstance(value, Num) else json.dumps(value, ensure_ascii=False)


def digest(certificate):
    return "sha256:" + hashlib.sha256(canonical(certificate, "digest").encode()).hexdigest()


def read(path):
    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise Unreadable("a key stands twice")
        return dict(pairs)

    def refuse(word):
        raise Unreadable(f"{word} is no number")
    with open(path, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Unreadable(f"more than {LARGEST} bytes")
    return json.loads(data.decode("utf-8"), object_pairs_hook=once, parse_int=Num, parse_float=Num, parse_constant=refuse)


# ---- The network, followed through its layers ----------------------------------------------------------------------

def head_of(head):
    """A = W_QK/sqrt(d_qk), u = W_K b_Q/sqrt(d_qk), W and what the bias of the values adds; b_K drops out."""
    allowed = {"W_QK", "d_qk", "W"} if "W_QK" in head else {"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V"}
    if not head.keys() <= allowed:
        raise Unreadable(f"a head with {sorted(head.keys() - allowed)}, which this script does not follow")
    given = {key: matrix(table([head[key]] if key[0] == "b" else head[key])) for key in head if key != "d_qk"}
    if "W_QK" in head:
        d_qk, scores, u, W = count(head["d_qk"]), given["W_QK"], [0] * len(given["W_QK"]), given["W"]
    else:
        d_qk, scores, W = len(given["W_K"][0]), times(given["W_Q"], transposed(given["W_K"])), given["W_V"]
        u = times(given["b_Q"], transposed(given["W_K"]))[0] if "b_Q" in head else [0] * len(given["W_K"])
    bias = given["b_V"] if "b_V" in head else [[0] * len(W[0])]
    if "W_O" in head:
        W, bias = times(W, given["W_O"]), times(bias, given["W_O"])
    root = sqrt(interval(d_qk))
    return SimpleNamespace(d_qk=d_qk, A=[[x / root for x in row] for row in scores], u=[x / root for x in u], W=W,
                           bias=bias[0])


def keys_of(mask, n):
    """For each query the keys that it sees."""
    if mask is None:
        return [list(range(n))] * n
    if mask == "causal":
        return [list(range(i + 1)) for i in range(n)]
    found = [[j for j, sees in enumerate(row) if number(sees) == 1] for row in mask]
    if [len(row) for row in mask] != [n] * n or not all(found):
        raise Unreadable("a mask of another size than the tokens, or a query that sees no key")
    return found


def softmax(scores, copies):
    """Of scores that stand for so many tokens each, or for none."""
    top = high(largest([s for s, c in zip(scores, copies) if c]))
    weights = [exp(s - top) * c if c else interval(0) for s, c in zip(scores, copies)]
    whole = sum(weights)
    return [w / whole for w in weights]


class Network:
    """Its layers (skip, heads, bias, keys), and its states: tokens X = 1 x^T + R as pairs (x, R)."""

    def __init__(self, certificate, most_operations):
        blocks = certificate["network"]["blocks"]
        self.X, self.layers = table(certificate["network"]["input"]), []
        self.require_affordable(blocks, most_operations)
        for block in blocks:
            if block["kind"] != "attention" or not block.keys() <= {"kind", "skip", "mask", "heads", "b_O"}:
                raise Unreadable("a block that this script does not follow: it knows attention without pre_norm")
            heads = [head_of(head) for head in block["heads"]]
            bias = matrix(table([block["b_O"]]))[0] if "b_O" in block else [0] * len(heads[0].W[0])
            for head in heads:
                bias = plus(bias, head.bias)
            self.layers.append(SimpleNamespace(skip=number(block.get("skip", 0)), heads=heads, bias=bias,
                                               keys=keys_of(block.get("mask"), len(self.X))))
        # A row of the input may stand for several equal tokens, a column of the last state for several equal columns.
        last = len(self.layers[-1].bias) if blocks else len(self.X[0])
        self.rows = [count(c) for c in certificate.get("tokens", [Num(1)] * len(self.X))]
        self.last_columns = [count(c) for c in certificate.get("columns", [Num(1)] * last)]
        if (len(self.rows), len(self.last_columns)) != (len(self.X), last):
            raise Unreadable("tokens or columns are not as many as rows or columns")
        several = set(self.rows + self.last_columns) != {1}
        if several and any(len(keys) < len(self.X) for layer in self.layers for keys in layer.keys):
            raise Unreadable("a mask on tokens that stand for several")
        # about the median equal tokens are exact zeros
        self.states = [self.input("median" if several else "mean")]
        for k in range(len(blocks)):
            x, R, _ = self.apply(k, *self.states[-1])
            self.states.append((x, R) if several else about(x, R, reference_row(R, self.rows, "mean")))

    def require_affordable(self, blocks, most_operations):
        n, operations = len(self.X), 0
        for head in (head for block in blocks for head in block["heads"]):
            values = head["W"] if "W" in head else head["W_V"]
            width, out, d_qk = len(values), len(values[0]), 0 if "W" in head else len(head["W_Q"][0])
            operations += n * n * (3 * width + out + 60) + n * width * (width + out) + width * width * d_qk
        if operations > most_operations:
            raise TooLarge(f"some {operations:.0e} operations; use rankfall recheck")

    def columns(self, k):
        return self.last_columns if k == len(self.layers) else [1] * len(self.states[k][0])

    def input(self, reference):
        """The input about a reference, formed exactly."""
        y = [exact_reference([row[j] for row in self.X], self.rows, reference) for j in range(len(self.X[0]))]
        return [interval(v) for v in y], matrix(centred(self.X, y))

    def about(self, k, reference):
        x, R = self.states[k]
        return self.input(reference) if k == 0 else about(x, R, reference_row(R, self.rows, reference))

    def apply(self, number, x, R):
        """One layer on X = 1 x^T + R. The scores of a row are r + E up to a constant that softmax does not see, with
        E = R A R^T and r = R (A^T x + u). So P = 1 q^T + D, q = softmax(r) and D_ij = q_j (e_ij - m_i)/(1 + m_i), where
        e = exp(E) - 1 and m_i = sum_k q_k e_ik; and the rows of D sum to 0. Keys that no query sees are left out of E,
        q, D; where queries see different keys, P stands for D, without q: its rows sum to 1, and x is mapped by W."""
        layer = self.layers[number]
        shared = all(keys == layer.keys[0] for keys in layer.keys)
        seen = layer.keys[0] if shared else range(len(R))
        keys, copies = [R[k] for k in seen], [self.rows[k] for k in seen]
        new_x = plus(layer.bias, [v * layer.skip for v in x]) if layer.skip else layer.bias
        new_R = [[v * layer.skip for v in row] if layer.skip else [0] * len(layer.bias) for row in R]
        views = []
        for h in layer.heads:
            E = times(times(R, h.A), transposed(keys))
            r = [s for (s,) in times(keys, transposed([plus(times([x], h.A)[0], h.u)]))]
            if shared:
                q, D = softmax(r, copies), []
                for row in E:
                    e = [expm1(v) for v in row]
                    m = sum(v * w for v, w in zip(q, e))
                    D.append([v * (w - m) / (1 + m) for v, w in zip(q, e)])
                x_seen = plus(x, times([q], keys)[0])
            else:
                q, x_seen = None, x
                D = [softmax(plus(row, r), [int(k in allowed) for k in seen]) for row, allowed in zip(E, layer.keys)]
            RW = times(keys, h.W)
            new_x = plus(new_x, times([x_seen], h.W)[0])
            new_R = [plus(a, b) for a, b in zip(new_R, times(D, RW))]
            views.append(SimpleNamespace(E=E, q=q, D=D, RW=RW, keys=keys))
        return new_x, new_R, views


# ---- Measuring (docs/theory, 1): a row stands for rows[i] equal tokens, a column for columns[j] equal columns --------

def centred(R, y):
    return [[v - w for v, w in zip(row, y)] for row in R]


def about(x, R, y):
    return plus(x, y), centred(R, y)


def middle_of(values, rows, reference):
    """Of numbers of which each stands for so many: the mean of the two middle ones, or of the least and the largest."""
    places = (0, sum(rows) - 1) if reference == "midrange" else ((sum(rows) - 1) // 2, sum(rows) // 2)
    ordered, ends, before = sorted(zip(values, rows)), [], 0
    for value, copies in ordered:
        ends += [value for place in places if before <= place < before + copies]
        before += copies
    return ends


def exact_reference(column, rows, reference):
    if reference == "mean":
        return sum(v * c for v, c in zip(column, rows)) / sum(rows)
    return sum(middle_of(column, rows, reference)) / 2


def reference_row(R, rows, reference):
    if reference == "mean":
        return [weighted(column, rows) / sum(rows) for column in zip(*R)]
    return [hull(*(sum(I(end, end) for end in middle_of(ends, rows, reference)) / 2
                   for ends in zip(*((v.lo, v.hi) for v in column)))) for column in zip(*R)]


def norm_1(a, rows):
    return largest([weighted(map(abs, column), rows) for column in zip(*a)])


def norm_inf(a, columns):
    return largest([weighted(map(abs, row), columns) for row in a])


def composite(a, rows, columns):
    return sqrt(norm_1(a, rows) * norm_inf(a, columns))


def column_bound(column, rows, pairs):
    """min over y of s(y) m(y), s(y) = sum_i |x_i - y|, m(y) = max over pairs of (|x_i - y| + |x_k - y| + the rest of
    their 1-distance)/2 = max(half, y - low, high - y): convex and piecewise affine, so the least product is at a
    breakpoint."""
    half = largest([abs(a - b) + rest for a, b, rest in pairs]) / 2
    low = least([a + b - rest for a, b, rest in pairs]) / 2
    high = largest([a + b + rest for a, b, rest in pairs]) / 2
    return least([weighted([abs(x - y) for x in column], rows) * largest([half, y - low, high - y])
                  for y in [(low + high) / 2, low + half, high - half, *column]])


def odd_token_bound(R, odd, rows, columns):
    """The residual where all tokens but one are equal: v its entries beside the others, T their sum, m columns. For a
    reference y between the two, A = |R|_1 >= v_c + (n-2) y_c in every column, so sum y <= (m A - T)/(n-2), and |R|_inf >=
    max(T - sum y, T/2). The product is concave in A from max v to where T - sum y is T/2, then grows: an end is least."""
    others = [row for i, row in enumerate(R) if i != odd]
    if rows[odd] != 1 or sum(rows) < 3 or not all((v - w).zero() for row in others for v, w in zip(row, others[0])):
        return 0  # not seen to be so
    v = [abs(x - y) for x, y in zip(R[odd], others[0])]
    top, T, n, m = largest(v), weighted(v, columns), sum(rows) - 2, sum(columns)
    return least([top * (T - (m * top - T) / n), T * (1 + Fraction(n, 2)) / m * T / 2])


def sizes(R, rows, columns):
    """Residuals about each reference, the residual at the best one between its bounds, diameters."""
    pairs = [(i, k) for i in range(len(R)) for k in range(i, len(R))]
    gaps = {(i, k): [abs(v - w) for v, w in zip(R[i], R[k])] for i, k in pairs}
    one = {pair: weighted(gaps[pair], columns) for pair in pairs}
    found = {"diameter 1": largest(one.values()), "diameter inf": largest([largest(g) for g in gaps.values()]),
             "diameter 2": sqrt(largest([weighted([v * v for v in g], columns) for g in gaps.values()]))}
    found["diameter composite"] = sqrt(found["diameter 1"] * found["diameter inf"])
    for reference in REFERENCES:
        found["residual " + reference] = composite(centred(R, reference_row(R, rows, reference)), rows, columns)
    bounds = [column_bound([row[j] for row in R], rows, [(R[i][j], R[k][j], one[i, k] - gaps[i, k][j]) for i, k in pairs])
              for j in range(len(R[0]))] + [odd_token_bound(R, i, rows, columns) for i in range(len(R))]
    found["residual minimal"] = hull(sqrt(largest([0, *bounds])), least([found["residual " + r] for r in REFERENCES]))
    return found


# ---- Its symbols on the network ------------------------------------------------------------------------------------

class Instance:
    """What the formulas of a statement name, on the layers from `first` to `last` of the network."""

    def __init__(self, network, statement, reading):
        self.network, self.statement, self.gamma = network, statement, reading["gamma"]
        self.first, self.last = count(reading["from"], 0), count(reading["to"])
        self.reference = reading["reference"] if reading["reference"] in REFERENCES else None
        if self.reference and statement["references"] != "propagated":
            raise Unreadable("a reference where the statement is read at none")
        self.measured, self.stretch = {}, range(self.first, self.last)
        if (self.last != len(network.layers) or not self.stretch
                or self.first != (self.last - 1 if statement["span"] == "layer" else 0)):
            raise Unreadable("from and to are no layer, or no depth, that ends the network")
        self.heads = max(len(network.layers[k].heads) for k in self.stretch)
        if self.reference:  # carried along from the first state, never taken anew
            x, R = self.start = network.about(self.first, self.reference)
            self.views = {}
            for k in self.stretch:
                x, R, self.views[k] = network.apply(k, x, R)
            self.end = R

    def outside_scope(self):
        scope, layers = self.statement["scope"], [self.network.layers[k] for k in self.stretch]
        if not scope["any_skip"] and any((layer.skip != 0) != scope["skip"] for layer in layers):
            return "skip connections"
        if scope["one_head"] and any(len(layer.heads) != 1 for layer in layers):
            return "the number of heads"
        if scope["common_d_qk"] and len({h.d_qk for layer in layers for h in layer.heads}) != 1:
            return "different d_qk"
        n = len(self.network.X)
        if scope.get("causal") and (n < 2 or any(layer.keys != keys_of("causal", n) for layer in layers)):
            return "no causal mask"
        if scope.get("shared_keys", True) and any(keys != layer.keys[0] for layer in layers for keys in layer.keys):
            return "a mask that differs between queries"

    def once(self, key, measure):
        if key not in self.measured:
            self.measured[key] = measure()
        return self.measured[key]

    def sizes(self, k):
        return self.once(k, lambda: sizes(self.network.states[k][1], self.network.rows, self.network.columns(k)))

    def views_of(self, layer):
        if not self.reference:
            raise Unreadable("scores are named where no reference is")
        return self.views[layer]

    def evaluate(self, text):
        return evaluate(text, lambda name, indices: self.once((name, indices), lambda: self.find(name, indices)))

    def find(self, name, indices):
        network, first = self.network, self.sizes(self.first)
        layers = [network.layers[k] for k in self.stretch]
        if indices:
            if name in ("p", "sigma_min") and len(indices) == 1:
                import recheck_symbols
                return recheck_symbols.of_causal_layer(self, name, self.first + indices[0])
            layer, head = (self.first + indices[0], indices[1]) if len(indices) == 2 else (self.first, indices[0])
            if layer not in self.stretch or not 1 <= head <= self.heads:
                raise Unreadable(f"{name}{list(indices)} is beyond the network")
            return self.of_head(name, layer, head) if head <= len(network.layers[layer].heads) else interval(0)
        exactly = {"n": sum(network.rows), "L": self.last - self.first, "H": self.heads,
                   "d": len(network.states[self.first][0]), "d_qk": layers[0].heads[0].d_qk, "alpha": abs(layers[0].skip)}
        if name in exactly:
            return Fraction(exactly[name])
        if name == "r0" and self.reference:
            return composite(self.start[1], network.rows, network.columns(self.first))
        if name in ("r0", "res", "delta"):
            return first["diameter composite" if name == "delta" else "residual minimal"]
        if name == "gamma":
            return self.gamma_of_stretch()
        if name == "Cmax":
            return largest([self.of_layer(k).evaluate(self.statement["constant"]) for k in self.stretch])
        if name == "rho":
            return largest([range_of(row) for k in self.stretch for h in self.views_of(k) for row in h.E])
        heads = [[(k, h + 1) for h in range(len(network.layers[k].heads))] for k in self.stretch]
        if re.match("diam_|rate_|spread_|(sumrho|M|phi|E1|RW|XWX|first|P_first)$", name):
            import recheck_symbols
            return recheck_symbols.measure(self, name, heads)
        return largest([self.of_head(name, *h) for layer in heads for h in layer])

    def of_layer(self, k):
        """The same reading of one layer, for what the weights alone give."""
        one = object.__new__(Instance)
        one.__dict__ = dict(self.__dict__, first=k, last=k + 1, stretch=range(k, k + 1), measured={})
        return one

    def of_head(self, name, layer, head):
        h, columns = self.network.layers[layer].heads[head - 1], self.network.columns(layer + 1)
        single = [1] * len(h.A)
        known = {"a": lambda: norm_1(h.A, single), "W_c": lambda: composite(h.W, single, columns),
                 "W_1": lambda: norm_1(h.W, single), "W_inf": lambda: norm_inf(h.W, columns),
                 "beta": lambda: norm_1(h.A, single) * sqrt(interval(h.d_qk)) * composite(h.W, single, columns)}
        if name not in known:
            import recheck_symbols
            known = recheck_symbols.of_head(h, single, columns)
        return self.once(("head", name, layer, head), known[name])

    def gamma_of_stretch(self):
        """The one number whose chain is that of the layers: gamma^((3^L-1)/2) = prod_l gamma_l^(3^(L-1-l))."""
        if self.gamma == "one":
            return interval(1)
        if self.gamma.startswith("fixed:"):
            return interval(number(self.gamma[6:]))
        if self.gamma not in ("sum-max", "max-ratio"):
            raise Unreadable("gamma is one, sum-max, max-ratio or fixed:VALUE")
        rows, L, chain = self.network.rows, self.last - self.first, interval(1)
        for l, k in enumerate(self.stretch):
            of_layer = [interval(0)]
            for h in self.views_of(k):
                column = norm_1(h.E, rows)
                each = [range_of(r) / 2 if self.gamma == "sum-max" else largest(map(abs, r)) for r in h.E]
                of_layer += [] if column.zero() else [weighted(each, rows) / column]
            chain = chain * power(largest(of_layer), Fraction(3**(L - 1 - l)))
        return power(chain, Fraction(2, 3**L - 1))

    def left(self):
        quantity, last = self.statement["quantity"], self.sizes(self.last)
        if quantity == "residual-about-reference" and self.reference:
            return composite(self.end, self.network.rows, self.network.last_columns)
        if quantity == "oscillation":  # at the minimiser max rho <= 2 max |E| <= 2 a r0^2
            return hull(0, self.evaluate("2*a*r0^2"))
        names = {"residual": "residual minimal", "residual-about-reference": "residual minimal",
                 "composite-diameter": "diameter composite", "diameter-1": "diameter 1", "diameter-2": "diameter 2",
                 "diameter-inf": "diameter inf"}
        if quantity in ("first-difference", "spread-from-first-1", "spread-from-first-2", "spread-from-first-inf"):
            import recheck_symbols
            return recheck_symbols.from_first(self, self.last, quantity)
        if quantity not in names:
            raise Unreadable(f"the quantity {quantity} is none that this script measures")
        return last[names[quantity]]

# ---- The verdict ---------------------------------------------------------------------------------------------------

def verdict_of(sides):
    """Of inequalities that must all hold: pairs of their sides."""
    found = {"proved" if left <= right else "refuted" if right < left else "inconclusive" for left, right in sides}
    return next(verdict for verdict in ("refuted", "inconclusive", "proved") if verdict in found)


def infinite(end):
    return I(recheck_numbers.ARITHMETIC.Decimal(end), recheck_numbers.ARITHMETIC.Decimal(end))


def held_against(claimed, found):
    """Whether an enclosure of the certificate and what was found can hold for one number, and whether it holds it all."""
    ((unit, ends),) = claimed.items()
    least_claimed, most_claimed = (infinite(end) if end in ("-inf", "inf") else interval(number(end)) for end in ends)
    if unit not in ("log10", "value") or most_claimed < least_claimed:
        raise Unreadable(f"the enclosure {claimed}")
    found = logarithm(found, "log10") if unit == "log10" else found
    return not (found < least_claimed or most_claimed < found), least_claimed <= found <= most_claimed


def instance_of(certificate, most_operations):
    statement, reading = certificate["statement"], certificate["reading"]
    (kind,) = {"network", "unit_tokens", "matrices"} & certificate.keys()
    if kind == "network":
        return Instance(Network(certificate, most_operations), statement, reading)
    if (reading["from"], reading["to"]) != ("0", "1"):
        raise Unreadable("a reading of more than one layer")
    import recheck_classes
    return recheck_classes.KINDS[kind](certificate[kind], statement)


def faults_of(certificate, most_operations):
    """Why the certificate is to be rejected, at so many digits."""
    statement, instance, faults = certificate["statement"], instance_of(certificate, most_operations), []
    outside = instance.outside_scope()
    if outside:
        return ["outside the scope of the statement: " + outside]

    def compare(claimed, found, what):
        possible, _ = held_against(claimed, found)
        if not possible:
            faults.append(what + " is not where the certificate says")
    minimal = statement["references"] == "propagated" and not instance.reference
    stated = statement["hypotheses_at_the_minimal_residual" if minimal else "hypotheses"]
    if [h["name"] for h in stated] != [h["name"] for h in certificate["hypotheses"]]:
        faults.append("the hypotheses are not those of the statement")
    for h, claimed in zip(stated, certificate["hypotheses"]):
        value, bound = instance.evaluate(h["value"]), instance.evaluate(h["bound"])
        if not value <= bound or claimed["holds"] is not True:
            faults.append(f"the hypothesis {h['name']} is not certified")
        compare(claimed["value"], value, "the value of " + h["name"])
        compare(claimed["bound"], bound, "the bound of " + h["name"])
    ratio = certificate.get("ratio")
    if statement["members"]:
        import recheck_symbols
        inequalities = list(recheck_symbols.members(instance))
    else:
        middle = statement["middle"] if instance.reference else []
        sides = [instance.left()] + [instance.evaluate(text) for text in middle + [statement["right"]]]
        if statement["relation"] == ">=":
            sides.reverse()
        inequalities = list(zip(sides, sides[1:]))
        compare(certificate["left"], sides[0], "the left side")
        compare(certificate["right"], sides[-1], "the right side")
    if statement["members"]:  # the largest of them all; what is certainly not positive is not
        ratios = [left / right for left, right in inequalities if ratio and not left <= 0]
        sides = [largest(ratios), interval(1)] if ratios else None
    if ratio and (sides is None or held_against(ratio, sides[0] / sides[-1]) != (True, True)):
        faults.append("left/right is not certified to lie where the certificate says")
    verdict = verdict_of(inequalities)
    if verdict != certificate["verdict"] or verdict == "inconclusive" and not ratio:
        faults.append(f"the verdict is {verdict}, the certificate says {certificate['verdict']}")
    indices = [count(state["index"], 0) for state in certificate["states"]]
    if indices and indices != list(range(instance.first, instance.last + 1)):
        faults.append("the states are not those of the reading")
    for k, state in zip(indices, certificate["states"]):
        for name, found in instance.sizes(k).items():
            kind, which = name.split()
            compare(state[kind][which], found, f"state {k}, {name}")
    for name, claimed in certificate["symbols"].items():
        compare(claimed, instance.evaluate(name), "the symbol " + name)
    return faults


def recheck(certificate):
    """Why the certificate is to be rejected; nothing: it is accepted."""
    if certificate["format"] != "rankfall-certificate/1":
        raise Unreadable("no rankfall-certificate/1")
    if certificate["digest"] != digest(certificate):
        return ["the digest does not belong to the text, which has been altered"]
    try:
        recheck_numbers.use_fast_decimals()
        return decided(certificate, MOST_OPERATIONS)
    except (Overflow, Underflow):
        recheck_numbers.use_far_decimals()
        return decided(certificate, MOST_FAR_OPERATIONS)


def decided(certificate, most_operations):
    """The faults at as many digits as it takes."""
    wanted = FEWEST_DIGITS
    while True:
        try:
            with digits(wanted):
                faults = faults_of(certificate, most_operations)
        except Undefined as error:
            faults = [str(error)]
        if not faults or wanted >= MOST_DIGITS:
            return faults
        wanted *= 2


def main(paths):
    if not paths:
        print(__doc__.strip(), file=sys.stderr)
        return 64
    code = 0
    for path in paths:
        try:
            certificate = read(path)
            faults = recheck(certificate)
            s, ratio = certificate["statement"], certificate.get("ratio")
            print(f"{path}: {'rejected' if faults else 'accepted'}: {s['id']} {certificate['verdict']}")
            print(f"  {s['words']}\n  {s['quantity']} {s['relation']} {s['right']}")
            for h in s["hypotheses"]:
                print(f"  hypothesis {h['value']} <= {h['bound']}")
            for unit, ends in (ratio or {}).items():
                print(f"  {'log10 of ' if unit == 'log10' else ''}left/right in [{', '.join(ends)}]")
            for fault in faults:
                print("  " + fault)
            code = max(code, 1 if faults else 0)
        except TooLarge as error:
            print(f"{path}: too large: {error}", file=sys.stderr)
            code = max(code, 3)
        except (Unreadable, OSError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, SyntaxError,
                RecursionError, MemoryError, ImportError) as error:
            print(f"{path}: unreadable: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            return 65
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
