"""Numbers for recheck.py: exact ones, intervals with outward rounding, matrices of them, and formulas in them."""
import _pydecimal
import ast
import decimal
import math
import operator
import re
from contextlib import contextmanager
from fractions import Fraction


class Unreadable(Exception):
    pass


class TooLarge(Exception):
    pass


class Undefined(Exception):
    """More digits may help."""


# ---- Exact numbers ----------------------------------------------------------------------------------------------------

class Num(str):
    """A JSON number as it is written."""


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


def count(value, least_allowed=1):
    if not isinstance(value, Num) or int(value) < least_allowed:
        raise Unreadable(f"{value!r} is no count")
    return int(value)


def table(rows):
    """A matrix of exact numbers."""
    result = [[number(x) for x in row] for row in rows]
    if not result or any(len(row) != len(result[0]) or not row for row in result):
        raise Unreadable("a matrix has no rows, or rows of different lengths")
    if sum(bits(q) for row in result for q in row) > 2**28:
        raise TooLarge("a matrix of more than 32 MiB")
    return result


# ---- Intervals -----------------------------------------------------------------------------------------------------
# DOWN rounds every result to the next decimal below, UP to the next above. What leaves their range is an error; the
# decimals of `decimal` end at 10^(10^18), those of `_pydecimal`, slower, have integers of any size as exponents.

def use(module, largest_exponent):
    global ARITHMETIC, LARGEST_EXPONENT, ZERO
    ARITHMETIC, LARGEST_EXPONENT, ZERO = module, largest_exponent, module.Decimal(0)


def use_fast_decimals():
    use(decimal, decimal.MAX_EMAX)


def use_far_decimals():
    use(_pydecimal, 10**1000)


@contextmanager
def digits(count):
    global DIGITS, DOWN, UP
    before = DIGITS, DOWN, UP
    errors = [getattr(ARITHMETIC, name) for name in ("DivisionByZero", "InvalidOperation", "Overflow", "Underflow")]
    DIGITS, (DOWN, UP) = count, [
        ARITHMETIC.Context(prec=count, rounding=mode, Emin=-LARGEST_EXPONENT, Emax=LARGEST_EXPONENT, traps=errors)
        for mode in (decimal.ROUND_FLOOR, decimal.ROUND_CEILING)]
    try:
        yield
    finally:
        DIGITS, DOWN, UP = before


DIGITS = DOWN = UP = None
use_fast_decimals()


class I:
    """The real numbers from lo to hi. Exact numbers may stand beside it in a sum, product, ..."""
    __slots__ = "lo", "hi"

    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi

    def __add__(x, y):
        y = interval(y)
        return I(DOWN.add(x.lo, y.lo), UP.add(x.hi, y.hi))

    def __neg__(x):
        return I(x.hi.copy_negate(), x.lo.copy_negate())

    def __sub__(x, y):
        return x + -interval(y)

    def __mul__(x, y):
        y = interval(y)
        if x.lo >= 0 <= y.lo:
            return I(DOWN.multiply(x.lo, y.lo), UP.multiply(x.hi, y.hi))
        ends = (x.lo, y.lo), (x.lo, y.hi), (x.hi, y.lo), (x.hi, y.hi)
        return I(min(DOWN.multiply(a, b) for a, b in ends), max(UP.multiply(a, b) for a, b in ends))

    def __truediv__(x, y):
        y = interval(y)
        if y.hi < 0:
            return -x / -y
        if y.lo <= 0:
            raise Undefined("a division by what may be zero")
        return I(DOWN.divide(x.lo, y.hi if x.lo >= 0 else y.lo), UP.divide(x.hi, y.lo if x.hi >= 0 else y.hi))

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(x, y):
        return interval(y) - x

    def __rtruediv__(x, y):
        return interval(y) / x

    def __abs__(x):
        return x if x.lo >= 0 else -x if x.hi <= 0 else I(ZERO, max(x.lo.copy_negate(), x.hi))

    def __lt__(x, y):
        """For certain, as are all comparisons."""
        return x.hi < interval(y).lo

    def __le__(x, y):
        return x.hi <= interval(y).lo

    def zero(x):
        return x.lo == x.hi == 0


def interval(q):
    """Encloses an exact number; exactly, where so many digits hold it."""
    return q if isinstance(q, I) else I(DOWN.divide(q.numerator, q.denominator), UP.divide(q.numerator, q.denominator))


def high(x):
    return I(x.hi, x.hi)


def hull(x, y):
    """From what may be the least of x to what may be the largest of y."""
    return I(interval(x).lo, interval(y).hi)


def largest(numbers):
    numbers = [interval(x) for x in numbers]
    return I(max(x.lo for x in numbers), max(x.hi for x in numbers))


def least(numbers):
    return -largest([-x for x in numbers])


def at_ends(f, x):
    """Of a function that grows."""
    return hull(f(I(x.lo, x.lo)), f(I(x.hi, x.hi)))


