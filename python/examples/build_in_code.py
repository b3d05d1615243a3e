"""A four-bar linkage built without a file: single states (assembly, mass, acceleration), then a simulation."""

import lithe


def rod(length, mass):
    return {"rod": {"from": [0, 0], "to": [length, 0], "mass": mass}, "frames": {"root": [0, 0], "tip": [length, 0]}}


model = lithe.Model.from_dict(
    {
        "lithe": 1,
        "name": "four-bar",
        "gravity": [0, -9.81, 0],
        "links": {"crank": rod(0.2, 0.2), "coupler": rod(0.5, 0.5), "rocker": rod(0.4, 0.4)},
        "ground": {"right": [0.5, 0, 0]},
        "joints": {
            "motor": {"revolute": "z", "from": "ground", "to": "crank/root", "actuated": True},
            "pin-1": {"revolute": "z", "from": "crank/tip", "to": "coupler/root"},
            "pin-2": {"revolute": "z", "from": "coupler/tip", "to": "rocker/tip"},
            "pivot": {"revolute": "z", "from": "ground/right", "to": "rocker/root", "damping": 0.01},
        },
        "initial": {"motor": 0.3, "pin-1": 0.8, "pivot": 1.6},  # guesses choose the branch
    }
)

# One state: compiled once, evaluated as often as needed.
p = model.prepare()
x, y, z = p.frame_pose("coupler/tip").position
print(f"coupler tip at {x:.6f}, {y:.6f} m")
a = p.forward_dynamics({"motor": 0.5})
print(f"inertia at the crank {p.mass_matrix()[0, 0]:.6f} kg m^2, acceleration {a[p.index('motor')]:.6f} rad/s^2")

result = model.simulate(until=1.0)
print(f"after 1 s the crank is at {result['q.motor'][-1]:.5f} rad")
