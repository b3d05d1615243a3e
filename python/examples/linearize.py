"""A linear model of a parallel robot with elastic legs along its motion: states, inputs, poles, a file for Octave."""

import sys

import lithe
import numpy as np

folder = sys.argv[1] if len(sys.argv) > 1 else "examples"
model = lithe.load(f"{folder}/flexible-3rrr.yaml")

# At t = 0.5 s of the motion laws: the motors apply what the motion needs there.
# d/dt dx = A dx + B du, dy = C dx + D du, for control design.
linear = model.linearize(at=0.5, outputs=["pos.*"])
for motor in model.actuated:
    print(f"{motor}: {linear.tau[motor]:.6f} N m")
print(f"{len(linear.states)} states, {len(linear.inputs)} inputs, {len(linear.outputs)} outputs")
for pole in [pole for pole in linear.poles if pole.imag > 0][:4]:
    print(f"{abs(pole) / (2 * np.pi):.4f} Hz, damping ratio {-pole.real / abs(pole):.5f}")
print(f"A is {linear.A.shape[0]} x {linear.A.shape[1]}, its trace {np.trace(linear.A):.4f} 1/s")
if len(sys.argv) > 2:
    linear.save_mat(sys.argv[2])
