"""Many states at once, and exact derivatives: against single states and against differences."""

from pathlib import Path

import lithe
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
MOTORS = ["motor-1", "motor-2", "motor-3"]


def placed(robot, angle):
    robot.assemble(q=dict(zip(MOTORS, (angle, 4.1, 5.8))), v=dict(zip(MOTORS, (0.4, -0.3, 0.2))))


@pytest.fixture
def robot(example):
    return lithe.load(example("khan-3rrr")).prepare()


@pytest.fixture
def states(robot):
    """Ten states with forces, and their accelerations one by one."""
    q, v, tau, a = [], [], [], []
    for angle in np.linspace(1.1, 1.3, 10):
        placed(robot, angle)
        q.append(robot.q.copy())
        v.append(robot.v.copy())
        tau.append([angle, -0.2, 0.1])
        a.append(robot.forward_dynamics(tau[-1]))
    return np.array(q), np.array(v), np.array(tau), np.array(a)


def test_batches_are_their_states(robot, states):
    q, v, tau, a = states
    for threads in (1, 2, 3):
        np.testing.assert_allclose(robot.forward_batch(q, v, tau, threads=threads), a, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(robot.forward_batch(q, v, tau), robot.forward_batch(q, v, tau, threads=2))
    # The motors are the independent speeds here: forces for the motion are the motors' forces.
    assert list(robot.independent) == list(robot.actuated)
    np.testing.assert_allclose(robot.inverse_batch(q, v, a), tau, atol=1e-10)
    rotations, positions = robot.poses_batch(q, ["platform/centre", "ground"])
    assert rotations.shape == (10, 2, 3, 3) and positions.shape == (10, 2, 3)
    for i, angle in enumerate(np.linspace(1.1, 1.3, 10)):
        placed(robot, angle)
        pose = robot.frame_pose("platform/centre")
        np.testing.assert_allclose(positions[i, 0], pose.position, atol=1e-14)
        np.testing.assert_allclose(rotations[i, 0], pose.matrix[:3, :3], atol=1e-14)


def test_without_forces_and_with_other_layouts(robot, states):
    q, v, _, _ = states
    placed(robot, 1.1)
    np.testing.assert_allclose(robot.forward_batch(np.asfortranarray(q), v.tolist())[0], robot.forward_dynamics())


def test_wrong_shapes_are_named(robot, states):
    q, v, tau, _ = states
    with pytest.raises(ValueError, match="v has one row per state with 7 entries each, and as many rows as q"):
        robot.forward_batch(q, v[:5], tau)
    with pytest.raises(ValueError, match="tau has one row per state with 3 entries"):
        robot.forward_batch(q, v, tau[:, :2])
    with pytest.raises(ValueError, match="threads is at least 1"):
        robot.forward_batch(q, v, threads=0)
    with pytest.raises(ValueError, match="failed is 'raise' or 'nan', not 'ignore'"):
        robot.forward_batch(q, v, failed="ignore")


def test_a_state_that_fails_is_named_or_left_out(robot, states):
    q, v, tau, a = states
    q[6, 0] = np.nan
    with pytest.raises(lithe.PhysicsError, match="state 6: "):
        robot.forward_batch(q, v, tau)
    partly = robot.forward_batch(q, v, tau, failed="nan")
    assert np.isnan(partly[6]).all()
    np.testing.assert_allclose(np.delete(partly, 6, 0), np.delete(a, 6, 0), rtol=1e-10, atol=1e-10)


def test_derivatives_equal_differences(robot):
    """Central differences along the motors' coordinates and speeds: h^2 and rounding leave 1e-6."""
    tau, h = np.array([0.5, -0.2, 0.1]), 1e-5
    angles, rates = np.array([1.2, 4.1, 5.8]), np.array([0.4, -0.3, 0.2])

    def accelerations(at, speed, force):
        robot.assemble(q=dict(zip(MOTORS, at)), v=dict(zip(MOTORS, speed)))
        return robot.forward_dynamics(force)

    accelerations(angles, rates, tau)
    slopes = robot.forward_derivatives(tau)
    columns = [MOTORS.index(name) for name in robot.independent]
    for j, motor in enumerate(columns):
        step = h * np.eye(3)[motor]
        by_position = (accelerations(angles + step, rates, tau) - accelerations(angles - step, rates, tau)) / (2 * h)
        by_speed = (accelerations(angles, rates + step, tau) - accelerations(angles, rates - step, tau)) / (2 * h)
        np.testing.assert_allclose(slopes.by_position[:, j], by_position, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(slopes.by_speed[:, j], by_speed, rtol=1e-5, atol=1e-5)
    a = accelerations(angles, rates, tau)
    inverse = robot.inverse_derivatives(a, tau)
    np.testing.assert_allclose(inverse.by_acceleration, robot.mass_matrix(), rtol=1e-12)
    # M da/dtau = 1 on the motors.
    independent = [robot.index(name) for name in robot.independent]
    np.testing.assert_allclose(inverse.by_acceleration @ slopes.by_force[independent], np.eye(3), atol=1e-10)
    np.testing.assert_allclose(inverse.by_acceleration @ slopes.by_position[independent], -inverse.by_position, atol=1e-9)


PENDULUM = """
lithe: 1
name: bob on a rod
gravity: [0, -9.81, 0]
parameters: {bob: 0.7, length: 0.4}
links: {rod: {rigid: {mass: bob, centre: [length, 0, 0], inertia: [0, 0, 0]}}}
joints: {pivot: {revolute: z, from: ground, to: rod, actuated: true}}
initial: {pivot: 0.5}
run: {until: 1}
"""


def test_derivatives_by_parameters_are_the_closed_form():
    """m l^2 a = tau - m g l cos(angle), by hand."""
    robot = lithe.loads(PENDULUM).prepare()
    slopes = robot.forward_derivatives([0.3], parameters=["bob", "length"])
    mass, length, g, cosine = 0.7, 0.4, 9.81, np.cos(0.5)
    expected = [-0.3 / (mass * length) ** 2, -2 * 0.3 / (mass * length**3) + g * cosine / length**2]
    np.testing.assert_allclose(slopes.by_parameter, [expected], rtol=1e-10)
    inverse = robot.inverse_derivatives([2.0], [0.3], parameters=["bob"])
    np.testing.assert_allclose(inverse.by_parameter, [[2.0 * length**2 + g * length * cosine]], rtol=1e-10)
    with pytest.raises(lithe.ModelError, match="the model has no parameter 'lenght'; did you mean 'length'"):
        robot.forward_derivatives([0.3], parameters=["lenght"])


WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def eighth_order(f, h):
    """Slope at zero; the error is of the order h^8."""
    return sum(w * (f(h * (i + 1)) - f(-h * (i + 1))) for i, w in enumerate(WEIGHTS)) / h


def difference(f, h):
    """The same with a step that half of it confirms, or None."""
    coarse = eighth_order(f, h)
    for _ in range(6):
        h /= 2
        fine = eighth_order(f, h)
        if np.abs(fine - coarse).max() <= 1e-9 * max(np.abs(fine).max(), 1e-6):
            return fine
        coarse = fine
    return None


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_derivatives_of_every_example(path):
    """Along one random direction each of coordinates, speeds and forces, at random speeds and forces."""
    robot = lithe.load(str(path)).prepare()
    if not robot.independent:
        pytest.skip("nothing moves")
    random = np.random.default_rng(7)
    robot.v[:] = 0.3 * random.standard_normal(robot.v.size) * [1e-2 if "." in name else 1.0 for name in robot.speeds]
    robot.complete_speeds()
    tau = random.standard_normal(len(robot.actuated))
    try:
        slopes = robot.forward_derivatives(tau)
    except lithe.PhysicsError as refused:
        pytest.skip(str(refused))
    q, v = robot.q.copy(), robot.v.copy()
    free = [robot.index(name) for name in robot.independent]
    elastic = np.array(["." in name for name in robot.independent])  # as in arm.e1
    scale = np.where(elastic, 1e-3, 1.0)  # elastic coordinates are small
    along, forces = scale * random.standard_normal(len(free)), random.standard_normal(tau.size)

    def accelerations(position, speed, force):
        robot.q[:], robot.v[:] = q, v
        if position != 0.0:
            robot.q[free] += position * along
            robot.project()
        robot.v[free] = v[free] + speed * along
        robot.complete_speeds()
        return robot.forward_dynamics(tau + force * forces)

    found = {
        "speeds": (slopes.by_speed @ along, difference(lambda h: accelerations(0, h, 0), 0.1)),
        "forces": (slopes.by_force @ forces, difference(lambda h: accelerations(0, 0, h), 1.0)),
    }
    if robot.q.size == robot.v.size:  # rotations in space move otherwise; the properties of the library have them
        found["coordinates"] = (slopes.by_position @ along, difference(lambda h: accelerations(h, 0, 0), 2e-3))
    for name, (exact, expected) in found.items():
        if expected is not None:
            assert np.abs(exact - expected).max() <= 1e-8 * max(np.abs(expected).max(), 1e-6), name
    assert any(expected is not None for _, expected in found.values())
