"""Maps over a grid of poses."""

import numpy as np
import pytest

import lithe

GANTRY = """
lithe: 1
links: {bridge: {rigid: {mass: 3}}, carriage: {rigid: {mass: 2}}}
joints:
  x: {prismatic: x, from: ground, to: bridge, actuated: true, stops: {lower: -0.25, upper: 0.25}}
  y: {prismatic: y, from: bridge, to: carriage, actuated: true}
"""
AXES = {"pos.carriage.x": (-0.4, 0.4, 9), "pos.carriage.y": (0.0, 1.0, 5)}


def test_gantry_is_a_rectangle(tmp_path):
    found = lithe.loads(GANTRY).map(AXES, what=["condition", "torque"], acceleration=2.0)
    assert found.reached.shape == (5, 9)  # the last axis first
    x = found.axes["pos.carriage.x"]
    assert np.array_equal(found.reached, np.tile(np.abs(x) < 0.25, (5, 1)))
    # Masses of 5 kg along x and 2 kg along y.
    assert found["torque.x"][2, 4] == pytest.approx(10.0)
    assert found["torque.y"][2, 4] == pytest.approx(4.0)
    assert np.isnan(found["torque.x"][0, 0])
    assert found.units["torque.x"] == "N" and found.units["pos.carriage.x"] == "m"
    assert {line.kind for line in found.boundaries} == {"stop"}
    assert sorted(round(line.x[0], 9) for line in found.boundaries) == [-0.25, 0.25]
    found.save(tmp_path / "map.h5")
    assert (tmp_path / "map.h5").stat().st_size > 0
    assert found.csv().startswith("pos.carriage.x,pos.carriage.y,point,condition,dexterity,torque.x,torque.y\n")


def test_bad_input_is_named():
    model = lithe.loads(GANTRY)
    with pytest.raises(lithe.ModelError, match="a map has no quantity 'torqe'; did you mean 'torque'"):
        model.map(AXES, what=["torqe"])
    with pytest.raises(lithe.ModelError, match="did you mean 'dexterity'"):
        model.map(AXES, what=["condition"])["dexterety"]
