"""Instances that a certificate gives by other means than a network: classes of tokens, and plain matrices
(docs/certificates.md, docs/formats.md)."""
from fractions import Fraction

from recheck import column_bound, composite, sizes
from recheck_numbers import (Unreadable, count, evaluate, exp, expm1, hull, interval, largest, matrix, number, plus, sqrt,
                             table)


class Instance:
    reference, first, last = None, 0, 1

    def outside_scope(self):
        return None

    def evaluate(self, text):
        return evaluate(text, lambda name, _: self.symbols[name])


class Matrices(Instance):
    """Claims about the composites of matrices X and Y."""

    def __init__(self, matrices, statement):
        self.X, self.statement = matrix(table(matrices["X"])), statement
        self.Y = matrix(table(matrices["Y"])) if "Y" in matrices else [[interval(0) for _ in row] for row in self.X]
        self.symbols = {"X_c": self.composite(self.X), "Y_c": self.composite(self.Y)}

    def composite(self, a):
        return composite(a, [1] * len(a), [1] * len(a[0]))

    def left(self):
        if self.statement["quantity"] == "composite-of-sum":
            return self.composite([plus(a, b) for a, b in zip(self.X, self.Y, strict=True)])
        if self.statement["quantity"] != "residual-of-largest-entries":
            raise Unreadable("a quantity that this script does not measure on matrices")
        images = [[largest(map(abs, row))] for row in self.X]
        return sizes(images, [1] * len(images), [1])["residual minimal"]


class Class:
    """Some equal tokens but for the coordinate of each: zero vectors, or unit vectors."""

    def __init__(self, given, outputs):
        unit = given["unit"] is True
        self.unit, self.count = unit, count(given["count"])
        self.logit, self.self, self.own = (number(given[k]) if unit else Fraction(0) for k in ("logit", "self", "own"))
        self.scores = {count(k, 0): number(v) for k, v in given["scores"]} if unit else {}
        self.values = [number(v) for v in given["values"]] if unit else [Fraction(0)] * outputs
        if len(self.values) != outputs:
            raise Unreadable("values of another number than outputs")


class UnitTokens(Instance):
    """One layer of one head on tokens that are zero or unit vectors, each in a coordinate of its own, in classes that
    differ in it alone. Scores A_xx are `self`, A_xy `scores`, logits `logit`; outputs W are `values` in the columns that
    all share and `own` in a column of the coordinate's own. The residual of the input is at most 1."""

    def __init__(self, tokens, statement):
        self.statement, self.column, self.outputs = statement, count(tokens["column"], 0), count(tokens["outputs"])
        self.classes = classes = [Class(given, self.outputs) for given in tokens["classes"]]
        if any(not classes[k].unit for c in classes for k in c.scores):
            raise Unreadable("scores of zero tokens")
        constant = number(tokens["constant"]) if tokens["constant"] is not None else None
        column = [abs(c.self) + (abs(c.logit / constant) if constant is not None else 0) for c in classes]
        for x, c in enumerate(classes):
            for y, score in c.scores.items():
                column[y] += abs(score) * (c.count - (x == y))
        one = [sum(abs(c.values[k]) * c.count for c in classes) for k in range(self.outputs)]
        rows = [sum(map(abs, c.values)) + abs(c.own) for c in classes]
        d, d_qk = sum(c.count for c in classes if c.unit) + (constant is not None), count(tokens["d_qk"])
        if d_qk < d:
            raise Unreadable("a query width that the scores do not fit into")
        W_c = sqrt(interval(max(one + [abs(c.own) for c in classes]) * max(rows)))
        n = Fraction(sum(c.count for c in classes))
        self.symbols = {"n": n, "L": Fraction(1), "H": Fraction(1), "d": Fraction(d), "d_qk": Fraction(d_qk), "W_c": W_c,
                        "a": max(column), "beta": sqrt(interval(d_qk)) * max(column) * W_c, "r0": hull(0, 1)}
        self.most = sqrt(interval(n)) * W_c
        self.pairs = [(count(a, 0), count(b, 0)) for a, b in tokens["pairs"]]
        # weights: e^logit of a class over the largest; sums: all weights that a query of a class sees.
        top = max(c.logit for c in classes)
        self.weights = [exp(interval(c.logit - top)) for c in classes]
        common = sum(w * c.count for w, c in zip(self.weights, classes))
        self.sums = [common + self.weights[x] * expm1(interval(c.self))
                     + sum(self.weights[y] * (classes[y].count - (x == y)) * expm1(interval(v))
                           for y, v in c.scores.items())
                     for x, c in enumerate(classes)]

    def on(self, x, y):
        """The weight of a query of class x on another token, of class y."""
        return self.weights[y] * exp(interval(self.classes[x].scores.get(y, 0))) / self.sums[x]

    def on_itself(self, x):
        return self.weights[x] * exp(interval(self.classes[x].self)) / self.sums[x]

    def output(self, x, k):
        return sum(((self.on(x, y) * (c.count - (x == y)) + (self.on_itself(x) if x == y else 0)) * c.values[k]
                    for y, c in enumerate(self.classes) if c.values[k] != 0), interval(0))

    def rest(self, x, y):
        """The 1-distance of the outputs of a token of class x and another of class y, but for the column."""
        if x == y and self.classes[x].count == 1:
            return interval(0)
        gaps = [abs(self.output(x, k) - self.output(y, k)) for k in range(self.outputs) if k != self.column and x != y]
        for z, c in enumerate(self.classes):
            if c.own:
                a, b = self.on(x, z), self.on(y, z)
                there = [abs(self.on_itself(x) - b)] * (x == z) + [abs(self.on_itself(y) - a)] * (y == z)
                gaps.append((sum(there) + abs(a - b) * (c.count - (x == z) - (y == z))) * abs(c.own))
        return sum(gaps, interval(0))

    def left(self):
        if self.statement["quantity"] != "residual":
            raise Unreadable("a quantity that this script does not measure on unit tokens")
        column = [self.output(x, self.column) for x in range(len(self.classes))]
        pairs = [(column[x], column[y], self.rest(x, y)) for x, y in self.pairs]
        return hull(sqrt(column_bound(column, [c.count for c in self.classes], pairs)), self.most)


KINDS = {"unit_tokens": UnitTokens, "matrices": Matrices}
