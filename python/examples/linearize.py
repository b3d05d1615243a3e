"""Small motions of a parallel robot with elastic legs about rest: poles, and the state-space form."""

import sys

import lithe
import numpy as np

folder = sys.argv[1] if len(sys.argv) > 1 else "examples"
model = lithe.load(f"{folder}/flexible-3rrr.yaml")

# At t = 0.5 s of the motion laws, motors locked. M x'' + D x' + K x = B u in the independent coordinates.
linear = model.linearize(at=0.5)
print(f"{len(linear.names)} coordinates, first: {linear.names[0]}")
for pole in [pole for pole in linear.poles() if pole.imag > 0][:4]:
    print(f"{abs(pole) / (2 * np.pi):.4f} Hz, damping ratio {-pole.real / abs(pole):.5f}")

# The state-space form d/dt [x; x'] = A [x; x'] + E u, for control design.
A = linear.state_matrix()
print(f"A is {A.shape[0]} x {A.shape[1]}, its trace {np.trace(A):.4f} 1/s")
