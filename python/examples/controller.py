"""A controller written in Python: PD feedback in place of the feed-forward of a model file, against a push."""

import sys

import lithe
import numpy as np

folder = sys.argv[1] if len(sys.argv) > 1 else "examples"
model = lithe.load(f"{folder}/khan-3rrr.yaml", set={"force-y": -20})  # N; the inverse dynamics knows of it
model.run.until = 1.0


def tracking_error(model):
    """Largest distance of a motor from its law along a run."""
    result = model.simulate()
    wanted = np.array([[model.motion_law(motor, t)[0] for motor in model.actuated] for t in result.t])
    return max(np.abs(result["q." + motor] - wanted[:, i]).max() for i, motor in enumerate(model.actuated))


print(f"with feed-forward: {tracking_error(model):.1e} rad")

kp, kd = 2000.0, 110.0
motors = model.actuated


def pd(t, q, v):
    """Torques (N m) of all three motors; q and v in the order of Model.actuated."""
    wanted, rate, _ = np.array([model.motion_law(motor, t) for motor in motors]).T
    return kp * (wanted - q) + kd * (rate - v)


model.control(pd)  # replaces what drives the motors; their motion laws stay as reference
print(f"with PD alone:     {tracking_error(model):.4f} rad")
