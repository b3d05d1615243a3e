"""Drives and controllers written in Python."""

import threading
import time

import lithe
import numpy as np
import pytest

KP, KD = 100.0, 2 * np.sqrt(1.5 * 100.0)
MOTORS = ["motor-1", "motor-2", "motor-3"]


def torsion_pendulum(**drive):
    """A disc of 2 kg m^2 on a hinge without gravity: 2 q'' = tau."""
    return lithe.Model.from_dict(
        {
            "lithe": 1,
            "links": {"disc": {"rigid": {"mass": 1, "inertia": [1, 1, 2]}}},
            "joints": {"hinge": {"revolute": "z", "from": "ground", "to": "disc", "actuated": True}},
            "initial": {"hinge": 0.5},
            **({"drives": {"hinge": drive}} if drive else {}),
            "run": {"until": 2, "every": 0.01, "rtol": 1e-10, "atol": 1e-12},
        }
    )


def test_spring_law_against_the_closed_form():
    """tau = -8 q makes q = 0.5 cos(2 t), since 2 q'' = -8 q."""
    model = torsion_pendulum()
    model.drive("hinge", lambda t, q, v: -8 * q)
    result = model.simulate()
    np.testing.assert_allclose(result["q.hinge"], 0.5 * np.cos(2 * result.t), atol=1e-8)
    np.testing.assert_allclose(result["tau.hinge"], -8 * result["q.hinge"], rtol=0, atol=1e-15)


@pytest.mark.parametrize("integrator", ["auto", "exponential", "bdf", "adams", "dopri", "rk4", "ode45", "generalized-alpha", "ida"])
def test_every_integrator_takes_a_law(integrator):
    model = torsion_pendulum()
    model.drive("hinge", lambda t, q, v: -8 * q - 4 * v)
    result = model.simulate(integrator=integrator, until=1)
    # 2 q'' + 4 q' + 8 q = 0 from rest at 0.5: damped oscillation with rate 1 and frequency sqrt(3).
    w = np.sqrt(3.0)
    exact = 0.5 * np.exp(-result.t) * (np.cos(w * result.t) + np.sin(w * result.t) / w)
    # generalized-alpha with its default step of 1e-3 s is of second order.
    np.testing.assert_allclose(result["q.hinge"], exact, atol=2e-6 if integrator == "generalized-alpha" else 1e-8)


def test_pd_law_in_python_and_in_the_model_file(example):
    """The file of the example closes the loop with a PD law; so does a Python function with the same gains, around the
    feed-forward of the file. The same equations in the same steps: what differs is the order of additions."""
    parameters = {"force-y": -20.0}
    wanted = lithe.load(example("khan-3rrr-feedback"), set=parameters).simulate(until=1)

    model = lithe.load(example("khan-3rrr"), set=parameters)

    def pd(t, q, v):
        law = np.array([model.motion_law(motor, t) for motor in MOTORS])
        return KP * (law[:, 0] - q) + KD * (law[:, 1] - v)

    model.control(pd, add=True)
    result = model.simulate(until=1, integrator="dopri5-fixed", step=1e-3)
    for motor in MOTORS:
        np.testing.assert_allclose(result[f"q.{motor}"], wanted[f"q.{motor}"], atol=1e-11)
        np.testing.assert_allclose(result[f"tau.{motor}"], wanted[f"tau.{motor}"], atol=1e-8)


def test_python_replaces_feed_forward_and_pd(example):
    """Computed torque in Python: inverse dynamics of the measured state with a corrected acceleration. Errors then obey
    e'' + 2 w e' + w^2 e = 0; the start is on the law, so the robot stays on it."""
    model = lithe.load(example("khan-3rrr"))
    inside = model.prepare()
    w = 20.0

    def computed_torque(t, q, v):
        inside.assemble(q=dict(zip(MOTORS, q)), v=dict(zip(MOTORS, v)))
        corrected = {}
        for motor, position, speed in zip(MOTORS, q, v):
            wanted, rate, acceleration = model.motion_law(motor, t)
            corrected[motor] = acceleration + 2 * w * (rate - speed) + w * w * (wanted - position)
        return inside.inverse_dynamics(inside.accelerations(corrected)).tau

    model.control(computed_torque)
    result = model.simulate(until=0.5, rtol=1e-8, atol=1e-10)
    for motor in MOTORS:
        wanted = [model.motion_law(motor, t)[0] for t in result.t]
        np.testing.assert_allclose(result[f"q.{motor}"], wanted, atol=1e-7)


