"""Zeros of a function of one variable with many digits: the frequencies of the two beam oracles. Plain Python."""
from decimal import Decimal


def root(function, low, high):
    """False position, with the Illinois rule, to 25 digits: there the sign changes."""
    close = Decimal("1e-25")
    below, above = function(low), function(high)
    x = before = low
    while True:
        x = high - above * (high - low) / (above - below)
        if abs(x - before) < close / 10:
            break
        before, value = x, function(x)
        if value * above < 0:
            low, below = high, above
        else:
            below /= 2
        high, above = x, value
    assert function(x - close) * function(x + close) < 0
    return x


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
