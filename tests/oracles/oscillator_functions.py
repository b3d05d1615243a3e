"""What a damped oscillator answers to forces that are powers of time: the functions E_0 ... E_6 of src/lithe/simulation/phi_functions.hpp.

s(t) solves s'' + d s' + s w^2 = 0, s(0) = 0, s'(0) = 1; S_0 = s', S_1 = s, S_(k+1) = integral of S_k from zero; E_k = S_k/t^k at t = 1.
The Taylor series of s' has the coefficients c_0 = 1, c_1 = -d, c_(m+2) = -d c_(m+1) - w^2 c_m (over m!), so E_k is the sum of c_m/(m + k)!.
All terms are added with 500 digits, which bears the cancellation up to rates of some 500: terms grow to exp(rate), and the 2000th is
500^2000/2000! = 1e-338 at such a rate.

Writes oscillator_functions.json; `--check` compares instead. Plain Python.
"""
import json
import os
import sys
from decimal import Decimal, getcontext

getcontext().prec = 500
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "oscillator_functions.json")
# (w t)^2 and d t: short times, oscillations with little and much damping, about critical, creeping, no stiffness at all.
CASES = [("0", "0"), ("1e-12", "0"), ("0.25", "0"), ("0.999", "0"), ("1.001", "0"), ("9.8696", "0"), ("2500", "0"), ("40000", "0"),
         ("0.25", "0.3"), ("0.9", "1.999"), ("0.9", "2.001"), ("1", "2"), ("4", "0.4"), ("100", "2"), ("100", "19.99"), ("100", "20"),
         ("100", "20.00001"), ("100", "20.2"), ("100", "22.4"), ("100", "30"), ("10000", "200"), ("1e-6", "50"), ("0", "0.5"), ("0", "2.5"),
         ("0", "300"), ("3", "300"), ("2500", "180"), ("0.5", "3")]


def functions(square, damping):
    square, damping = Decimal(square), Decimal(damping)
    sums = [Decimal(0)] * 7
    now, following = Decimal(1), -damping
    factorial = Decimal(1)
    for m in range(2000):
        if m > 0:
            factorial *= m
        term = now / factorial
        for k in range(7):
            sums[k] += term
            term /= m + k + 1
        now, following = following, -damping * following - square * now
    return [float(value) for value in sums]


def main():
    table = [{"square": float(s), "damping": float(d), "E": functions(s, d)} for s, d in CASES]
    if "--check" in sys.argv:
        with open(FILE, encoding="utf-8") as file:
            if json.load(file) != table:
                sys.exit("oscillator_functions.json is not what oscillator_functions.py computes")
        return
    with open(FILE, "w", encoding="utf-8") as file:
        json.dump(table, file, indent=1)
        file.write("\n")


main()
