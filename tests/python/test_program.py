"""The module and the program give the same numbers, bit by bit: the program prints all digits of every double."""

import lithe
import numpy as np
import pytest


def same(result, answer):
    data = answer["data"]
    assert set(result.columns) == set(data)
    for column in result.columns:
        np.testing.assert_array_equal(result[column], np.array(data[column]), err_msg=column)


@pytest.mark.parametrize("name", ["khan-3rrr", "flexible-3rrr"])
def test_inverse_dynamics(example, program, name):
    same(lithe.load(example(name)).inverse_dynamics(), program("inverse", example(name)))


def test_flexible_inverse_dynamics(example, program):
    result = lithe.load(example("flexible-3rrr")).inverse_dynamics(flexible=True, until=0.2)
    same(result, program("inverse", example("flexible-3rrr"), "--flexible", "--until", "0.2"))
    assert np.abs(result["q.crank-1.e1"]).max() > 0  # the links bend


@pytest.mark.parametrize("name", ["khan-3rrr", "flexible-3rrr"])
def test_kinematics(example, program, name):
    same(lithe.load(example(name)).kinematics(until=0.3), program("kinematics", example(name), "--until", "0.3"))


def test_simulation_of_the_rigid_robot(example, program):
    result = lithe.load(example("khan-3rrr")).simulate()
    same(result, program("simulate", example("khan-3rrr")))
    assert result.complete and len(result) == 301


def test_simulation_of_the_flexible_robot(example, program):
    result = lithe.load(example("flexible-3rrr")).simulate(until=0.2)
    same(result, program("simulate", example("flexible-3rrr"), "--until", "0.2"))


def test_rigid_twin_and_parameters(example, program):
    options = ("simulate", example("flexible-3rrr"), "--rigid", "--set", "swing=0.1", "--until", "0.2")
    result = lithe.load(example("flexible-3rrr"), rigid=True, set={"swing": 0.1}).simulate(until=0.2)
    same(result, program(*options))
    twin = lithe.load(example("flexible-3rrr"), set={"swing": "0.1"}).rigid_twin()
    np.testing.assert_array_equal(twin.simulate(until=0.2).data, result.data)


def test_run_options(example, program):
    options = ["--integrator", "rk4", "--step", "0.002", "--until", "0.1", "--every", "0.05", "--formulation", "denoc"]
    result = lithe.load(example("khan-3rrr")).simulate(
        integrator="rk4", step=0.002, until=0.1, every=0.05, formulation="denoc"
    )
    same(result, program("simulate", example("khan-3rrr"), *options))


@pytest.mark.parametrize("options, arguments", [({}, []), ({"at": 0.25}, ["--at", "0.25"])])
def test_modes(example, program, options, arguments):
    found = lithe.load(example("flexible-3rrr")).modes(**options)
    answer = program("modes", example("flexible-3rrr"), "--count", "100", *arguments)
    assert answer["coordinates"] == found.names
    assert len(answer["modes"]) == len(found) == 12
    for k, mode in enumerate(answer["modes"]):
        assert mode["frequency"] == found.frequencies[k]
        assert mode["damping_ratio"] == found.damping_ratios[k]
        assert [complex(*pole) for pole in mode["poles"]] == found.poles[k]
        assert mode.get("time_constants", []) == found.time_constants[k]
        assert [mode["shape"][name] for name in found.speeds] == list(found.speed_shapes[:, k])


def test_linearize(example, program):
    found = lithe.load(example("flexible-3rrr")).linearize(at=0.3)
    answer = program("linearize", example("flexible-3rrr"), "--at", "0.3")
    for name in "ABCD":
        np.testing.assert_array_equal(np.array(answer[name]).reshape(getattr(found, name).shape), getattr(found, name))
    for names, units, values in (
        ("states", "state_units", "x0"),
        ("inputs", "input_units", "u0"),
        ("outputs", "output_units", "y0"),
    ):
        assert [signal["name"] for signal in answer[names]] == getattr(found, names)
        assert [signal["unit"] for signal in answer[names]] == getattr(found, units)
        np.testing.assert_array_equal([signal["value"] for signal in answer[names]], getattr(found, values))
    np.testing.assert_array_equal([complex(*pole) for pole in answer["poles"]], found.poles)
    assert answer["motors"] == found.tau and answer["pose"] == found.pose and answer["t"] == found.t == 0.3
    second = answer["second_order"]
    assert second["coordinates"] == found.second_order.names and second["inputs"] == found.second_order.inputs
    for name in "MDKB":
        np.testing.assert_array_equal(np.array(second[name]), getattr(found.second_order, name))


CANTILEVER = """
lithe: 1
gravity: [0, -9.81, 0]
links:
  arm: {beam: {length: 1, mass: 0.5, EI: 30}, modes: {count: 3}}
joints:
  motor: {revolute: z, from: ground, to: arm/root, actuated: true}
"""


def test_statics(program, tmp_path):
    path = tmp_path / "cantilever.yaml"
    path.write_text(CANTILEVER)
    found = lithe.load(path).statics(frame="arm/tip")
    answer = program("statics", str(path), "--frame", "arm/tip")
    assert answer["stable"] and found.stable and answer["iterations"] == found.iterations
    assert answer["frames"]["arm/tip"]["displacement"] == list(found.displacement("arm/tip"))
    assert answer["frames"]["arm/tip"]["rotation"] == list(found.rotation("arm/tip"))
    assert answer["motors"] == found.tau
    # The motor carries the weight, 0.5 kg, and holds what it is said to hold.
    moment, force = np.split(found.reactions["motor"], 2)
    np.testing.assert_allclose(force, [0, 0.5 * 9.81, 0], atol=1e-12)
    np.testing.assert_allclose(moment, [0, 0, found.tau["motor"]], atol=1e-12)
    np.testing.assert_allclose(answer["reactions"]["motor"]["force"], force, atol=1e-11)
    np.testing.assert_allclose(answer["reactions"]["motor"]["moment"], moment, atol=1e-11)
    np.testing.assert_array_equal(np.array(answer["compliance"]), found.compliance)


def test_values_replaced_by_their_path(example, program):
    """A key of the file in place of a parameter, also in the model that a result carries."""
    path = "links.platform.rigid.mass"
    result = lithe.load(example("khan-3rrr"), set={path: 4}).inverse_dynamics(until=0.1)
    same(result, program("inverse", example("khan-3rrr"), "--set", f"{path}=4", "--until", "0.1"))
    assert list(result.replaced) == [path]
    np.testing.assert_array_equal(result.model().inverse_dynamics(until=0.1).data, result.data)


def test_results_on_disk(example, program, tmp_path):
    """HDF5 written by the module, and by the program, read back by the module."""
    mine, theirs = tmp_path / "mine.h5", tmp_path / "theirs.h5"
    result = lithe.load(example("khan-3rrr")).simulate(output=mine, csv=tmp_path / "mine.csv", until=0.2)
    program("simulate", example("khan-3rrr"), "--until", "0.2", "-o", str(theirs))
    for path in (mine, theirs):
        back = lithe.read(path)
        assert back.columns == result.columns
        np.testing.assert_array_equal(back.data, result.data)
        assert back.complete and back.audit.steps == result.audit.steps
        assert back.model().joints == lithe.load(example("khan-3rrr")).joints
    lines = (tmp_path / "mine.csv").read_text().splitlines()
    assert lines[0].split(",") == result.columns
    assert [float(x) for x in lines[-1].split(",")] == list(result.data[-1])
