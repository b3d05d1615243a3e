"""Paths of frames: what the model says of them, and the motors that follow."""

import lithe
import numpy as np
import pytest


def test_a_path_tells_where_it_is(example):
    """A circle of 0.1 m about (0, 0, 0.8): closed form at the half of its quintic timing."""
    model = lithe.load(example("stewart-platform"))
    place = model.path_at("platform", 1.0)
    np.testing.assert_allclose(place["position"], [-0.1, 0, 0.8], atol=1e-15)
    speed = 15 / 8 * 2 * np.pi * 0.1 / 2
    np.testing.assert_allclose(place["velocity"], [0, -speed, 0], atol=1e-14)
    np.testing.assert_allclose(place["acceleration"], [speed**2 / 0.1, 0, 0], atol=1e-13)
    # turned by 10 deg about z, then tilted by 8 deg about y
    c, s = np.cos(np.radians(10)), np.sin(np.radians(10))
    tilt, lean = np.cos(np.radians(8)), np.sin(np.radians(8))
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[tilt, 0, lean], [0, 1, 0], [-lean, 0, tilt]])
    np.testing.assert_allclose(place["rotation"], turned, atol=1e-15)


def test_legs_follow_the_path(example):
    model = lithe.load(example("stewart-platform"))
    result = model.kinematics(every=0.5)
    for row, t in enumerate(result["t"]):
        place = model.path_at("platform/origin", t)
        np.testing.assert_allclose([result[f"pos.platform.origin.{axis}"][row] for axis in "xyz"], place["position"],
                                   atol=1e-12)


def test_frames_without_a_path_are_refused(example):
    model = lithe.load(example("stewart-platform"))
    with pytest.raises(ValueError, match="frame 'tube-1' follows no path"):
        model.path_at("tube-1", 0)
