"""Parameters of a model that has been read can be set: the model is read again."""

import lithe
import numpy as np
import pytest
from test_pickle import ARM, push


@pytest.fixture
def arm():
    return lithe.loads(ARM.replace("{table: {file: torque.csv}}", "'0.3*cos(t)'"))


def loaded(**values):
    return lithe.loads(ARM.replace("{table: {file: torque.csv}}", "'0.3*cos(t)'"), set=values)


def test_setting_is_loading_with_it(arm):
    parameters = arm.parameters
    assert isinstance(parameters, dict)
    parameters["mass"] = 0.7
    assert arm.parameters == parameters == {"length": 0.4, "mass": 0.7, "duration": 0.2}
    np.testing.assert_array_equal(arm.simulate().data, loaded(mass=0.7).simulate().data)
    arm.parameters.update(length=np.float64(0.3), duration="2*0.05")
    assert arm.run.until == pytest.approx(0.1)
    np.testing.assert_array_equal(arm.simulate().data, loaded(mass=0.7, length=0.3, duration=0.1).simulate().data)
    arm.parameters = {"mass": 0.2}
    assert arm.parameters["mass"] == 0.2 and arm.parameters["length"] == 0.3
    assert arm.simulate().parameters["mass"] == 0.2


def test_changes_in_python_stay(arm):
    arm.run.until = 0.13
    arm.gravity = [0, -1, 0]
    arm.record(frames=["arm/tip"])
    arm.drive("hinge", push)
    options = arm.run
    arm.parameters["length"] = 0.6
    assert arm.run.until == 0.13 and arm.run.every == 0.01
    other = loaded(length=0.6)
    other.gravity = [0, -1, 0]
    other.record(frames=["arm/tip"])
    other.drive("hinge", push)
    np.testing.assert_array_equal(arm.simulate().data, other.simulate(until=0.13).data)
    options.until = 0.05  # of the same model
    assert arm.simulate().t[-1] == pytest.approx(0.05)


def test_rigid_stays_rigid(arm):
    rigid = arm.rigid_twin()
    rigid.parameters["length"] = 0.5
    assert rigid.prepare().nv == 1


def test_what_is_refused(arm):
    before = arm.simulate().data.copy()
    with pytest.raises(lithe.ModelError, match="there is no parameter 'mas'; did you mean 'mass'?"):
        arm.parameters["mas"] = 1
    with pytest.raises(lithe.ModelError, match="mass"):
        arm.parameters["mass"] = -1
    with pytest.raises(TypeError, match=r"parameter 'mass' is a number, or an expression as text, not \[1, 2\]"):
        arm.parameters["mass"] = [1, 2]
    with pytest.raises(TypeError, match="cannot be taken away"):
        del arm.parameters["mass"]
    with pytest.raises(TypeError, match="cannot be taken away"):
        arm.parameters.clear()
    with pytest.raises(TypeError, match="lithe.Model.parameters is a dict, not 3"):
        arm.parameters = 3
    assert arm.parameters["mass"] == 0.3
    np.testing.assert_array_equal(arm.simulate().data, before)
    plain = arm.parameters.copy()
    plain["mass"] = 9
    assert arm.parameters["mass"] == 0.3
