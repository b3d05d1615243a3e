"""lithe.convert: the same as the program's verb."""

import pathlib

import pytest

import lithe

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


def test_converted_robot_is_a_model():
    conversion = lithe.convert(EXAMPLES / "urdf/palletiser.urdf", side=EXAMPLES / "urdf/palletiser-side.yaml")
    model = lithe.loads(conversion.text, path=str(EXAMPLES / "urdf/palletiser.yaml"))
    assert len(model.joints) == conversion.joints
    assert len(model.links) == conversion.links + 1  # the ground


def test_errors_name_the_file():
    with pytest.raises(lithe.ModelError, match="no-such.urdf"):
        lithe.convert("no-such.urdf")
