"""Single states: kinematics and dynamics against closed forms and each other."""

from pathlib import Path

import lithe
import numpy as np
import pytest
import yaml

MOTORS = ["motor-1", "motor-2", "motor-3"]


@pytest.fixture
def robot(example):
    prepared = lithe.load(example("khan-3rrr")).prepare()
    prepared.assemble(q=dict(zip(MOTORS, (1.2, 4.1, 5.8))), v=dict(zip(MOTORS, (0.4, -0.3, 0.2))))
    return prepared


def test_two_link_arm_in_closed_form():
    """Two slender rods: textbook kinematics, mass matrix and gravity torques."""
    l1, l2, m1, m2, g = 0.5, 0.4, 2.0, 1.5, 9.81
    rod = lambda length, mass: {
        "rod": {"from": [0, 0], "to": [length, 0], "mass": mass},
        "frames": {"tip": [length, 0]},
    }
    arm = lithe.Model.from_dict(
        {
            "lithe": 1,
            "name": "arm",
            "gravity": np.array([0, -g, 0]),
            "links": {"upper": rod(l1, m1), "fore": rod(np.float64(l2), m2)},
            "joints": {
                "shoulder": {"revolute": "z", "from": "ground", "to": "upper", "actuated": True},
                "elbow": {"revolute": "z", "from": "upper/tip", "to": "fore", "actuated": True},
            },
        }
    ).prepare()
    a, b, va, vb = 0.3, 0.7, 1.1, -0.6
    arm.assemble(q={"shoulder": a, "elbow": b}, v={"shoulder": va, "elbow": vb})
    tip = arm.frame_pose("fore/tip")
    np.testing.assert_allclose(
        tip.position, [l1 * np.cos(a) + l2 * np.cos(a + b), l1 * np.sin(a) + l2 * np.sin(a + b), 0], atol=1e-15
    )
    np.testing.assert_allclose(tip.rotation_vector, [0, 0, a + b], atol=1e-15)
    np.testing.assert_allclose(tip.matrix[:3, 3], tip.position)
    np.testing.assert_allclose(
        arm.frame_velocity("fore/tip"),
        [
            *(0, 0, va + vb),
            -l1 * np.sin(a) * va - l2 * np.sin(a + b) * (va + vb),
            l1 * np.cos(a) * va + l2 * np.cos(a + b) * (va + vb),
            0,
        ],
        atol=1e-15,
    )
    np.testing.assert_allclose(arm.frame_jacobian("fore/tip") @ arm.v, arm.frame_velocity("fore/tip"), atol=1e-15)
    i1, i2 = m1 * l1**2 / 12, m2 * l2**2 / 12
    coupling = m2 * l1 * l2 / 2 * np.cos(b)
    m22 = i2 + m2 * l2**2 / 4
    mass = np.array([[i1 + m1 * l1**2 / 4 + m2 * l1**2 + m22 + 2 * coupling, m22 + coupling], [m22 + coupling, m22]])
    assert arm.independent == ["shoulder", "elbow"] == arm.speeds
    np.testing.assert_allclose(arm.mass_matrix(), mass, rtol=1e-14)
    np.testing.assert_allclose(arm.tree_mass_matrix(), mass, rtol=1e-14)
    assert arm.energy().kinetic == pytest.approx(0.5 * arm.v @ mass @ arm.v, rel=1e-14)
    arm.v = np.zeros(2)
    holding = [
        g * (m1 * l1 / 2 * np.cos(a) + m2 * (l1 * np.cos(a) + l2 / 2 * np.cos(a + b))),
        g * m2 * l2 / 2 * np.cos(a + b),
    ]
    np.testing.assert_allclose(arm.inverse_dynamics().tau, holding, rtol=1e-14)
    np.testing.assert_allclose(arm.forward_dynamics(holding), 0, atol=1e-12)


def test_closures_and_complement(robot):
    assert robot.closure_error() < 1e-12 and robot.planar
    assert robot.mobility().mobility == 3 and len(robot.loops) == 2
    np.testing.assert_allclose(robot.closure_jacobian() @ robot.complement(), 0, atol=1e-14)
    independent = [robot.index(name) for name in robot.independent]
    np.testing.assert_allclose(robot.complement() @ robot.v[independent], robot.v, atol=1e-14)
    # The three legs meet at the platform: the cut ankles have the angles that close the triangle of frames.
    everything = robot.coordinates()
    angles = [everything[f"motor-{k}"] + everything[f"knee-{k}"] + everything[f"ankle-{k}"] for k in (1, 2, 3)]
    platform = robot.frame_pose("platform/centre").rotation_vector[2]
    for angle, offset in zip(angles, np.radians([30, 150, -90])):
        assert abs(np.remainder(angle - offset - platform + np.pi, 2 * np.pi) - np.pi) < 1e-12