def test_controller_observes_passive_and_elastic_coordinates(example):
    model = lithe.load(example("flexible-3rrr"))
    seen = []

    def watch(t, q, v):
        seen.append((t, q.copy(), v.copy()))
        return [0.0]

    model.control(watch, joints=["motor-1"], observe=["knee-1", "ankle-3", "crank-1.e1"], add=True)
    result = model.simulate(until=0.01, every=0.01)
    t, q, v = seen[-1]  # the last evaluation is the recorded row at the end
    assert t == result.t[-1]
    assert q[0] == result["q.knee-1"][-1]
    assert q[1] == pytest.approx(np.remainder(result["q.ankle-3"][-1] + np.pi, 2 * np.pi) - np.pi, abs=1e-12)
    assert v[0] == result["v.knee-1"][-1]
    assert q.shape == v.shape == (3,)


def test_exception_of_a_law_comes_through():
    model = torsion_pendulum()

    def law(t, q, v):
        if t > 1:
            raise ZeroDivisionError("sensor lost")
        return 0.0

    model.drive("hinge", law)
    with pytest.raises(ZeroDivisionError, match="sensor lost") as caught:
        model.simulate(max_step=0.05)  # without a force the integrator would step over everything
    assert caught.value.__notes__[0].startswith("in the law of joint 'hinge', at t = 1.")
    assert caught.traceback[-1].name == "law"
    rows = caught.value.result
    assert 0.9 < rows.t[-1] <= 1.2 and not rows.complete
    assert rows.outcome.startswith("the law of joint 'hinge' failed at t = 1.")
    assert "sensor lost" in rows.outcome
    # The model is none the worse for it.
    model.drive("hinge", lambda t, q, v: 0.0)
    assert model.simulate().complete


@pytest.mark.parametrize("integrator", ["auto", "exponential", "adams", "dopri", "rk4", "ode45", "generalized-alpha", "ida"])
def test_exception_ends_the_run_of_every_integrator(integrator):
    model = torsion_pendulum()
    calls = []

    def law(t, q, v):
        calls.append(t)
        raise RuntimeError("no")

    model.drive("hinge", law)
    with pytest.raises(RuntimeError, match="^no$"):
        model.simulate(integrator=integrator)
    assert len(calls) == 1  # not called again


def test_exception_of_a_controller_names_its_joints(example):
    model = lithe.load(example("khan-3rrr"))
    model.control(lambda t, q, v: q[7], joints=["motor-1", "motor-2"], add=True)
    with pytest.raises(IndexError) as caught:
        model.simulate()
    assert caught.value.__notes__ == ["in the controller of 'motor-1', 'motor-2', at t = 0 s"]


def test_results_file_of_a_failed_run_is_whole(tmp_path):
    model = torsion_pendulum()
    model.drive("hinge", lambda t, q, v: 1 / (1 - (t > 1)))
    with pytest.raises(ZeroDivisionError):
        model.simulate(output=tmp_path / "failed.h5", max_step=0.05)
    back = lithe.read(tmp_path / "failed.h5")
    assert back.outcome.startswith("the law of joint 'hinge' failed at t = 1.")
    assert len(back) > 90


@pytest.mark.parametrize(
    "answer, message",
    [
        (None, "the law of joint 'hinge' returned None; expected a number (N m or N)"),
        ("much", "the law of joint 'hinge' returned 'much'; expected a number (N m or N)"),
    ],
)
def test_answer_that_is_no_number(answer, message):
    model = torsion_pendulum()
    model.drive("hinge", lambda t, q, v: answer)
    with pytest.raises(TypeError) as caught:
        model.simulate()
    assert str(caught.value) == message


def test_answer_of_wrong_length(example):
    model = lithe.load(example("khan-3rrr"))
    model.control(lambda t, q, v: [0.0, 1.0], add=True)
    with pytest.raises(TypeError, match=r"returned \[0.0, 1.0\]; expected 3 numbers"):
        model.simulate()


def test_answer_that_is_not_finite_is_physics():
    model = torsion_pendulum()
    model.drive("hinge", lambda t, q, v: np.inf)
    with pytest.raises(lithe.PhysicsError, match="the law of joint 'hinge' failed at t = 0 s: its force is inf"):
        model.simulate()


