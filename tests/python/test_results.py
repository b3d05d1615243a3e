"""What a result says about itself, and what it carries."""

import os
import warnings

import lithe
import numpy as np
import pytest

ARM = """lithe: 1
include: part.yaml
joints: {hinge: {revolute: z, from: ground, to: arm/root, actuated: true}}
drives: {hinge: {torque: {table: {file: torque.csv}}}}
run: {until: 0.05, every: 0.01}
"""
PART = """lithe: 1
parameters: {EI: 1}
links: {arm: {beam: {length: 0.5, mass: 0.2, EI: EI}, modes: {count: 2, root: clamped}}}
"""


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "arm.yaml").write_text(ARM)
    (tmp_path / "part.yaml").write_text(PART)
    (tmp_path / "torque.csv").write_text("t,torque\n0,0\n1,2\n")
    return tmp_path / "arm.yaml"


def test_a_run_that_is_not_to_be_trusted_warns(example, tmp_path):
    """Half a millisecond is beyond the stability limit of RK4 here: the energy balance is lost."""
    model = lithe.load(example("7r-chain"))
    with pytest.warns(lithe.ResultWarning, match="do not trust this motion"):
        result = model.simulate(integrator="rk4", step=5e-4, output=tmp_path / "run.h5")
    assert result.complete and not result.trusted and not result.audit.trusted
    again = lithe.read(tmp_path / "run.h5")
    assert again.audit.distrust == result.audit.distrust and not again.trusted
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.simulate(until=0.01).trusted


def test_result_carries_its_model(arm):
    result = lithe.load(arm, set={"EI": 3}).simulate(output=arm.with_name("run.h5"))
    for name in ("arm.yaml", "part.yaml", "torque.csv"):
        os.remove(arm.with_name(name))
    carried = lithe.read(arm.with_name("run.h5"))
    assert "EI: 3" in carried.flattened and "include" not in carried.flattened
    assert np.array_equal(carried.model().simulate().data, result.data)


def test_outputs_never_replace_inputs(arm):
    model = lithe.load(arm)
    assert sorted(map(os.path.basename, model.files)) == ["arm.yaml", "part.yaml", "torque.csv"]
    for name in ("arm.yaml", "part.yaml", "torque.csv"):
        before = arm.with_name(name).read_bytes()
        with pytest.raises(lithe.ResultsError, match="that is being read"):
            model.simulate(csv=arm.with_name(name))
        assert arm.with_name(name).read_bytes() == before


def test_reading_has_remarks(example):
    assert lithe.load(example("khan-3rrr")).remarks.trusted
