"""What runs record, chosen from Python."""

import numpy as np
import pytest

import lithe

ROD = """
lithe: 1
links:
  rod: {rod: {from: [0, 0, 0], to: [2, 0, 0], mass: 3}, frames: {tip: [2, 0, 0]}}
joints:
  hinge: {revolute: z, from: ground, to: rod, actuated: true}
drives:
  hinge: {follow: 4*t^2, by: motion}
run: {until: 1, every: 0.1}
record: [coordinates]
"""


def test_record_chooses_columns():
    model = lithe.loads(ROD)
    model.record(velocities=["rod/tip"], frames=["rod"], momentum=True, energy=True)
    result = model.simulate()
    t = result.t
    # Closed form: the tip is at 2 (cos 4 t^2, sin 4 t^2).
    assert result["vel.rod.tip.x"] == pytest.approx(-16 * t * np.sin(4 * t**2), abs=1e-10)
    assert result["omega.rod.tip.z"] == pytest.approx(8 * t, abs=1e-10)
    assert result["momentum.y"] == pytest.approx(3 * 8 * t * np.cos(4 * t**2), abs=1e-10)
    assert "energy.gravity" in result
    assert np.all(result["pos.rod.x"] == result["pos.rod.origin.x"])  # a link alone is its origin


def test_record_keeps_what_is_not_given():
    model = lithe.loads(ROD)
    model.record(quaternions=["rod/tip"])
    result = model.simulate()
    assert "q.hinge" in result and "quat.rod.tip.w" in result and "energy.kinetic" not in result


def test_unknown_frames_are_refused():
    model = lithe.loads(ROD)
    with pytest.raises(lithe.ModelError, match="tpi"):
        model.record(velocities=["rod/tpi"])


def test_far_bending_is_not_trusted():
    model = lithe.loads("""
lithe: 1
gravity: [0, -9.81, 0]
links: {beam: {beam: {length: 1, EI: 0.3, mass: 1}}}
joints: {clamp: {revolute: z, from: ground, to: beam/root, actuated: true}}
""")
    with pytest.warns(lithe.ResultWarning, match="segments: "):
        rest = model.statics()
    assert not rest.trusted and rest.bending["beam"] > 0.5


def test_units_are_hinted_at():
    with pytest.warns(lithe.ResultWarning, match="60 rad is more than a turn; degrees are written 60 deg"):
        model = lithe.loads(ROD + "initial: {hinge: 60}\n")
    assert len(model.remarks.warnings) == 1