def test_drives_that_make_no_sense(example):
    model = lithe.load(example("khan-3rrr"))
    with pytest.raises(lithe.ModelError, match="there is no joint 'motor1'; did you mean 'motor-1'?"):
        model.drive("motor1", lambda t, q, v: 0.0)
    with pytest.raises(TypeError, match="must be a function"):
        model.drive("motor-1", 3.0)
    with pytest.raises(ValueError, match="has 1 speeds, counted from 0; there is no 1"):
        model.drive("motor-1", lambda t, q, v: 0.0, coordinate=1)
    model.control(lambda t, q, v: [0.0], joints=["moto-1"])
    with pytest.raises(lithe.ModelError, match="there is no coordinate 'moto-1'; did you mean 'motor-1'?"):
        model.simulate()
    four_bar = lithe.load(example("four-bar"))
    four_bar.control(lambda t, q, v: [0.0], joints=["motor"], add=True)
    with pytest.raises(lithe.ModelError, match="the motion of 'motor' is prescribed"):
        four_bar.simulate()


def test_none_takes_the_drive_away():
    model = torsion_pendulum(torque="3")
    model.drive("hinge", None)
    np.testing.assert_allclose(model.simulate()["q.hinge"], 0.5, atol=1e-14)


def test_controllers_replace_each_other(example):
    """Each call replaces the one before; what they drive together with others must be taken away as a whole."""
    model = torsion_pendulum()
    for k in (2.0, 8.0):
        model.control(lambda t, q, v, k=k: -k * q)
    np.testing.assert_allclose(model.simulate()["q.hinge"], 0.5 * np.cos(2 * np.linspace(0, 2, 201)), atol=1e-8)
    model.drive("hinge", lambda t, q, v: 0.0)
    np.testing.assert_allclose(model.simulate()["q.hinge"], 0.5, atol=1e-14)

    robot = lithe.load(example("khan-3rrr"))
    robot.control(lambda t, q, v: 0 * q)
    with pytest.raises(ValueError, match=r"'motor-1' is driven by a controller together with others; .*control\(None"):
        robot.drive("motor-1", lambda t, q, v: 0.0)
    robot.control(None)
    robot.drive("motor-1", lambda t, q, v: 0.0)


def test_steps_under_a_controller_with_a_memory():
    """A PID controller at 100 Hz on the disc of 2 kg m^2: between samples the torque is constant, so the motion is the
    recursion q += h v + h^2 tau / 4, v += h tau / 2, which Runge-Kutta steps follow exactly."""
    disc = torsion_pendulum().prepare()
    h, kp, ki, kd, wanted = 0.01, 20.0, 10.0, 8.0, 1.0

    class Pid:
        def __init__(self):
            self.sum = 0.0

        def __call__(self, q, v):
            self.sum += h * (wanted - q)
            return kp * (wanted - q) + ki * self.sum - kd * v

    inside, outside = Pid(), Pid()
    q, v = 0.5, 0.0
    for _ in range(500):
        disc.step(h, [inside(disc.q[0], disc.v[0])])
        tau = outside(q, v)
        q, v = q + h * v + h * h * tau / 4, v + h * tau / 2
        assert disc.q[0] == pytest.approx(q, abs=1e-12) and disc.v[0] == pytest.approx(v, abs=1e-12)
    assert disc.t == pytest.approx(5.0)
    assert disc.q[0] == pytest.approx(wanted, abs=0.05)


def test_steps_keep_energy_in_space(example):
    """The free-floating satellite without forces keeps its energy; quaternions keep their length. The error of fourth
    order falls by about 16 when the step is halved."""
    drift = []
    for n in (50, 100):
        satellite = lithe.load(example("satellite-arm")).prepare()
        satellite.v = 0.3 * np.cos(np.arange(satellite.nv))
        satellite.complete_speeds()
        before = satellite.energy()
        for _ in range(n):
            satellite.step(5.0 / n)
        after = satellite.energy()
        drift.append(abs(after.kinetic + after.potential - before.kinetic - before.potential))
    assert drift[1] < 1e-5 * before.kinetic
    assert drift[0] / drift[1] > 8 or drift[0] < 1e-12 * before.kinetic


