"""Zeros of a function of one variable with many digits: the frequencies of the two beam oracles. Plain Python."""
from decimal import Decimal


def root(function, low, high):
    """Bisection to 25 digits."""
    below = function(low)
    while high - low > Decimal("1e-25"):
        middle = (low + high) / 2
        value = function(middle)
        if value * below > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def lowest_roots(function, step, count):
    """The lowest zeros above `step`, found by changes of sign over steps of that length."""
    found, x = [], step
    before = function(x)
    while len(found) < count:
        now = function(x + step)
        if before * now < 0:
            found.append(root(function, x, x + step))
        before, x = now, x + step
    return found
