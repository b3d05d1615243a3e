"""Models, results and options travel to other processes and are copied."""

import concurrent.futures
import copy
import multiprocessing
import pickle

import lithe
import numpy as np
import pytest

ARM = """
lithe: 1
name: arm
parameters: {length: 0.4, mass: 0.3, duration: 0.2}
gravity: [0, -9.81, 0]
links:
  arm: {beam: {length: length, mass: mass, EI: 1.5}, modes: {count: 1, root: clamped}}
joints:
  hinge: {revolute: z, from: ground, to: arm/root, actuated: true}
drives: {hinge: {torque: {table: {file: torque.csv}}}}
run: {until: duration, every: 0.01}
"""


@pytest.fixture
def arm(tmp_path):
    """With an included file and a table, which are gone afterwards: a model carries what it needs."""
    (tmp_path / "base.yaml").write_text(ARM)
    (tmp_path / "torque.csv").write_text("t,torque\n0,0\n1,2\n")
    (tmp_path / "arm.yaml").write_text("lithe: 1\ninclude: base.yaml\nparameters: {mass: 0.35}\n")
    model = lithe.load(tmp_path / "arm.yaml", set={"length": 0.5})
    for file in tmp_path.iterdir():
        file.unlink()
    return model


def through_pickle(thing):
    return pickle.loads(pickle.dumps(thing))


COPIES = [through_pickle, copy.copy, copy.deepcopy]


def push(t, q, v):
    return 0.3 * np.cos(t) - 0.1 * v


class Integrator:
    def __init__(self):
        self.sum = 0.0

    def reset(self):
        self.sum = 0.0

    def __call__(self, t, q, v):
        self.sum += 0.01 * q[0]
        return [-4 * q[0] - 3 * self.sum]


@pytest.mark.parametrize("copied", COPIES)
def test_model_is_the_same(arm, copied):
    arm.run.until = 0.15
    arm.run.integrator = "dopri"
    arm.gravity = [0, -1.62, 0]
    arm.damping_ratio = 0.02
    arm.name = "arm on the moon"
    arm.record(frames=["arm/tip"], momentum=True)
    other = copied(arm)
    assert other is not arm and other.name == "arm on the moon"
    assert other.parameters == arm.parameters == {"length": 0.5, "mass": 0.35, "duration": 0.2}
    assert (other.text, other.files, other.path) == (arm.text, arm.files, arm.path)
    assert other.damping_ratio == 0.02 and other.run.integrator == "dopri"
    one, two = arm.simulate(), other.simulate()
    assert one.columns == two.columns and "pos.arm.tip.x" in two and "momentum.x" in two
    np.testing.assert_array_equal(one.data, two.data)
    other.gravity = [0, 0, 0]
    assert arm.gravity[1] == -1.62


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("rigid", [False, True])
def test_rigid_twin_stays_rigid(arm, copied, rigid):
    model = arm.rigid_twin() if rigid else arm
    assert copied(model).prepare().nv == (1 if rigid else 2)


@pytest.mark.parametrize("copied", COPIES)
def test_drives_in_python(arm, copied):
    arm.drive("hinge", push)
    one = arm.simulate()
    np.testing.assert_array_equal(one.data, copied(arm).simulate().data)
    arm.control(push)
    np.testing.assert_allclose(copied(arm).simulate()["q.hinge"], one["q.hinge"], rtol=1e-9, atol=1e-12)
    arm.control(Integrator(), sample=0.01, limit=1.5, delay=0.001)
    one, two = arm.simulate(), copied(arm).simulate()
    assert one.columns == two.columns and "control.python-1.hinge" in two
    np.testing.assert_array_equal(one.data, two.data)
    arm.control(None)
    assert abs(copied(arm).simulate()["tau.hinge"]).max() == 0


def test_deep_copies_have_their_own_memory(arm):
    law = Integrator()
    arm.control(law, sample=0.01)
    copy.deepcopy(arm).simulate()
    assert law.sum == 0.0
    copy.copy(arm).simulate()
    assert law.sum != 0.0