def test_real_time_steps(example):
    """Two evaluations a step; steps of an elastic robot that are longer than its fastest period stay bounded."""
    robot = lithe.load(example("flexible-3rrr")).prepare()
    stepper = robot.real_time(5e-3)
    assert (stepper.dt, stepper.method) == (5e-3, "damped")
    for _ in range(40):
        stepper.step([0.01, 0, 0])
    assert stepper.evaluations == 80
    assert robot.t == pytest.approx(0.2)
    assert np.abs(robot.v).max() < 100
    stepper.renew()
    with pytest.raises(ValueError, match="use one of damped, trapezoidal, euler"):
        robot.real_time(1e-3, method="rk4")
    with pytest.raises(ValueError, match="step > 0"):
        robot.real_time(0.0)


def test_step_refuses_nonsense(example):
    robot = lithe.load(example("khan-3rrr")).prepare()
    with pytest.raises(ValueError, match="dt > 0"):
        robot.step(0.0)
    with pytest.raises(lithe.PhysicsError, match="t = 0"):
        robot.step(1e-3, [np.nan, 0, 0])
    assert robot.t == 0


def test_other_threads_run_meanwhile(example):
    """The interpreter's lock is free during a run: another thread counts."""
    model = lithe.load(example("flexible-3rrr"))
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(1e-3)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    model.simulate(until=0.3)
    end = time.perf_counter()
    stop.set()
    thread.join()
    # With the lock held there could be one, at the very beginning.
    assert sum(begin < t < end for t in ticks) > 2


def test_two_runs_at_once(example):
    """Runs in several threads, each with a Python law, give what they give alone."""
    results = {}

    def run(k):
        model = torsion_pendulum()
        model.drive("hinge", lambda t, q, v: -k * q)
        results[k] = model.simulate()["q.hinge"]

    threads = [threading.Thread(target=run, args=(k,)) for k in (2, 8, 18)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, q in results.items():
        model = torsion_pendulum()
        model.drive("hinge", lambda t, q, v: -k * q)
        np.testing.assert_array_equal(q, model.simulate()["q.hinge"])


class Memory:
    """tau = -4 q - 3 (sum of q): remembers, and starts afresh in every run."""

    def reset(self):
        self.sum, self.times = 0.0, []

    def __call__(self, t, q, v):
        self.times.append(t)
        self.sum += 0.01 * q[0]
        return [-4 * q[0] - 3 * self.sum]


def test_sampled_controller_with_a_memory():
    """2 q'' = tau, held over 0.01 s: q + h v + h^2 tau/4, v + h tau/2."""
    model = torsion_pendulum()
    law = Memory()
    model.control(law, sample=0.01)
    for _ in range(2):
        result = model.simulate()
        q, v, total = 0.5, 0.0, 0.0
        for k in range(200):
            assert result["q.hinge"][k] == pytest.approx(q, abs=1e-9)
            total += 0.01 * q
            tau = -4 * q - 3 * total
            q, v = q + 0.01 * v + 0.01**2 * tau / 4, v + 0.01 * tau / 2
        np.testing.assert_allclose(law.times, 0.01 * np.arange(len(law.times)), atol=1e-12)


def test_sampled_controller_reads_sensors():
    model = lithe.Model.from_dict(
        {
            "lithe": 1,
            "links": {"disc": {"rigid": {"mass": 1, "inertia": [1, 1, 2]}}},
            "joints": {"hinge": {"revolute": "z", "from": "ground", "to": "disc", "actuated": True}},
            "initial": {"hinge": 0.5},
            "sensors": {"coarse": {"encoder": "hinge", "resolution": 0.25}},
            "run": {"until": 0.5, "every": 0.01},
        }
    )
    seen = []
    model.control(lambda t, y: seen.append(y[0]) or -10 * y, sensors=["coarse"], sample=0.01, delay=0.005, limit=2)
    result = model.simulate()
    assert set(np.round(seen, 12)) <= {0.0, 0.25, 0.5}
    assert abs(result["control.python-1.hinge"]).max() == 2.0


def test_what_sampled_controllers_are_refused():
    model = torsion_pendulum()
    with pytest.raises(ValueError, match="give sample"):
        model.control(lambda t, q, v: 0 * q, delay=0.1)
    with pytest.raises(ValueError, match="positive time"):
        model.control(lambda t, q, v: 0 * q, sample=0)
    model.control(lambda t, q, v: [1, 2], sample=0.1)
    with pytest.raises(TypeError, match="expected 1 numbers"):
        model.simulate()