def test_inverse_is_the_inverse_of_forward(robot):
    a = robot.accelerations({"motor-1": 1.0, "motor-2": 0.5, "motor-3": -2.0})
    forces = robot.inverse_dynamics(a)
    assert forces.residual < 1e-9 and forces.redundancy == 0
    np.testing.assert_allclose(robot.forward_dynamics(forces.tau), a, rtol=1e-10)
    by_name = dict(zip(robot.actuated, forces.tau))
    for formulation in ("noc", "denoc", "multipliers", "partitioning"):
        np.testing.assert_allclose(robot.forward_dynamics(by_name, formulation=formulation), a, rtol=1e-9)


def test_power_balance(robot):
    """Rate of the energy = power of the motors, by a central difference along the motion."""
    tau = np.array([3.0, -2.0, 1.0])
    a = robot.forward_dynamics(tau)
    motors = [robot.index(name) for name in MOTORS]
    power = tau @ robot.v[motors]
    q, v, h = robot.q.copy(), robot.v.copy(), 1e-4
    energies = []
    for step in (h, -h):
        robot.q, robot.v = q + step * v + step**2 / 2 * a, v + step * a
        robot.project()
        robot.complete_speeds()
        energies.append(robot.energy().kinetic + robot.energy().potential)
    # The difference quotient errs by h^2 times the third derivative of the energy, of order 1e3 W/s^2 here.
    assert (energies[0] - energies[1]) / (2 * h) == pytest.approx(power, abs=1e-4)


def test_loads(robot):
    """Hanging a load on the platform changes the motor torques by the transposed Jacobian."""
    jacobian = robot.frame_jacobian("platform/centre") @ robot.complement()
    bare = robot.inverse_dynamics().tau
    force, moment = np.array([3.0, -20.0, 0]), np.array([0, 0, 1.5])
    loaded = robot.inverse_dynamics(loads={"tool": {"force": force, "moment": moment}}).tau
    np.testing.assert_allclose(loaded - bare, -jacobian.T @ np.concatenate([moment, force]), rtol=1e-10)
    with pytest.raises(lithe.ModelError, match="there is no load 'tol'; did you mean 'tool'?"):
        robot.inverse_dynamics(loads={"tol": {"force": force}})
    with pytest.raises(ValueError, match="a load has 'force' and 'moment', not 'torque'"):
        robot.inverse_dynamics(loads={"tool": {"torque": force}})


def test_load_along_a_link():
    """A beam of 2 m on a motor: the torque carries w L^2/2, and of a load that grows from zero w L^2/3."""
    text = """
    lithe: 1
    links: {boom: {beam: {length: 2, EI: 1e6, mass: 1}}}
    joints: {motor: {revolute: z, from: ground, to: boom/root, actuated: true}}
    loads: {wind: {along: boom, force: [0, -3]}}
    """
    model = lithe.loads(text)
    assert model.loads == ["wind"]
    boom = model.prepare()
    assert boom.inverse_dynamics().tau[0] == pytest.approx(3 * 2, rel=1e-12)
    growing = {"wind": {"force": (0, 0, 0), "end": (0, -3, 0)}}
    assert boom.inverse_dynamics(loads=growing).tau[0] == pytest.approx(3 * 4 / 3, rel=1e-12)
    uniform = {"wind": {"force": (0, -1, 0)}}
    assert boom.inverse_dynamics(loads=uniform).tau[0] == pytest.approx(2, rel=1e-12)
    with pytest.raises(ValueError, match="a load along a link has 'force' and 'end', not 'moment'"):
        boom.inverse_dynamics(loads={"wind": {"moment": (0, 0, 1)}})


def test_reactions_carry_the_weight(example):
    """At rest the forces of the ground on the cranks add up to the weight of the robot."""
    robot = lithe.load(example("khan-3rrr")).prepare()
    robot.v = np.zeros(robot.nv)
    reactions = robot.reactions(np.zeros(robot.nv), robot.inverse_dynamics().tau)
    total = sum(reactions[motor][3:] for motor in MOTORS)
    np.testing.assert_allclose(total, [0, 9.81 * (3 * 3 + 3 * 4 + 8), 0], atol=1e-9)


def test_assemble_by_pose_and_twist(example):
    robot = lithe.load(example("khan-6ups")).prepare()
    at, turn = np.array([0.02, 0.01, 0.85]), 0.05
    rotation = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    velocity, angular = np.array([0.1, -0.2, 0.05]), np.array([0.3, 0.2, -0.4])
    robot.assemble(poses={"platform": {"at": at, "rotation": rotation}},
                   twists={"platform": {"velocity": velocity, "angular": angular}})
    pose = robot.frame_pose("platform")
    np.testing.assert_allclose(pose.position, at, atol=1e-12)
    np.testing.assert_allclose(pose.rotation, rotation, atol=1e-12)
    # The rate of a length is the velocity of its point on the platform along the leg.
    for leg in range(6):
        base, top = (robot.frame_pose(name).position for name in (f"ground/b{leg}", f"platform/p{leg}"))
        along = (top - base) / np.linalg.norm(top - base)
        rate = along @ (velocity + np.cross(angular, top - at))
        assert abs(robot.velocities()[f"length-{leg}"] - rate) < 1e-11