@pytest.mark.parametrize("give", ["drive", "control", "sampled"])
def test_law_that_cannot_be_pickled_is_named(arm, give):
    if give == "drive":
        arm.drive("hinge", lambda t, q, v: 0.0)
    else:
        arm.control(lambda t, q, v: 0 * q, sample=0.01 if give == "sampled" else None)
    who = "the law of joint 'hinge'" if give == "drive" else "the controller of 'hinge'"
    with pytest.raises(TypeError, match=who + " cannot be pickled: .*lambda.*; use a function at the top level"):
        pickle.dumps(arm)


def test_replaced_controllers_leave_nothing_behind(arm):
    for _ in range(3):
        arm.control(Integrator(), sample=0.01)
    columns = arm.simulate().columns
    assert "control.python-1.hinge" in columns and "control.python-2.hinge" not in columns
    with pytest.raises(ValueError, match="nothing to drive"):
        lithe.loads(ARM.replace(", actuated: true", "").replace("drives", "#"), path="x").control(push)


@pytest.mark.parametrize("copied", COPIES)
def test_results_options_audits(arm, copied):
    arm.run.rtol = 1e-5
    result = arm.simulate(integrator="bdf")
    other = copied(result)
    np.testing.assert_array_equal(other.data, result.data)
    for name in ("columns", "outcome", "complete", "trusted", "model_name", "model_text", "flattened", "parameters"):
        assert getattr(other, name) == getattr(result, name), name
    np.testing.assert_array_equal(other.model().simulate(integrator="bdf", rtol=1e-5).data, result.data)
    audit = copied(result.audit)
    for name in ("steps", "evaluations", "worst_closure", "bending", "motors", "events", "notes", "warnings", "distrust"):
        assert getattr(audit, name) == getattr(result.audit, name), name
    assert audit.steps > 0 and audit.motors["hinge"]["peak_torque"] > 0
    run = copied(arm.run)
    assert run.rtol == 1e-5 and run.until == 0.2 and run.integrator == arm.run.integrator
    run.until = 3
    assert arm.run.until == 0.2


@pytest.mark.parametrize("copied", COPIES)
def test_answers_of_analyses(arm, copied):
    modes, statics, robot = arm.modes(), arm.statics(frame="arm/tip"), arm.prepare()
    np.testing.assert_array_equal(copied(modes).frequencies, modes.frequencies)
    np.testing.assert_array_equal(copied(modes).shapes, modes.shapes)
    np.testing.assert_array_equal(copied(statics).compliance, statics.compliance)
    np.testing.assert_array_equal(copied(statics).displacement("arm/tip"), statics.displacement("arm/tip"))
    np.testing.assert_array_equal(copied(robot.frame_pose("arm/tip")).matrix, robot.frame_pose("arm/tip").matrix)
    assert copied(robot.energy()).potential == robot.energy().potential
    assert copied(robot.mobility()).mobility == 1


def test_errors_travel(tmp_path):
    with pytest.raises(lithe.ModelError) as caught:
        lithe.loads("lithe: 1\nlynks: {}\n")
    other = through_pickle(caught.value)
    assert str(other) == str(caught.value) and other.diagnostics[0].key == caught.value.diagnostics[0].key


def last_angle(model):
    return model.simulate()["q.hinge"][-1]


def variant(model, mass):
    model.parameters["mass"] = mass
    return model.simulate(until=0.1)


def fails(model):
    return model.frames_that_do_not_exist


def test_process_pools(arm):
    wanted = last_angle(arm)
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(2) as pool:
        assert pool.map(last_angle, [arm, arm]) == [wanted, wanted]
    masses = [0.2, 0.4]
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=spawn) as pool:
        results = list(pool.map(variant, [arm, arm], masses))
        with pytest.raises(AttributeError):
            pool.submit(fails, arm).result()
    for mass, result in zip(masses, results):
        assert result.parameters["mass"] == mass
        np.testing.assert_array_equal(result.data, variant(arm.copy(), mass).data)


def test_pickles_of_something_else():
    blank = lithe.Model.__new__(lithe.Model)
    with pytest.raises(ValueError, match="this pickle is no model of Lithe .*make it again"):
        blank.__setstate__((1, 2))
