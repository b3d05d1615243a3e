"""The first 16 direction numbers of 21 dimensions of Sobol's sequence, from the points of scipy.stats.qmc.Sobol.

scipy takes the numbers of Joe and Kuo (2008) from their file and walks through the points in the order of Gray's code:
its point n is the exclusive or of the direction numbers of the bits of n ^ (n >> 1). Direction number i alone is that of
n = 2^(i + 1) - 1. Sixteen of them fix everything: the starting values (at most seven) and the recurrence behind them.

Writes sobol_points.json: a list per dimension, fractions of 2^16; `--check` compares instead. Needs scipy.
"""
import os
import sys

from scipy.stats import qmc

from recorded_answer import recorded

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sobol_points.json")
DIMENSIONS, COUNT = 21, 16


def direction_numbers():
    points = qmc.Sobol(DIMENSIONS, scramble=False).random(1 << COUNT)
    chosen = [points[(2 << i) - 1] for i in range(COUNT)]
    return [[int(round(point[d] * (1 << COUNT))) for point in chosen] for d in range(DIMENSIONS)]


def main():
    found = direction_numbers()
    known = recorded(FILE, found)
    if known is not None and known != found:
        sys.exit("sobol_points.json is not what sobol_points.py computes")


main()