def sqrt(x):
    """What lies below zero is taken as zero: only rounding puts it there. The root of a decimal is off by one place."""
    if x.hi < 0:
        raise Undefined("the square root of a negative number")
    lo, hi = DOWN.sqrt(max(x.lo, ZERO)), UP.sqrt(x.hi)
    return I(lo if UP.multiply(lo, lo) <= max(x.lo, ZERO) else DOWN.next_minus(lo),
             hi if DOWN.multiply(hi, hi) >= x.hi else UP.next_plus(hi))


def exp(x):
    """The decimal exponential, and the logarithms below, are off by less than one place."""
    return I(DOWN.next_minus(DOWN.exp(x.lo)), UP.next_plus(UP.exp(x.hi)))


def expm1(x):
    """e^x - 1."""
    return exp_less(1, x) if abs(x) <= Fraction(1, 2) else exp(x) - 1


def expm2(x):
    """e^x - 1 - x."""
    return exp_less(2, x) if abs(x) <= Fraction(1, 2) else exp(x) - 1 - x


def exp_less(n, x):
    """e^x less the first n terms of its series, for |x| <= 1/2: x^n/n! (1 + x/(n+1) (1 + x/(n+2) (...)))). All that
    follows a term is below its size."""
    whole = term = interval(Fraction(1, math.factorial(n)))
    k = n
    while abs(term).hi.adjusted() > -DIGITS - 2 and not term.zero():
        k += 1
        term = term * x / k
        whole = whole + term
    whole = whole + hull(-abs(term), abs(term))
    return whole * x if n == 1 else whole * x * x


def tanh(x):
    """1 - 2/(e^2x + 1) = t/(t + 2), t = e^2x - 1."""
    def at(y):
        if y.lo < 0:
            return -at(-y)
        if y.lo > 2 * DIGITS:  # then e^-2y is far below the last place
            return hull(1 - Fraction(1, 10**DIGITS), 1)
        t = expm1(y * 2)
        return t / (t + 2)
    return at_ends(at, x)


def logarithm(x, of):
    """`of` is "ln" or "log10"; of 1 it is 0 exactly."""
    lo, hi = getattr(DOWN, of)(max(x.lo, ZERO)), getattr(UP, of)(max(x.hi, ZERO))  # of 0 it is minus infinity
    return I(DOWN.next_minus(lo) if lo else lo, UP.next_plus(hi) if hi and x.hi > 0 else hi)


def power(x, q):
    """x^q. A whole power by squaring, others as e^(q log x), with more digits for what they lose."""
    if q < 0:
        return 1 / power(x, -q)
    with digits(DIGITS + len(str(q)) + 24):
        if q.denominator != 1:
            if x.lo < 0:
                raise Undefined("a power of what may be negative")
            return at_ends(lambda y: y if y.zero() else exp(logarithm(y, "ln") * q), x)
        result, square, n = interval(1), x, q.numerator
        while n:
            if n & 1:
                result = result * square
            square, n = (square * square if n > 1 else square), n >> 1
        return result if q.numerator & 1 else abs(result)


# ---- Lists and matrices (lists of rows) of intervals ------------------------------------------------------------------

def matrix(rows):
    return [[interval(x) for x in row] for row in rows]


def weighted(values, copies):
    """The sum in which each value stands so many times."""
    return sum(v if c == 1 else v * c for v, c in zip(values, copies, strict=True))


def times(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in a]


def transposed(a):
    return [list(column) for column in zip(*a)]


def plus(a, b):
    return [x + y for x, y in zip(a, b, strict=True)]


def range_of(values):
    values = list(values)
    return largest(values) - least(values)


# ---- The formulas of the statement ---------------------------------------------------------------------------------

FUNCTIONS = {"sqrt": sqrt, "exp": exp, "tanh": tanh, "abs": abs,
             "min": lambda *a: least(a), "max": lambda *a: largest(a)}
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


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
            indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return symbol(node.value.id, tuple(int(value(i)) for i in indices))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            a, b = value(node.left), value(node.right)
            short = isinstance(a, Fraction) and b.denominator == 1 and bits(a) * abs(b) < 2**20
            return a**int(b) if short else power(interval(a), b)
        if isinstance(node, ast.BinOp):
            return OPERATIONS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Call) and node.func.id in ("sum", "prod"):
            return over_range(OPERATIONS[ast.Mult if node.func.id == "prod" else ast.Add], *node.args)
        if isinstance(node, ast.Call) and node.func.id in FUNCTIONS:
            return FUNCTIONS[node.func.id](*(interval(value(a)) for a in node.args))
        raise Unreadable(f"{text}: a formula that this script does not know")

    def over_range(operation, index, first, last, body):
        result, terms = Fraction(operation is operator.mul), range(int(value(first)), int(value(last)) + 1)
        if len(terms) > 10000:
            raise TooLarge("a sum of more than 10000 terms")
        for i in terms:
            bound[index.id] = Fraction(i)
            result = operation(result, value(body))
        bound.pop(index.id, None)
        return result
    return interval(value(ast.parse(source, mode="eval").body))
