"""A sweep over two parameters of a model, with outputs of the study and a Python function, and a search for the best."""

import sys

import lithe
import numpy as np

folder = sys.argv[1] if len(sys.argv) > 1 else "examples"
model = lithe.load(f"{folder}/studies/models/elastic-five-bar.yaml")
model.run.until = 0.3


def effort(result):
    """Integral of the squared torques (N^2 m^2 s), by trapezoids."""
    squares = result["tau.motor-1"] ** 2 + result["tau.motor-2"] ** 2
    return np.sum(np.diff(result.t) * (squares[1:] + squares[:-1]) / 2)


found = lithe.sweep(
    model,
    axes={"crank-radius": [0.004, 0.006, 0.008], "rod-radius": [0.003, 0.005]},
    outputs={"mass": {"mass": "all"}, "torque": {"peak": "tau.motor-1"}, "effort": effort},
)
for row in found.table:
    print(f"radii {row['crank-radius']:.3f} and {row['rod-radius']:.3f} m: {row['mass']:.4f} kg, {row['torque']:.4f} N m")
lightest = found.table[np.argmin(found["mass"])]
print(f"the lightest has radii {lightest['crank-radius']} and {lightest['rod-radius']} m; failed: {sum(~found.good)}")

best = lithe.optimize(
    model,
    axes={"crank-radius": (0.004, 0.01), "rod-radius": (0.003, 0.008)},
    outputs={"mass": {"mass": "all"}, "bending": {"frequency": 3}},
    objectives={"mass": "minimize"},
    constraints={"bending": {"min": 90}},
    starts=2,
).best
print(f"lightest with a third frequency of 90 Hz: {best['outputs']['bending']:.1f} Hz")
