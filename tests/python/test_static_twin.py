"""Statics is exact for the finite elements of a link, whatever modes it keeps."""

import math

import numpy as np
import pytest

import lithe

TUBE = """
lithe: 1
materials: {{steel: {{young: 2e11, density: 7800}}}}
links:
  arm:
    beam: {{length: 0.8, material: steel, section: {{tube: {{radius: 0.02, thickness: 0.002}}}}, theory: euler-bernoulli}}
    frames: {{middle: 0.4}}
    {modes}
joints:
  motor: {{revolute: z, from: ground, to: arm/root, actuated: true}}
"""


@pytest.mark.parametrize("modes", ["", "modes: auto", "modes: {count: 1}"])
@pytest.mark.parametrize("frame, at", [("arm/tip", 0.8), ("arm/middle", 0.4)])
def test_cantilever_tube(tmp_path, modes, frame, at):
    """Closed forms: L/EA, L^3/3EI, L/GJ, at a frame that loads and modes know nothing of as well."""
    path = tmp_path / "tube.yaml"
    path.write_text(TUBE.format(modes=modes))
    model = lithe.load(path)
    found = model.statics(frame=frame)
    area, second = math.pi * (0.02**2 - 0.018**2), math.pi * (0.02**4 - 0.018**4) / 4
    young, shear = 2e11, 2e11 / 2.6
    expected = {
        (0, 0): at / (shear * 2 * second),
        (2, 2): at / (young * second),
        (3, 3): at / (young * area),
        (4, 4): at**3 / (3 * young * second),
        (5, 5): at**3 / (3 * young * second),
    }
    for place, value in expected.items():
        assert found.compliance[place] == pytest.approx(value, rel=1e-6)


def test_coordinates_are_those_of_the_model(tmp_path):
    """The residual shapes of statics do not show: q and the names fit the model."""
    path = tmp_path / "tube.yaml"
    path.write_text(TUBE.format(modes="modes: {count: 2}"))
    model = lithe.load(path)
    found = model.statics()
    assert set(found.coordinates) == {"motor", "arm.e1", "arm.e2"}
    assert len(found.q) == 3
    np.testing.assert_array_equal(found.q, 0.0)