def test_assemble_by_any_joint(example):
    robot = lithe.load(example("khan-3rrr")).prepare()
    start = robot.coordinates()
    for joint in ("ankle-1", "ankle-2", "ankle-3", "knee-2"):
        robot.assemble(q={joint: start[joint] + 0.05}, v={joint: 0.3})
        assert abs(robot.coordinates()[joint] - start[joint] - 0.05) < 1e-12
        assert abs(robot.velocities()[joint] - 0.3) < 1e-11
        assert robot.closure_error() < 1e-12


def test_branches(example):
    """A four-bar has two assemblies for one crank angle."""
    four_bar = lithe.load(example("four-bar")).prepare()
    branches = four_bar.branches(held=["motor"])
    assert len(branches) == 2
    for q in branches:
        four_bar.q = q
        assert four_bar.closure_error() < 1e-10


def test_linearize_about_a_state():
    """A pendulum bob of 2 kg at 0.5 m about the hanging and the upright pose: K = +- m g l."""
    model = lithe.Model.from_dict(
        {
            "lithe": 1,
            "gravity": [0, -9.81],
            "links": {"bob": {"rigid": {"mass": 2, "centre": [0.5, 0], "inertia": [0, 0, 0]}}},
            "joints": {"hinge": {"revolute": "z", "from": "ground", "to": "bob", "actuated": True, "damping": 0.3}},
            "initial": {"hinge": "-90 deg"},
        }
    )
    free = model.linearize(free=True)
    assert free.states == ["q.hinge", "v.hinge"] and free.inputs == ["tau.hinge"]
    hanging = free.second_order
    assert hanging.names == hanging.inputs == ["hinge"]
    found = [hanging.M[0, 0], hanging.D[0, 0], hanging.K[0, 0], hanging.B[0, 0]]
    np.testing.assert_allclose(found, [0.5, 0.3, 9.81, 1], rtol=1e-8)
    np.testing.assert_allclose(hanging.state_matrix(), [[0, 1], [-9.81 / 0.5, -0.3 / 0.5]], rtol=1e-8)
    omega = np.sqrt(9.81 / 0.5 - 0.09)
    np.testing.assert_allclose(sorted(hanging.poles(), key=np.imag), [-0.3 - 1j * omega, -0.3 + 1j * omega], rtol=1e-8)
    np.testing.assert_allclose(free.A, hanging.state_matrix(), rtol=1e-12)
    prepared = model.prepare()
    prepared.assemble(q={"hinge": np.pi / 2})
    assert prepared.linearize().K[0, 0] == pytest.approx(-9.81, rel=1e-8)
    # At 30 degrees from the horizontal a torque of m g l cos 30 holds it.
    prepared.assemble(q={"hinge": np.pi / 6})
    held = prepared.linearize(tau=[9.81 * np.cos(np.pi / 6)])
    assert abs(held.residual[0]) < 1e-9 and held.K[0, 0] == pytest.approx(-9.81 * np.sin(np.pi / 6), rel=1e-7)


def test_models_from_text_and_dict_are_equal(example):
    text = Path(example("khan-3rrr")).read_text()
    one = lithe.loads(text, set={"g": 0}).inverse_dynamics(until=0.1)
    two = lithe.Model.from_dict(yaml.safe_load(text), set={"g": 0}).inverse_dynamics(until=0.1)
    np.testing.assert_array_equal(one.data, two.data)
    again = lithe.loads(two.model().text, set={"g": 0})
    assert again.parameters == lithe.loads(text, set={"g": 0}).parameters


def test_gravity_can_be_changed(example):
    model = lithe.load(example("khan-3rrr"))
    model.gravity = [0, 0, 0]
    still = model.copy()
    model.gravity[1] = -1.62
    np.testing.assert_array_equal(still.gravity, 0)
    np.testing.assert_array_equal(
        still.inverse_dynamics(until=0.1)["tau.motor-1"],
        lithe.load(example("khan-3rrr"), set={"g": 0}).inverse_dynamics(until=0.1)["tau.motor-1"],
    )


# J1 a1 = tau + F, J2 a2 = -n F, a1 = n a2.
def test_a_gear_adds_up_the_inertias():
    rotor = {"rigid": {"mass": 1, "inertia": [1, 1, 1]}}
    machine = lithe.Model.from_dict(
        {
            "lithe": 1,
            "links": {"a": rotor, "b": rotor},
            "joints": {
                "motor": {"revolute": "z", "from": "ground", "to": "a", "actuated": True, "armature": 0.5},
                "wheel": {"revolute": "z", "from": "ground", "to": "b"},
            },
            "couplings": {"gear": {"gear": {"joints": ["motor", "wheel"], "ratio": 4}}},
        }
    ).prepare()
    a = machine.forward_dynamics({"motor": 2.0})
    wheel = 4 * 2.0 / (1.0 + 16 * 1.5)
    assert a[machine.index("wheel")] == pytest.approx(wheel, rel=1e-12)
    force = machine.coupling_forces(a, {"motor": 2.0})
    assert force == {"gear": pytest.approx(1.5 * 4 * wheel - 2.0, rel=1e-12)}
