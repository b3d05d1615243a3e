"""Linear models from Python, and the MAT-files that they write, read by the description of the format alone."""

import struct

import lithe
import numpy as np
import pytest

PENDULUM = """
lithe: 1
name: pendulum
gravity: [0, -9.81, 0]
links: {arm: {rigid: {mass: 2, centre: [0, -0.5, 0]}, frames: {bob: [0, -0.5, 0]}}}
joints: {hinge: {revolute: z, from: ground, to: arm, actuated: true}}
initial: {hinge: 0.7}
loads: {push: {at: arm/bob, force: [1, 0, 0]}}
record: [coordinates, frames: [arm/bob]]
"""


def read_mat(path):
    """Variables of a MAT-file of level 5: matrices of numbers, texts and lists of texts."""
    data = path.read_bytes()
    assert data[:19] == b"MATLAB 5.0 MAT-file" and data[124:128] == b"\x00\x01IM"

    def element(at):
        kind, size = struct.unpack_from("<II", data, at)
        return kind, data[at + 8 : at + 8 + size], at + 8 + (size + 7) // 8 * 8

    def array(at):
        kind, body, end = element(at)
        assert kind == 14 and end - at == 8 + len(body)
        at += 8
        _, flags, at = element(at)
        _, shape, at = element(at)
        _, name, at = element(at)
        shape = struct.unpack("<ii", shape)
        flags = struct.unpack("<II", flags)[0]
        kind = flags & 0xFF
        if kind == 1:  # cells
            cells = []
            for _ in range(shape[0] * shape[1]):
                (_, cell), at = array(at)
                cells.append(cell)
            return (name.decode(), cells), end
        _, body, at = element(at)
        if kind == 4:
            return (name.decode(), body.decode("utf-16-le")), end
        values = np.frombuffer(body, "<f8")
        if flags & 0x0800:
            _, body, at = element(at)
            values = values + 1j * np.frombuffer(body, "<f8")
        return (name.decode(), values.reshape(shape, order="F")), end

    variables, at = {}, 128
    while at < len(data):
        (name, value), at = array(at)
        variables[name] = value
    return variables


def test_pendulum_held_at_an_angle():
    """J = m l^2 = 0.5; A = -(g/l) cos, B = 1/J and l cos / J, tau = m g l sin - l cos (the load)."""
    linear = lithe.loads(PENDULUM).linearize()
    assert linear.states == ["q.hinge", "v.hinge"] and linear.state_units == ["rad", "rad/s"]
    assert linear.inputs == ["tau.hinge", "load.push.force.x", "load.push.force.y", "load.push.moment.z"]
    assert linear.input_units == ["N m", "N", "N", "N m"] and linear.u0[1] == 1
    expected = -9.81 / 0.5 * np.cos(0.7) - 0.5 * np.sin(0.7) / 0.5  # the load turns the arm less as it rises
    np.testing.assert_allclose(linear.A, [[0, 1], [expected, 0]], atol=1e-8)
    np.testing.assert_allclose(linear.B[1, :2], [2, np.cos(0.7)], rtol=1e-10)
    assert linear.tau["hinge"] == pytest.approx(9.81 * np.sin(0.7) - 0.5 * np.cos(0.7), rel=1e-10)
    assert linear.pose["hinge"] == linear.given["hinge"] == 0.7
    assert linear.warnings == [] and not linear.moving
    np.testing.assert_allclose(sorted(linear.poles.real**2 - linear.poles.imag**2), [expected] * 2, rtol=1e-8)
    place = linear.outputs.index("pos.arm.bob.x")
    assert linear.C[place, 0] == pytest.approx(0.5 * np.cos(0.7), rel=1e-9)
    only = lithe.loads(PENDULUM).linearize(outputs=["pos.*.x"])
    assert only.outputs == ["pos.arm.bob.x"] and only.output_units == ["m"] and only.D.shape == (1, 4)


def test_free_motors_and_both():
    free = lithe.loads(PENDULUM).linearize(free=True)
    assert len(free.warnings) == 1 and "the motors are free" in free.warnings[0]
    assert free.pose["hinge"] == pytest.approx(np.arctan(0.5 / 9.81), rel=1e-9)
    with pytest.raises(ValueError, match="free and locked contradict each other"):
        lithe.loads(PENDULUM).linearize(free=True, locked=True)
    with pytest.raises(lithe.ModelError, match="did you mean 'q.hinge'"):
        lithe.loads(PENDULUM).linearize(outputs=["q.hinje"])


def test_mat_file(example, tmp_path):
    linear = lithe.load(example("flexible-3rrr")).linearize(at=0.2)
    linear.save_mat(tmp_path / "robot.mat")
    found = read_mat(tmp_path / "robot.mat")
    for name in ("A", "B", "C", "D"):
        np.testing.assert_array_equal(found[name], getattr(linear, name))
    for name in ("states", "inputs", "outputs"):
        assert found[name] == getattr(linear, name)
    for name in ("x0", "u0", "y0", "dx0", "poles"):
        np.testing.assert_array_equal(found[name][:, 0], getattr(linear, name))
    assert found["t"][0, 0] == 0.2 and found["model"] == lithe.load(example("flexible-3rrr")).name
    assert found["state_units"][-1] == "m sqrt(kg)/s"
