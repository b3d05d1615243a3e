"""Motor torques of a parallel robot along its motion laws, and the part of them that carries the weight."""

import sys

import lithe
import numpy as np

path = (sys.argv[1] if len(sys.argv) > 1 else "examples") + "/khan-3rrr.yaml"
heavy = lithe.load(path).inverse_dynamics()
weightless = lithe.load(path, set={"g": 0}).inverse_dynamics()
for motor in ("motor-1", "motor-2", "motor-3"):
    most, without = (np.abs(result["tau." + motor]).max() for result in (heavy, weightless))
    print(f"{motor}: at most {most:.4f} N m, without gravity {without:.4f} N m")
