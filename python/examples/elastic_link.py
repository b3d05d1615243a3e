"""A steel strip clamped at one end: modes of the mechanism and of beam theory; how far its weight bends it."""

import lithe
import numpy as np

length, height, width = 0.8, 0.004, 0.02  # m; it bends along y
young, density = 200e9, 7800.0
model = lithe.Model.from_dict(
    {
        "lithe": 1,
        "gravity": [0, -9.81, 0],
        "materials": {"steel": {"young": young, "density": density, "poisson": 0.3}},
        "links": {
            "strip": {
                "beam": {
                    "length": length,
                    "material": "steel",
                    "section": {"rectangle": {"height": height, "width": width}},
                    "bending": "y",
                    "torsion": False,
                    "elements": 8,
                },
                "modes": {"count": 3},
                "damping": {"ratio": 0.01},
            }
        },
        "joints": {"clamp": {"fixed": True, "from": "ground", "to": "strip/root"}},
    }
)

weightless = model.copy()
weightless.gravity = np.zeros(3)
link, rest = weightless.modes().frequencies, model.modes().frequencies
EI, line_mass = young * width * height**3 / 12, density * width * height
unit = np.sqrt(EI / line_mass) / length**2 / (2 * np.pi)
theory = [3.516015, 22.034492, 61.697214]  # squares of the roots of 1 + cos x cosh x = 0
for k in range(3):
    print(f"mode {k + 1}: link {link[k]:.4f} Hz, at rest {rest[k]:.4f} Hz, beam theory {theory[k] * unit:.4f} Hz")
sag = -model.statics().frame_pose("strip/tip").position[1]
print(f"tip sinks by {1e3 * sag:.4f} mm, linear theory {1e3 * line_mass * 9.81 * length**4 / (8 * EI):.4f} mm")
