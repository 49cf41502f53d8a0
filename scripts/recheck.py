#!/usr/bin/env python3
"""Rechecks certificates (rankfall-certificate/1, docs/certificates.md) with nothing but Python's integers.

usage: recheck.py CERTIFICATE...
exit codes: 0 every certificate accepted, 1 one rejected, 3 one too large for this script, 65 one unreadable

It takes from a certificate the network and the text of the statement, computes everything else itself, and compares:
enclosures must overlap, the verdict must be the same, the digest must belong to the text. It does not know the
catalogue: read the statement that it prints.
"""
import ast
import hashlib
import json
import re
import sys
from copy import deepcopy
from fractions import Fraction
from itertools import product
from math import isqrt

LARGEST = 64 * 2**20  # bytes
MOST_OPERATIONS = 3e7  # of one pass; some minutes
P = 128  # bits of every end, raised until the verdict is decided


class Unreadable(Exception):
    pass


class TooLarge(Exception):
    pass


class Undefined(Exception):
    """More bits may help."""


# ---- Interval arithmetic -------------------------------------------------------------------------------------------

class I:
    """The real numbers from lo 2^e to hi 2^e. Every operation rounds lo down and hi up to P bits."""
    __slots__ = "lo", "hi", "e"

    def __init__(self, lo, hi=None, e=0):
        hi = lo if hi is None else hi
        drop = max(lo.bit_length(), hi.bit_length()) - P
        if drop > 0:
            lo, hi, e = lo >> drop, -(-hi >> drop), e + drop
        self.lo, self.hi, self.e = lo, hi, e

    def zero(self):
        return self.lo == self.hi == 0

    def __add__(self, other):
        a, b, c, d, e = aligned(self, other)
        return I(a + c, b + d, e)

    def __neg__(self):
        return I(-self.hi, -self.lo, self.e)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        a, b, c, d = self.lo, self.hi, other.lo, other.hi
        ends = (a * c, b * d) if a >= 0 <= c else (a * c, a * d, b * c, b * d)
        return I(min(ends), max(ends), self.e + other.e)

    def __truediv__(self, other):
        if other.lo <= 0 <= other.hi:
            raise Undefined("a division by what may be zero")
        k = max(other.lo.bit_length(), other.hi.bit_length()) + P
        return self * I((1 << k) // other.hi, -((-1 << k) // other.lo), -other.e - k)

    def __abs__(self):
        return self if self.lo >= 0 else -self if self.hi <= 0 else I(0, max(-self.lo, self.hi), self.e)

    def __lt__(self, other):
        """For certain, as are all comparisons."""
        _, b, c, _, _ = aligned(self, other)
        return b < c

    def __le__(self, other):
        _, b, c, _, _ = aligned(self, other)
        return b <= c

    def low(self):
        return I(self.lo, self.lo, self.e)

    def high(self):
        return I(self.hi, self.hi, self.e)

    def shifted(self, k):
        return I(self.lo, self.hi, self.e + k)


def aligned(x, y):
    """lo and hi of both on one exponent. What lies far below the other becomes a unit of its last place, outward."""
    if x.e < y.e or y.zero():
        if x.zero():
            return 0, 0, y.lo, y.hi, y.e
        if y.zero():
            return x.lo, x.hi, 0, 0, x.e
        c, d, a, b, e = aligned(y, x)
        return a, b, c, d, e
    if x.zero():
        return 0, 0, y.lo, y.hi, y.e
    up = x.e - y.e
    if up > 8 * P:
        return x.lo << 2 * P, x.hi << 2 * P, -(y.lo < 0), +(y.hi > 0), x.e - 2 * P
    return x.lo << up, x.hi << up, y.lo, y.hi, y.e


def hull(x, y):
    a, _, _, d, e = aligned(x, y)
    return I(a, d, e)


def largest(numbers):
    top, *rest = numbers
    for x in rest:
        a, b, c, d, e = aligned(top, x)
        top = I(max(a, c), max(b, d), e)
    return top


def least(numbers):
    return -largest([-x for x in numbers])


def total(numbers):
    return sum(numbers, I(0))


def exact(q):
    """Encloses a rational; exactly, where P bits hold it."""
    q = Fraction(q)
    up = max(0, P + 2 - abs(q.numerator).bit_length() + q.denominator.bit_length())
    return I((q.numerator << up) // q.denominator, -((-q.numerator << up) // q.denominator), -up)


def sqrt(x):
    """What lies below zero is taken as zero: only rounding puts it there."""
    if x.hi < 0:
        raise Undefined("the square root of a negative number")
    up = 2 * P + (x.e - 2 * P) % 2
    lo, hi = max(x.lo, 0) << up, x.hi << up
    return I(isqrt(lo), isqrt(hi) + (isqrt(hi)**2 < hi), (x.e - up) // 2)


def at_ends(f, x):
    """Of a function that grows."""
    return f(x.low()) if x.lo == x.hi else hull(f(x.low()), f(x.high()))


def small_expm1(x):
    """e^x - 1 = x (1 + x/2 + x^2/6 + ...) for |x| <= 1/2: after the term x^k/(k+1)! the rest is below |x|^k/k!."""
    s, term, k = I(1), I(1), 1
    while abs(term).hi > 0 and abs(term).hi.bit_length() + term.e > -P - 8:
        k += 1
        term = term * x / I(k)
        s = s + term
    rest = abs(term).hi
    return x * (s + I(-rest, rest, term.e))


def exp_at(x):
    if x.zero():
        return I(1)
    size = abs(x).hi.bit_length() + x.e
    if size > 40:
        raise Undefined("an exponential beyond 2^(2^40)")
    halvings = max(0, size + 6)
    y = I(1) + small_expm1(x.shifted(-halvings))
    for _ in range(halvings):
        y = y * y
    return y


def exp(x):
    return at_ends(exp_at, x)


def expm1(x):
    small = abs(x).hi.bit_length() + x.e < -1
    return at_ends(small_expm1, x) if small else exp(x) - I(1)


def tanh(x):
    """1 - 2/(e^2x + 1) = t/(t + 2), t = e^2x - 1."""
    def at(y):
        if y.lo < 0:
            return -at(-y)
        if not y < I(P):
            return I((1 << P) - 1, 1 << P, -P)  # e^-2P is below 2^-P
        t = expm1(y.shifted(1))
        return t / (t + I(2))
    return at_ends(at, x)


def atanh_series(u):
    """u + u^3/3 + ... for |u| <= 1/3: after k terms the rest is below |u|^(2k)."""
    s, power, k = I(0), u, 1
    while not power.zero() and abs(power).hi.bit_length() + power.e > -P - 8 + min(0, abs(u).hi.bit_length() + u.e):
        s, power, k = s + power / I(k), power * u * u, k + 2
    rest = abs(power).hi
    return s + I(-rest, rest, power.e)


def log2(x):
    """log2(m 2^k) = k + 2 atanh((m-1)/(m+1))/log 2, for 1/2 <= m <= 2; log 2 = 2 atanh(1/3)."""
    if x.lo <= 0:
        raise Undefined("the logarithm of what may not be positive")

    def at(y):
        k = y.lo.bit_length()
        m = y.shifted(-k - y.e)
        return I(k + y.e) + atanh_series((m - I(1)) / (m + I(1))) / atanh_series(I(1) / I(3))
    return at_ends(at, x)


def with_more_bits(bits, f):
    global P
    P += bits
    try:
        return f()
    finally:
        P -= bits


def power(x, q):
    """x^q. A whole power by squaring, others as 2^(q log2 x)."""
    if q < 0:
        return I(1) / power(x, -q)
    if q.denominator == 1:
        def by_squaring():
            y, square, n = I(1), x, q.numerator
            while n:
                if n & 1:
                    y = y * square
                square, n = (square * square if n > 1 else square), n >> 1
            return y if q.numerator & 1 else abs(y)
        return I(0) + with_more_bits(q.numerator.bit_length(), by_squaring)
    if x.lo < 0:
        raise Undefined("a power of what may be negative")

    def at(y):
        if y.zero():
            return y
        exponent = exact(q) * log2(y)
        whole = exponent.lo >> -exponent.e if exponent.e < 0 else exponent.lo << exponent.e
        rest = (exponent - I(whole)) * atanh_series(I(1) / I(3)).shifted(1)
        return exp(rest).shifted(whole)
    size = abs(x.e) + x.hi.bit_length()
    return I(0) + with_more_bits(size.bit_length() + q.numerator.bit_length() + 8, lambda: at_ends(at, x))


# ---- Reading -------------------------------------------------------------------------------------------------------

class Num(str):
    """A JSON number as it is written."""


def canonical(value, without=None):
    """The text that the digest is of: no blanks, sorted keys, numbers as written."""
    if isinstance(value, dict):
        inner = (json.dumps(k, ensure_ascii=False) + ":" + canonical(value[k]) for k in sorted(value) if k != without)
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return str(value) if isinstance(value, Num) else json.dumps(value, ensure_ascii=False)


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


def number(text):
    """An exact number: decimal, fraction, or hexadecimal float."""
    text = str(text)
    exponent = re.search(r"[eEpP][+-]?0*(\d+)$", text)
    if len(text) > 100020 or exponent and len(exponent[1]) > 7:
        raise Unreadable(f"the number {text[:40]} is too long")
    hexadecimal = re.fullmatch(r"([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d+))?", text)
    if hexadecimal:
        sign, whole, part, e = hexadecimal.groups()
        return Fraction(int(sign + whole + part, 16)) * Fraction(2)**(int(e or 0) - 4 * len(part))
    return Fraction(text)


def bits(q):
    return q.numerator.bit_length() + q.denominator.bit_length()


def table(rows):
    result = [[number(x) for x in row] for row in rows]
    if not result or any(len(row) != len(result[0]) or not row for row in result):
        raise Unreadable("a matrix has no rows, or rows of different lengths")
    if sum(bits(q) for row in result for q in row) > 2**28:
        raise TooLarge("a matrix of more than 32 MiB")
    return result


def count(value, least_allowed=1):
    if not isinstance(value, Num) or int(value) < least_allowed:
        raise Unreadable(f"{value!r} is no count")
    return int(value)


# ---- Following the network -----------------------------------------------------------------------------------------

def matrix(rows):
    return [[exact(x) for x in row] for row in rows]


def times(a, b):
    columns = list(zip(*b))
    return [[total(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def transposed(a):
    return [list(column) for column in zip(*a)]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


class Head:
    def __init__(self, head):
        allowed = {"W_QK", "d_qk", "W"} if "W_QK" in head else {"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V"}
        if not head.keys() <= allowed:
            raise Unreadable(f"a head with {sorted(head.keys() - allowed)}, which this script does not follow")
        if "W_QK" in head:
            self.d_qk, scores, self.W = count(head["d_qk"]), matrix(table(head["W_QK"])), matrix(table(head["W"]))
            u, self.bias = [I(0)] * len(scores), None
        else:
            queries, keys = matrix(table(head["W_Q"])), matrix(table(head["W_K"]))
            self.d_qk, scores, self.W = len(keys[0]), times(queries, transposed(keys)), matrix(table(head["W_V"]))
            (b_Q,) = matrix(table([head["b_Q"]])) if "b_Q" in head else [[I(0)] * self.d_qk]
            u = [total(x * y for x, y in zip(row, b_Q)) for row in keys]  # b_K drops out
            b_V = matrix(table([head["b_V"]])) if "b_V" in head else [[I(0)] * len(self.W[0])]
            if "W_O" in head:
                out = matrix(table(head["W_O"]))
                self.W, b_V = times(self.W, out), times(b_V, out)
            self.bias = b_V[0]
        root = sqrt(I(self.d_qk))
        self.A, self.u = [[x / root for x in row] for row in scores], [x / root for x in u]


class Network:
    def __init__(self, certificate):
        self.X = table(certificate["network"]["input"])
        self.layers = []
        self.require_affordable(certificate["network"]["blocks"])
        for block in certificate["network"]["blocks"]:
            if block["kind"] != "attention" or not block.keys() <= {"kind", "skip", "heads", "b_O"}:
                raise Unreadable("a block that this script does not follow: it knows attention without mask and pre_norm")
            heads = [Head(head) for head in block["heads"]]
            bias = matrix(table([block["b_O"]]))[0] if "b_O" in block else [I(0)] * len(heads[0].W[0])
            for head in heads:
                bias = plus(bias, head.bias) if head.bias else bias
            self.layers.append((number(block.get("skip", 0)), heads, bias))
        last = len(self.layers[-1][1][0].W[0]) if self.layers else len(self.X[0])
        self.rows = [count(c) for c in certificate.get("tokens", [Num(1)] * len(self.X))]
        self.columns = [count(c) for c in certificate.get("columns", [Num(1)] * last)]
        self.check_shapes(last)
        folded = set(self.rows + self.columns) != {1}  # about the median its equal tokens are exact zeros
        self.states = [self.input("median" if folded else "mean")]
        for k in range(len(self.layers)):
            x, R, _ = self.apply(k, *self.states[-1])
            self.states.append((x, R) if folded else about(x, R, reference_row(R, self.rows, "mean")))

    def require_affordable(self, blocks):
        n, operations = len(self.X), 0
        for head in (head for block in blocks for head in block["heads"]):
            values = head["W"] if "W" in head else head["W_V"]
            width, out, d_qk = len(values), len(values[0]), 0 if "W" in head else len(head["W_Q"][0])
            operations += n * n * (3 * width + out + 60) + n * width * (width + out) + width * width * d_qk
        if operations > MOST_OPERATIONS:
            raise TooLarge(f"some {operations:.0e} operations; use rankfall recheck")

    def check_shapes(self, last):
        n, width = len(self.X), len(self.X[0])
        for skip, heads, bias in self.layers:
            out = len(bias)
            for h in heads:
                if len(h.A) != width or len(h.W) != width or len(h.W[0]) != out or len(h.A[0]) != width or (skip and out != width):
                    raise Unreadable("the shapes of a layer break")
            width = out
        if len(self.rows) != n or len(self.columns) != last:
            raise Unreadable("tokens or columns are not as many as rows or columns")

    def input(self, reference):
        """The input about a reference, formed exactly."""
        y = [exact_reference([row[j] for row in self.X], self.rows, reference) for j in range(len(self.X[0]))]
        return [exact(v) for v in y], matrix([[v - w for v, w in zip(row, y)] for row in self.X])

    def about(self, k, reference):
        if k == 0:
            return self.input(reference)
        x, R = self.states[k]
        return about(x, R, reference_row(R, self.rows, reference))

    def apply(self, layer, x, R):
        """One layer on X = 1 x^T + R. The scores of a row are r + E up to a constant that softmax does not see, with
        E = R A R^T and r = R (A^T x + u). So P = 1 q^T + D, q = softmax(r) and D_ij = q_j (e_ij - m_i)/(1 + m_i), where
        e = exp(E) - 1 and m_i = sum_k q_k e_ik; and the rows of D sum to 0."""
        skip, heads, bias = self.layers[layer]
        alpha = exact(skip)
        new_x = plus(bias, [alpha * v for v in x]) if skip else bias
        new_R = [[alpha * v for v in row] for row in R] if skip else [[I(0)] * len(bias) for _ in R]
        views = []
        for h in heads:
            E = times(times(R, h.A), transposed(R))
            direction = plus(times([x], h.A)[0], h.u)
            scores = [total(v * w for v, w in zip(row, direction)) for row in R]
            top = largest(scores).high()
            weights = [exp(s - top) * I(c) for s, c in zip(scores, self.rows)]
            whole = total(weights)
            q = [w / whole for w in weights]
            D = []
            for row in E:
                e = [expm1(v) for v in row]
                m = total(v * w for v, w in zip(q, e))
                D.append([v * (w - m) / (I(1) + m) for v, w in zip(q, e)])
            RW = times(R, h.W)
            attended = plus(x, times([q], R)[0])
            new_x = plus(new_x, times([attended], h.W)[0])
            new_R = [plus(a, b) for a, b in zip(new_R, times(D, RW))]
            views.append({"E": E, "q": q, "D": D, "RW": RW})
        return new_x, new_R, views

    def columns_of(self, k):
        return self.columns if k == len(self.layers) else [1] * len(self.states[k][1][0])


# ---- Measuring (docs/theory, 1). A row stands for rows[i] equal tokens, a column for columns[j] equal columns. -------

def about(x, R, y):
    return plus(x, y), [[v - w for v, w in zip(row, y)] for row in R]


def counted(values, copies, position):
    """The value at a position, from 0, of a sorted list in which each stands so many times."""
    for value, copy in zip(values, copies):
        position -= copy
        if position < 0:
            return value


def places(n, reference):
    return (0, n - 1) if reference == "midrange" else ((n - 1) // 2, n // 2)


def exact_reference(column, rows, reference):
    if reference == "mean":
        return sum(v * c for v, c in zip(column, rows)) / sum(rows)
    values, copies = zip(*sorted(zip(column, rows)))
    return sum(counted(values, copies, k) for k in places(sum(rows), reference)) / 2


def reference_row(R, rows, reference):
    n, result = sum(rows), []
    for column in zip(*R):
        if reference == "mean":
            result.append(total(v * I(c) for v, c in zip(column, rows)) / I(n))
            continue
        e = min(v.e for v in column)
        low, high = ([counted(*zip(*sorted((end(v) << (v.e - e), c) for v, c in zip(column, rows))), k)
                      for k in places(n, reference)] for end in (lambda v: v.lo, lambda v: v.hi))
        result.append(I(sum(low), sum(high), e - 1))
    return result


def norm_1(a, rows):
    return largest([total(abs(v) * I(c) for v, c in zip(column, rows)) for column in zip(*a)])


def norm_inf(a, columns):
    return largest([total(abs(v) * I(c) for v, c in zip(row, columns)) for row in a])


def composite(a, rows, columns):
    return sqrt(norm_1(a, rows) * norm_inf(a, columns))


def entries(a):
    return [abs(v) for row in a for v in row]


def spectral(a, columns):
    """|G^(2^k)|_F^(2^-k) for G = A A^T, up to the root of its size."""
    G = times([[v * I(c) for v, c in zip(row, columns)] for row in a], transposed(a))
    steps, e = P // 8, 0
    for _ in range(steps):
        top = largest(entries(G))
        if top.zero():
            return top
        k = top.hi.bit_length() + top.e
        G, e = [[v.shifted(-k) for v in row] for row in G], 2 * (e + k)
        G = times(G, G)
    frobenius = sqrt(total(v * v for v in entries(G)))
    return power(hull(frobenius / sqrt(I(len(G))), frobenius).shifted(e), Fraction(1, 2**(steps + 1)))


def column_bound(column, rows, pairs):
    """min over y of s(y) m(y), s(y) = sum_i |x_i - y|, m(y) = max over pairs of (|x_i - y| + |x_k - y| + the rest of their
    1-distance)/2 = max(half, y - low, high - y): convex and piecewise affine, so the least product is at a breakpoint."""
    half = largest([abs(a - b) + rest for a, b, rest in pairs]).shifted(-1)
    low = least([a + b - rest for a, b, rest in pairs]).shifted(-1)
    high = largest([a + b + rest for a, b, rest in pairs]).shifted(-1)

    def at(y):
        return total(abs(x - y) * I(c) for x, c in zip(column, rows)) * largest([half, y - low, high - y])
    return least([at(y) for y in [(low + high).shifted(-1), low + half, high - half] + column])


def is_the_odd_token(R, odd, rows):
    """Whether all other tokens are certainly equal."""
    others = [row for i, row in enumerate(R) if i != odd]
    return rows[odd] == 1 and sum(rows) > 2 and all((v - w).zero() for row in others for v, w in zip(row, others[0]))


def odd_token_bound(R, odd, rows, columns):
    """The residual where all tokens but one are equal: v its entries beside the others, T their sum, m columns. For a
    reference y between the two, A = |R|_1 >= v_c + (n-2) y_c in every column, so sum y <= (m A - T)/(n-2), and |R|_inf >=
    max(T - sum y, T/2). The product is concave in A from max v to where T - sum y is T/2, then grows: an end is least."""
    v = [abs(x - y) for x, y in zip(R[odd], R[odd - 1])]
    top, T, n, m = largest(v), total(x * I(c) for x, c in zip(v, columns)), I(sum(rows) - 2), I(sum(columns))
    return least([top * (T - (m * top - T) / n), T * (I(1) + n.shifted(-1)) / m * T.shifted(-1)])


def sizes(R, rows, columns):
    pairs = [(i, k) for i in range(len(R)) for k in range(i, len(R))]
    gaps = {(i, k): [abs(v - w) for v, w in zip(R[i], R[k])] for i, k in pairs}
    one = {pair: total(v * I(c) for v, c in zip(gaps[pair], columns)) for pair in pairs}
    found = {"diameter 1": largest(list(one.values())),
             "diameter 2": sqrt(largest([total(v * v * I(c) for v, c in zip(g, columns)) for g in gaps.values()])),
             "diameter inf": largest([largest(g) for g in gaps.values()])}
    found["diameter composite"] = sqrt(found["diameter 1"] * found["diameter inf"])
    for reference in ("mean", "median", "midrange"):
        _, centred = about([], R, reference_row(R, rows, reference))
        found["residual " + reference] = composite(centred, rows, columns)
    bounds = [column_bound([row[j] for row in R], rows, [(R[i][j], R[k][j], one[i, k] - gaps[i, k][j]) for i, k in pairs])
              for j in range(len(R[0]))]
    bounds += [odd_token_bound(R, i, rows, columns) for i in range(len(R)) if is_the_odd_token(R, i, rows)]
    bound = sqrt(largest([I(0)] + bounds))
    found["residual minimal"] = hull(bound, least([found["residual " + r] for r in ("mean", "median", "midrange")]))
    return found


def range_of(values):
    values = list(values)
    return largest(values) - least(values)


# ---- The statement -------------------------------------------------------------------------------------------------

def interval(value):
    return value if isinstance(value, I) else exact(value)


FUNCTIONS = {"sqrt": sqrt, "exp": exp, "tanh": tanh, "abs": abs,
             "min": lambda *a: least(a), "max": lambda *a: largest(a)}


def evaluate(text, symbol):
    """A formula: Python's own grammar, but for ^. Numbers stay exact as long as they can (exponents, indices)."""
    if len(text) > 10000:
        raise Unreadable("a formula of more than 10000 characters")
    source = text.replace("^", "**")
    bound = {}

    def value(node):
        if isinstance(node, ast.Constant):
            return number(source[node.col_offset:node.end_col_offset])
        if isinstance(node, ast.Name):
            return bound[node.id] if node.id in bound else symbol(node.id, ())
        if isinstance(node, ast.Subscript):
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return symbol(node.value.id, tuple(int(value(i)) for i in inner))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp):
            return operation(type(node.op), value(node.left), value(node.right))
        if isinstance(node, ast.Call) and node.func.id in ("sum", "prod"):
            return over_range(node.func.id == "prod", *node.args)
        if isinstance(node, ast.Call) and node.func.id in FUNCTIONS:
            return FUNCTIONS[node.func.id](*(interval(value(a)) for a in node.args))
        raise Unreadable(f"{text}: a formula that this script does not know")

    def operation(mark, a, b):
        if mark is ast.Pow:
            short = isinstance(a, Fraction) and b.denominator == 1 and bits(a) * abs(b) < 2**20
            return a**int(b) if short else power(interval(a), b)
        if isinstance(a, I) or isinstance(b, I):
            a, b = interval(a), interval(b)
        return {ast.Add: lambda: a + b, ast.Sub: lambda: a - b, ast.Mult: lambda: a * b, ast.Div: lambda: a / b}[mark]()

    def over_range(multiply, index, first, last, body):
        result, terms = Fraction(multiply), range(int(value(first)), int(value(last)) + 1)
        if len(terms) > 10000:
            raise TooLarge("a sum of more than 10000 terms")
        for i in terms:
            bound[index.id] = Fraction(i)
            result = operation(ast.Mult if multiply else ast.Add, result, value(body))
        bound.pop(index.id, None)
        return result
    return value(ast.parse(source, mode="eval").body)


def verdict_of(left, right):
    return "proved" if left <= right else "refuted" if right < left else "undecided"


def all_of(verdicts):
    verdicts = set(verdicts)
    return "refuted" if "refuted" in verdicts else "undecided" if "undecided" in verdicts else "proved"


class Instance:
    """What the formulas of a statement name, on the layers from `first` to `last` of the network."""

    def __init__(self, network, statement, reading):
        self.network, self.statement = network, statement
        self.first, self.last = count(reading["from"], 0), count(reading["to"])
        self.gamma = reading["gamma"]
        self.reference = reading["reference"] if reading["reference"] in ("mean", "median", "midrange") else None
        if self.reference and statement["references"] != "propagated":
            raise Unreadable("a reference where the statement is read at none")
        self.measured, self.stretch = {}, range(self.first, self.last)
        self.heads = max((len(network.layers[k][1]) for k in self.stretch), default=0)
        layer = statement["span"] == "layer"
        if self.last != len(network.layers) or self.first != (self.last - 1 if layer else 0) or not self.stretch:
            raise Unreadable("from and to are no layer, or no depth, that ends the network")
        if self.reference:  # carried along from the first state, never taken anew
            x, R = self.start = network.about(self.first, self.reference)
            self.views = []
            for k in self.stretch:
                x, R, views = network.apply(k, x, R)
                self.views.append(views)
            self.end = R

    def outside_scope(self):
        scope = self.statement["scope"]
        layers = [self.network.layers[k] for k in self.stretch]
        if not scope["any_skip"] and any((skip != 0) != scope["skip"] for skip, _, _ in layers):
            return "skip connections"
        if scope["one_head"] and any(len(heads) != 1 for _, heads, _ in layers):
            return "the number of heads"
        if scope["common_d_qk"] and len({h.d_qk for _, heads, _ in layers for h in heads}) != 1:
            return "different d_qk"

    def sizes(self, k):
        if k not in self.measured:
            self.measured[k] = sizes(self.network.states[k][1], self.network.rows, self.network.columns_of(k))
        return self.measured[k]

    def views_of(self, layer):
        if not self.reference:
            raise Unreadable("scores are named where no reference is")
        return self.views[layer - self.first]

    def evaluate(self, text):
        return interval(evaluate(text, self.symbol))

    def symbol(self, name, indices):
        key = name, indices
        if key not in self.measured:
            self.measured[key] = self.find(name, indices)
        return self.measured[key]

    def find(self, name, indices):
        layers, rows = self.network.layers, self.network.rows
        if indices:
            layer, head = (self.first + indices[0], indices[1]) if len(indices) == 2 else (self.first, indices[0])
            if layer not in self.stretch or not 1 <= head <= self.heads:
                raise Unreadable(f"{name}{list(indices)} is beyond the network")
            return self.of_head(name, layer, head) if head <= len(layers[layer][1]) else I(0)
        first = self.sizes(self.first)
        exactly = {"n": sum(rows), "L": self.last - self.first, "H": self.heads, "d": len(self.network.states[self.first][0]),
                   "d_qk": layers[self.first][1][0].d_qk, "alpha": abs(layers[self.first][0])}
        if name in exactly:
            return Fraction(exactly[name])
        if name == "res" or name == "r0" and not self.reference:
            return first["residual minimal"]
        if name == "r0":
            return composite(self.start[1], rows, self.network.columns_of(self.first))
        if name == "delta" or name in ("diam_1", "diam_2", "diam_inf"):
            return first["diameter " + (name[5:] if name != "delta" else "composite")]
        if name.startswith("rate_"):
            p, square = name[5:], first["diameter " + name[5:]] * first["diameter " + name[5:]]
            return largest([total(self.of_head("op_" + p, k, h + 1) * tanh(self.of_head("k_" + p, k, h + 1) * square)
                                  for h in range(len(layers[k][1]))) for k in self.stretch])
        if name == "gamma":
            return self.gamma_of_stretch()
        if name == "Cmax":
            return largest([self.of_layer(k).evaluate(self.statement["constant"]) for k in self.stretch])
        if name in ("rho", "sumrho", "M", "phi", "E1", "RW"):
            return self.of_scores(name)
        return largest([self.of_head(name, k, h + 1) for k in self.stretch for h in range(len(layers[k][1]))])

    def of_layer(self, k):
        """The same reading of one layer, for what the weights alone give."""
        one = object.__new__(Instance)
        one.__dict__ = dict(self.__dict__, first=k, last=k + 1, stretch=range(k, k + 1), measured={})
        return one

    def of_head(self, name, layer, head):
        h, columns = self.network.layers[layer][1][head - 1], self.network.columns_of(layer + 1)
        single = [1] * len(h.A)
        known = {"a": lambda: norm_1(h.A, single), "W_1": lambda: norm_1(h.W, single), "W_inf": lambda: norm_inf(h.W, columns),
                 "W_c": lambda: composite(h.W, single, columns), "op_2": lambda: spectral(h.W, columns),
                 "k_1": lambda: largest(entries(h.A)).shifted(-2), "k_2": lambda: spectral(h.A, single).shifted(-2),
                 "k_inf": lambda: total(entries(h.A)).shifted(-2),
                 "beta": lambda: norm_1(h.A, single) * sqrt(I(h.d_qk)) * composite(h.W, single, columns)}
        known |= {"op_1": known["W_inf"], "op_inf": known["W_1"]}
        if name not in known:
            raise Unreadable(f"the symbol {name} is none that this script measures")
        key = "head", name, layer, head
        if key not in self.measured:
            self.measured[key] = known[name]()
        return self.measured[key]

    def of_scores(self, name):
        rows = self.network.rows
        if name == "rho":
            return largest([range_of(row) for k in self.stretch for h in self.views_of(k) for row in h["E"]])
        h = self.views_of(self.first)[0]
        M, rho = largest(entries(h["E"])), largest([range_of(row) for row in h["E"]])
        t = least([M, rho])
        return {"sumrho": lambda: total(range_of(row) * I(c) for row, c in zip(h["E"], rows)), "M": lambda: M,
                "phi": lambda: at_ends(lambda y: I(1) if y.zero() else expm1(y) / y, hull(largest([t, I(0)]), t)),
                "E1": lambda: norm_1(h["E"], rows),
                "RW": lambda: composite(h["RW"], rows, self.network.columns_of(self.first + 1))}[name]()

    def gamma_of_stretch(self):
        """The one number whose chain is that of the layers: gamma^((3^L-1)/2) = prod_l gamma_l^(3^(L-1-l))."""
        if self.gamma == "one":
            return I(1)
        if self.gamma.startswith("fixed:"):
            return exact(number(self.gamma[6:]))
        if self.gamma not in ("sum-max", "max-ratio"):
            raise Unreadable("gamma is one, sum-max, max-ratio or fixed:VALUE")
        rows, L, chain = self.network.rows, self.last - self.first, I(1)
        for l, k in enumerate(self.stretch):
            gammas = [I(0)]
            for h in self.views_of(k):
                E, column = h["E"], norm_1(h["E"], rows)
                each = [range_of(r).shifted(-1) if self.gamma == "sum-max" else largest([abs(v) for v in r]) for r in E]
                gammas += [] if column.zero() else [total(v * I(c) for v, c in zip(each, rows)) / column]
            chain = chain * power(largest(gammas), Fraction(3**(L - 1 - l)))
        return power(chain, Fraction(2, 3**L - 1))

    def left(self):
        quantity, last = self.statement["quantity"], self.sizes(self.last)
        if quantity == "residual-about-reference" and self.reference:
            return composite(self.end, self.network.rows, self.network.columns)
        if quantity == "oscillation":  # at the minimiser max rho <= 2 max |E| <= 2 a r0^2
            return hull(I(0), I(2) * self.symbol("a", ()) * self.symbol("r0", ()) * self.symbol("r0", ()))
        names = {"residual": "residual minimal", "residual-about-reference": "residual minimal",
                 "composite-diameter": "diameter composite", "diameter-1": "diameter 1", "diameter-2": "diameter 2",
                 "diameter-inf": "diameter inf"}
        if quantity not in names:
            raise Unreadable(f"the quantity {quantity} is none that this script measures")
        return last[names[quantity]]

    def members(self):
        """The two sides of one inequality for every entry or column, and every head."""
        quantity, R = self.statement["quantity"], self.start[1]
        n, d, out = range(1, len(R) + 1), range(1, len(R[0]) + 1), range(1, len(self.end[0]) + 1)
        indices = {"attention-entries": ("ij", n, n), "residual-entries": ("ij", n, out), "column-oscillation": ("k", d)}
        if quantity not in indices or any(c != 1 for c in self.network.rows):
            raise Unreadable(f"members of {quantity} are none that this script measures")
        letters, *ranges = indices[quantity]
        for h in self.views_of(self.first):
            E, D = h["E"], h["D"]
            pairs = [(i, k) for i in range(len(E)) for k in range(i)]
            scalars = {"n": lambda: Fraction(len(E)),
                       "tau": lambda: largest([I(0)] + [total(abs(v - w) for v, w in zip(D[i], D[k])) for i, k in pairs]).shifted(-1),
                       "range": lambda: largest([I(0)] + [range_of(v - w for v, w in zip(E[i], E[k])) for i, k in pairs])}
            lists = {"q": lambda: h["q"], "rho": lambda: [range_of(row) for row in E],
                     "osc": lambda: [range_of(column) for column in zip(*R)],
                     "mixed": lambda: [range_of(column) for column in zip(*times(D, R))]}
            tables = {"D": lambda: D, "RW": lambda: h["RW"], "out": lambda: self.end,
                      "P": lambda: [plus(h["q"], row) for row in D]}
            kept = {}
            for chosen in product(*ranges):
                here = dict(zip(letters, map(Fraction, chosen)))

                def symbol(name, index):
                    if name in here and not index:
                        return here[name]
                    source = (scalars, lists, tables)[len(index)] if len(index) < 3 else {}
                    if name not in source:
                        raise Unreadable(f"the symbol {name} is none that this script measures here")
                    if name not in kept:
                        kept[name] = source[name]()
                    value = kept[name]
                    for i in index:
                        value = value[range(len(value))[i - 1]] if i > 0 else None
                    return value
                for member in self.statement["members"]:
                    yield tuple(interval(evaluate(member[side], symbol)) for side in ("left", "right"))


class Plain:
    """Claims about the composites of matrices X and Y."""
    reference, first, last = None, 0, 1

    def __init__(self, matrices, statement):
        self.X, self.statement = matrix(table(matrices["X"])), statement
        self.Y = matrix(table(matrices["Y"])) if "Y" in matrices else [[I(0)] * len(row) for row in self.X]
        if [len(row) for row in self.X] != [len(row) for row in self.Y]:
            raise Unreadable("X and Y differ in shape")

    def outside_scope(self):
        return None

    def composite(self, a):
        return composite(a, [1] * len(a), [1] * len(a[0]))

    def evaluate(self, text):
        return interval(evaluate(text, lambda name, _: self.composite({"X_c": self.X, "Y_c": self.Y}[name])))

    def left(self):
        if self.statement["quantity"] == "composite-of-sum":
            return self.composite([plus(a, b) for a, b in zip(self.X, self.Y)])
        if self.statement["quantity"] != "residual-of-largest-entries":
            raise Unreadable("a quantity that this script does not measure on matrices")
        images = [[largest([abs(v) for v in row])] for row in self.X]
        return sizes(images, [1] * len(images), [1])["residual minimal"]


class UnitTokens:
    """One layer of one head on tokens that are zero or unit vectors, each in a coordinate of its own, in classes that
    differ in it alone. Scores A_xx are `self`, A_xy `scores`, logits `logit`; outputs W are `values` in the columns that
    all share and `own` in a column of the coordinate's own. The residual of the input is at most 1."""
    reference, first, last = None, 0, 1

    def __init__(self, tokens, statement):
        self.statement, self.column, self.outputs = statement, count(tokens["column"], 0), count(tokens["outputs"])
        self.classes, unit = tokens["classes"], [c for c in tokens["classes"] if c["unit"] is True]
        for c in self.classes:
            c["n"] = count(c["count"])
            c["logit"], c["self"], c["own"] = (number(c[k]) if c["unit"] is True else Fraction(0) for k in ("logit", "self", "own"))
            c["scores"] = {count(k, 0): number(v) for k, v in c["scores"]} if c["unit"] is True else {}
            c["values"] = [number(v) for v in c["values"]] if c["unit"] is True else [Fraction(0)] * self.outputs
            if len(c["values"]) != self.outputs or any(self.classes[k]["unit"] is not True for k in c["scores"]):
                raise Unreadable("values of another number, or scores of zero tokens")
        constant = number(tokens["constant"]) if tokens["constant"] is not None else None
        column = [abs(c["self"]) + (abs(c["logit"] / constant) if constant is not None else 0) for c in self.classes]
        for x, c in enumerate(self.classes):
            for y, score in c["scores"].items():
                column[y] += abs(score) * (c["n"] - (x == y))
        one = [sum(abs(c["values"][k]) * c["n"] for c in self.classes) for k in range(self.outputs)]
        rows = [sum(map(abs, c["values"])) + abs(c["own"]) for c in self.classes]
        d, d_qk = sum(c["n"] for c in unit) + (constant is not None), count(tokens["d_qk"])
        if d_qk < d:
            raise Unreadable("a query width that the scores do not fit into")
        W_c = sqrt(exact(max(one + [abs(c["own"]) for c in self.classes]) * max(rows)))
        n = Fraction(sum(c["n"] for c in self.classes))
        self.symbols = {"n": n, "L": Fraction(1), "H": Fraction(1), "d": Fraction(d), "d_qk": Fraction(d_qk), "W_c": W_c,
                        "a": max(column), "beta": exact(max(column)) * sqrt(I(d_qk)) * W_c, "r0": hull(I(0), I(1))}
        self.most = sqrt(exact(n)) * W_c
        self.pairs = [(count(a, 0), count(b, 0)) for a, b in tokens["pairs"]]
        self.attend()

    def attend(self):
        """weights: e^logit of a class over the largest; sums: all weights that a query of a class sees."""
        top = max(c["logit"] for c in self.classes)
        self.weights = [exp(exact(c["logit"] - top)) for c in self.classes]
        common = total(w * I(c["n"]) for w, c in zip(self.weights, self.classes))
        self.sums = []
        for x, c in enumerate(self.classes):
            extra = [self.weights[x] * expm1(exact(c["self"]))]
            extra += [self.weights[y] * I(self.classes[y]["n"] - (x == y)) * expm1(exact(v)) for y, v in c["scores"].items()]
            self.sums.append(common + total(extra))

    def on(self, x, y):
        """The weight of a query of class x on another token, of class y."""
        return self.weights[y] * exp(exact(self.classes[x]["scores"].get(y, 0))) / self.sums[x]

    def on_itself(self, x):
        return self.weights[x] * exp(exact(self.classes[x]["self"])) / self.sums[x]

    def output(self, x, k):
        seen = [(y, c) for y, c in enumerate(self.classes) if c["values"][k] != 0]
        return total((self.on(x, y) * I(c["n"] - (x == y)) + (self.on_itself(x) if x == y else I(0))) * exact(c["values"][k])
                     for y, c in seen)

    def rest(self, x, y):
        """The 1-distance of the outputs of a token of class x and another of class y, but for the column."""
        if x == y and self.classes[x]["n"] == 1:
            return I(0)
        gaps = [abs(self.output(x, k) - self.output(y, k)) for k in range(self.outputs) if k != self.column and x != y]
        for z, c in enumerate(self.classes):
            if c["own"]:
                a, b = self.on(x, z), self.on(y, z)
                there = [abs(self.on_itself(x) - b)] * (x == z) + [abs(self.on_itself(y) - a)] * (y == z)
                gaps.append((total(there) + abs(a - b) * I(c["n"] - (x == z) - (y == z))) * exact(abs(c["own"])))
        return total(gaps)

    def outside_scope(self):
        return None

    def evaluate(self, text):
        return interval(evaluate(text, lambda name, _: self.symbols[name]))

    def left(self):
        if self.statement["quantity"] != "residual":
            raise Unreadable("a quantity that this script does not measure on unit tokens")
        column = [self.output(x, self.column) for x in range(len(self.classes))]
        pairs = [(column[x], column[y], self.rest(x, y)) for x, y in self.pairs]
        return hull(sqrt(column_bound(column, [c["n"] for c in self.classes], pairs)), self.most)


# ---- The certificate -----------------------------------------------------------------------------------------------

def agrees(claimed, found):
    """Whether an enclosure of the certificate and what was found can hold for one number."""
    ((unit, (low, high)),) = claimed.items()
    if unit not in ("log10", "value"):
        raise Unreadable(f"the unit {unit}")
    if unit == "value":
        return not (low != "-inf" and found < exact(number(low))) and not (high != "inf" and exact(number(high)) < found)
    if high == "-inf":
        return low == "-inf" and found.lo <= 0
    if low != "-inf" and high != "inf" and number(high) < number(low):
        return False
    ten = log2(I(10))
    if low != "-inf" and (found.hi <= 0 or log2(found.high()) / ten < exact(number(low))):
        return False
    return not (high != "inf" and found.lo > 0 and exact(number(high)) < log2(found.low()) / ten)


def faults_of(certificate):
    """Why the certificate is to be rejected at P bits."""
    statement, faults = certificate["statement"], []
    if "network" in certificate:
        instance = Instance(Network(certificate), statement, certificate["reading"])
    elif (certificate["reading"]["from"], certificate["reading"]["to"]) != ("0", "1"):
        raise Unreadable("a reading of more than one layer")
    elif "unit_tokens" in certificate:
        instance = UnitTokens(deepcopy(certificate["unit_tokens"]), statement)
    else:
        instance = Plain(certificate["matrices"], statement)
    outside = instance.outside_scope()
    if outside:
        return ["outside the scope of the statement: " + outside]

    def compare(claimed, found, what):
        if not agrees(claimed, found):
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
    if statement["members"]:
        verdict = all_of(verdict_of(*sides) for sides in instance.members())
    else:
        middle = statement["middle"] if instance.reference else []
        sides = [instance.left()] + [instance.evaluate(text) for text in middle + [statement["right"]]]
        if statement["relation"] == ">=":
            sides.reverse()
        verdict = all_of(verdict_of(a, b) for a, b in zip(sides, sides[1:]))
        compare(certificate["left"], sides[0], "the left side")
        compare(certificate["right"], sides[-1], "the right side")
    if verdict != certificate["verdict"]:
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
    global P
    if certificate["format"] != "rankfall-certificate/1" or certificate["verdict"] not in ("proved", "refuted"):
        raise Unreadable("no rankfall-certificate/1 of a verdict")
    digest = "sha256:" + hashlib.sha256(canonical(certificate, "digest").encode()).hexdigest()
    if certificate["digest"] != digest:
        return ["the digest does not belong to the text, which has been altered"]
    P = 128
    while True:
        try:
            faults = faults_of(certificate)
        except Undefined as error:
            faults = [f"at {P} bits: {error}"]
        if not faults or P >= 1024:
            return faults
        P *= 2


def main(paths):
    if not paths:
        print(__doc__.strip(), file=sys.stderr)
        return 64
    code = 0
    for path in paths:
        try:
            certificate = read(path)
            faults = recheck(certificate)
            s = certificate["statement"]
            print(f"{path}: {'rejected' if faults else 'accepted'}: {s['id']} {certificate['verdict']}, at {P} bits")
            print(f"  {s['words']}\n  {s['quantity']} {s['relation']} {s['right']}")
            for h in s["hypotheses"]:
                print(f"  hypothesis {h['value']} <= {h['bound']}")
            for fault in faults:
                print("  " + fault)
            code = max(code, 1 if faults else 0)
        except TooLarge as error:
            print(f"{path}: too large: {error}", file=sys.stderr)
            code = max(code, 3)
        except (Unreadable, OSError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, SyntaxError,
                RecursionError, MemoryError) as error:
            print(f"{path}: unreadable: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            return 65
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
