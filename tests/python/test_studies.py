"""Sweeps and optimisation from Python. The disc of inertia I under a constant torque M turns by M t^2 / (2 I): closed forms
of all that is computed of it."""

import os
import re
import signal
import subprocess
import sys
import textwrap

import lithe
import numpy as np
import pytest
from conftest import ROOT

DISC = """
lithe: 1
name: disc
parameters: {I: 2, M: 1}
links: {disc: {rigid: {mass: 1, inertia: [20, 20, I]}}}
joints: {hinge: {revolute: z, from: ground, to: disc, actuated: true}}
drives: {hinge: {torque: M}}
run: {until: 1, every: 0.1, tolerance: 1e-9}
"""


@pytest.fixture
def disc():
    return lithe.loads(DISC)


def angle_after(seconds, table):
    return table["M"] * seconds**2 / (2 * table["I"])


def last_angle(result):
    return result["q.hinge"][-1]


def test_grid_of_values(disc):
    sweep = lithe.sweep(
        disc,
        {"I": [1, 2, 4], "M": np.array([1.0, 3.0])},
        {"angle": {"final": "q.hinge"}, "twice": {"expression": "2*angle"}},
        threads=2,
    )
    assert len(sweep) == 6 and sweep.axes == ["I", "M"] and sweep.outputs == ["angle", "twice"]
    np.testing.assert_array_equal(sweep["M"], [1, 3, 1, 3, 1, 3])  # the last axis changes fastest
    np.testing.assert_allclose(sweep["angle"], angle_after(1, sweep), rtol=1e-7)
    assert sweep.values.shape == (6, 2) and sweep.results.shape == (6, 2) and sweep.good.all()
    table = sweep.table
    assert table.dtype.names == ("I", "M", "angle", "twice")
    np.testing.assert_array_equal(table[table["I"] == 4]["twice"], 2 * sweep["angle"][4:])
    assert sweep.name == "disc" and repr(sweep) == "<lithe.Sweep 'disc': 6 variants, 0 failed>"
    with pytest.raises(KeyError, match="there is no axis or output 'angel'; there are I, M, angle, twice"):
        sweep["angel"]


def test_numbers_do_not_depend_on_threads(disc):
    one, two = (
        lithe.sweep(disc, {"I": (1, 3), "M": (0.5, 2)}, {"a": {"final": "q.hinge"}}, sample=32, threads=threads)
        for threads in (1, 2)
    )
    assert len(one) == 32 and np.ptp(one["I"]) > 1.5
    np.testing.assert_array_equal(one.values, two.values)
    np.testing.assert_array_equal(one.results, two.results)


@pytest.mark.parametrize("threads", [1, 2])
def test_functions_as_outputs(disc, threads):
    sweep = lithe.sweep(
        disc,
        {"I": [1, 2, 4, 8]},
        {
            "last": last_angle,
            "peak": {"peak": "q.hinge"},
            "energy": lambda result: result["energy.kinetic"][-1],
            "inertia": lambda model: model.prepare().mass_matrix()[0, 0],
            "square": lambda values: values["I"] ** 2,
        },
        threads=threads,
    )
    assert sweep.outputs == ["peak", "last", "energy", "inertia", "square"]
    np.testing.assert_allclose(sweep["last"], 1 / (2 * sweep["I"]), rtol=1e-7)
    np.testing.assert_array_equal(sweep["last"], sweep["peak"])
    np.testing.assert_allclose(sweep["energy"], sweep["last"], rtol=1e-7)  # the work of a torque of 1 N m
    np.testing.assert_allclose(sweep["inertia"], sweep["I"], rtol=1e-12)
    np.testing.assert_array_equal(sweep["square"], sweep["I"] ** 2)


def test_function_of_values_needs_no_run(disc):
    disc.run.until = 1e9  # would take for ever
    sweep = lithe.sweep(disc, {"I": [1, 2]}, {"square": lambda values: values["I"] ** 2})
    np.testing.assert_array_equal(sweep["square"], [1, 4])


def test_changes_of_the_model_hold_in_all_variants(disc):
    disc.run.until = 0.5
    disc.drive("hinge", lambda t, q, v: 3.0)
    sweep = lithe.sweep(disc, {"I": [1, 2]}, {"angle": {"final": "q.hinge"}}, threads=2)
    np.testing.assert_allclose(sweep["angle"], 3 * 0.25 / (2 * sweep["I"]), rtol=1e-7)
    sweep = lithe.sweep(disc, {"run.until": [0.5, 1.0]}, {"angle": {"final": "q.hinge"}})
    np.testing.assert_allclose(sweep["angle"], 3 * sweep["run.until"] ** 2 / 4, rtol=1e-7)


def test_outputs_of_a_map():
    # An arm of two links: |det J| = l1 l2 |sin q2| is largest, l1 l2, where the elbow is square; so is the reach a ring.
    text = """
lithe: 1
parameters: {forearm: 0.3}
links:
  upper: {rod: {from: [0, 0], to: [0.4, 0], mass: 1}, frames: {tip: [0.4, 0]}}
  lower: {rod: {from: [0, 0], to: [forearm, 0], mass: 1}, frames: {tip: [forearm, 0]}}
joints:
  a: {revolute: z, from: ground, to: upper, actuated: true}
  b: {revolute: z, from: upper/tip, to: lower, actuated: true}
initial: {a: 0.3, b: 1.2}
"""
    sweep = lithe.sweep(
        lithe.loads(text),
        {"forearm": [0.3, 0.2]},
        {"best": {"map": "manipulability", "take": "max"}, "reach": {"map": "reached"}},
        map={"over": {"pos.lower.tip.x": (0.03, 0.83, 9), "pos.lower.tip.y": {"from": -0.07, "to": 0.93, "count": 11}}},
    )
    x, y = np.meshgrid(np.linspace(0.03, 0.83, 9), np.linspace(-0.07, 0.93, 11))
    for forearm, best, reach in sweep.table:
        cosine = (x**2 + y**2 - 0.16 - forearm**2) / (0.8 * forearm)
        inside = abs(cosine) < 1
        assert reach == pytest.approx(np.mean(inside), abs=1e-12)
        assert best == pytest.approx(np.max(0.4 * forearm * np.sqrt(1 - cosine[inside] ** 2)), abs=1e-9)


def test_variants_that_fail_are_recorded(disc):
    def picky(result):
        if last_angle(result) > 0.2:
            raise ValueError("too far")
        return 1.0

    sweep = lithe.sweep(
        disc, {"I": [-1, 2, 4]}, {"angle": {"final": "q.hinge"}, "picky": picky, "text": lambda result: "x"}
    )
    assert "I" in sweep.errors[0] or "inertia" in sweep.errors[0]
    assert sweep.errors[1] == "output 'picky': ValueError: too far"
    assert sweep.errors[2] == "output 'text' returned 'x'; expected a number"
    assert list(sweep.good) == [False] * 3 and np.isnan(sweep["picky"][:2]).all()
    assert sweep["angle"][1] == pytest.approx(0.25) and np.isnan(sweep["angle"][0])


def test_study_file_is_that_of_the_program(program, tmp_path):
    path = ROOT / "examples/studies/ishigami.yaml"
    sweep = lithe.sweep(path, output=tmp_path / "python.h5", csv=tmp_path / "python.csv")
    program("sweep", str(path), "-o", str(tmp_path / "program.h5"), "--csv", str(tmp_path / "program.csv"))
    assert (tmp_path / "python.csv").read_bytes() == (tmp_path / "program.csv").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["program.csv", "program.h5", "python.csv", "python.h5"]
    x1, x2, x3 = sweep.values.T
    np.testing.assert_allclose(sweep["y"], np.sin(x1) + 7 * np.sin(x2) ** 2 + 0.1 * x3**4 * np.sin(x1), rtol=1e-12)


def test_dict_with_the_keys_of_a_study_file(tmp_path):
    (tmp_path / "disc.yaml").write_text(DISC)
    study = {
        "model": str(tmp_path / "disc.yaml"),
        "set": {"run.until": 0.5},
        "axes": {"I": {"steps": {"from": 1, "to": 3, "count": 3}}},
        "outputs": {"angle": {"final": "q.hinge"}, "same": last_angle},
    }
    sweep = lithe.sweep(study, name="of a dict")
    np.testing.assert_allclose(sweep["angle"], 0.125 / sweep["I"], rtol=1e-7)
    np.testing.assert_array_equal(sweep["same"], sweep["angle"])
    assert sweep.name == "of a dict"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m: lithe.sweep(m, {"J": [1]}, {"a": {"final": "q.hinge"}}), lithe.ModelError, "axes.J.*known: I, M"),
        (lambda m: lithe.sweep(m, {"I": [1]}, {"a": {"final": "q.hing"}}), lithe.ModelError, "outputs.a.*q.hinge"),
        (lambda m: lithe.sweep(m, {"I": [1]}, {"a": {"finl": "q.hinge"}}), lithe.ModelError, "final"),
        (lambda m: lithe.sweep(m, {"I": 3}, {}), TypeError, "axis 'I' is a list of values, a pair"),
        (lambda m: lithe.sweep(m, {"I": [1]}, {"a": lambda a, b: 0}), TypeError, "output 'a': a function takes one"),
        (lambda m: lithe.sweep(m, {"I": (1, 2)}, {"a": {"final": "q.hinge"}}), lithe.ModelError, "axes.I"),
        (
            lambda m: lithe.sweep(m, {"I": [1]}, {"a": {"final": "q.hinge"}}, csv="none/a.csv"),
            lithe.ResultsError,
            "none/a.csv: the folder none does not exist",
        ),
        (lambda m: lithe.sweep(3), TypeError, "a study is a path, a dict or a lithe.Model, not 3"),
        (lambda m: lithe.sweep("x.yaml", {"I": [1]}), TypeError, "a study file says its axes"),
        (lambda m: lithe.sweep("x.yaml"), lithe.ModelError, "x.yaml: .*cannot be read"),
        (lambda m: lithe.sweep(m, {"I": [1]}, {"a": last_angle}, resume=True), ValueError, "give output="),
        (lambda m: lithe.optimize(m, {"I": (1, 2)}, {"a": last_angle}), lithe.ModelError, "objective"),
    ],
)
def test_what_is_refused(disc, call, error, message):
    with pytest.raises(error, match=message):
        call(disc)


def test_progress_and_what_it_raises(disc):
    seen = []
    lithe.sweep(disc, {"I": np.linspace(1, 2, 50)}, {"a": {"final": "q.hinge"}}, progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 1.0

    def impatient(part):
        raise TimeoutError("enough")

    with pytest.raises(TimeoutError, match="enough"):
        lithe.sweep(disc, {"I": np.linspace(1, 2, 5000)}, {"a": {"final": "q.hinge"}}, progress=impatient)


def test_resume(disc, tmp_path):
    """Interrupted in the middle, it goes on where it was; the file is that of a sweep which was not."""
    arguments = {"axes": {"I": np.linspace(1, 2, 40)}, "outputs": {"a": {"final": "q.hinge"}, "last": last_angle}}
    whole = lithe.sweep(disc, **arguments)

    def impatient(part):
        if part > 0.1:
            raise TimeoutError

    slow = {"axes": arguments["axes"], "outputs": {**arguments["outputs"], "last": last_angle}}
    path = tmp_path / "sweep.h5"
    calls = []

    def counted(result):
        import time

        calls.append(1)
        time.sleep(0.02)
        return last_angle(result)

    slow["outputs"]["last"] = counted
    with pytest.raises(TimeoutError):
        lithe.sweep(disc, **slow, output=path, progress=impatient)
    assert not path.exists() and (tmp_path / "sweep.h5.journal").exists()
    with pytest.raises(lithe.ResultsError, match="interrupted"):
        lithe.sweep(disc, **slow, output=path)
    before = len(calls)
    assert 0 < before < 40
    again = lithe.sweep(disc, **slow, output=path, resume=True)
    assert len(calls) <= 42  # those under way when it was stopped were begun again
    np.testing.assert_array_equal(again.results, whole.results)
    assert os.listdir(tmp_path) == ["sweep.h5"]
    disc.run.until = 2  # another study now
    with pytest.raises(TimeoutError):
        lithe.sweep(disc, **slow, output=path, progress=impatient)
    disc.run.until = 3
    with pytest.raises(lithe.ResultsError, match="has changed since"):
        lithe.sweep(disc, **slow, output=path, resume=True)


@pytest.mark.parametrize("verb", ["sweep", "optimize"])
def test_ctrl_c(verb, tmp_path):
    script = f"""
    import time, lithe
    def slow(values, told=[]):
        if not told:
            told.append(True)
            print("under way", flush=True)
        time.sleep(0.01)
        return values["I"]
    try:
        model = lithe.loads({DISC!r})
        axes = {{"I": (1, 2)}}
        if "{verb}" == "sweep":
            lithe.sweep(model, axes, {{"slow": slow}}, sample=100000)
        else:
            lithe.optimize(model, axes, objectives=slow, method="direct", evaluations=1000000, tolerance=1e-15)
    except KeyboardInterrupt:
        print("interrupted")
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert child.stdout.readline() == "under way\n"
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0] == "interrupted\n"


def test_optimize(disc):
    """The angle after 1 s shall be 0.1 with the least torque of at least 0.5 N m: I = 5 M."""
    found = lithe.optimize(
        disc,
        {"I": (1, 10), "M": (0.5, 3)},
        {"angle": {"final": "q.hinge"}, "torque": {"expression": "M"}, "miss": {"expression": "(angle-0.1)^2"}},
        {"torque": "minimize"},
        constraints={"angle": {"min": 0.1 - 1e-4, "max": 0.1 + 1e-4}},
        starts=2,
        threads=2,
    )
    assert found.best["feasible"] and found.best["values"]["M"] == pytest.approx(0.5, abs=0.01)
    assert found.best["values"]["I"] == pytest.approx(5 * found.best["values"]["M"], rel=2e-3)
    assert len(found.searches) == 2 and found.front == []
    assert len(found.history) >= found.best["evaluations"] and found.history.outputs == ["angle", "torque", "miss"]
    assert re.fullmatch(r"<lithe.Optimization 'disc': I = 2\.\d+, M = 0\.5\d*>", repr(found))


def test_function_as_objective(disc):
    """f(I) = (1/(2 I) - 0.125)^2 of the last angle is least at I = 4."""
    found = lithe.optimize(
        disc, {"I": (1, 10)}, objectives=lambda result: (last_angle(result) - 0.125) ** 2, method="bobyqa", starts=2
    )
    assert found.best["values"]["I"] == pytest.approx(4, rel=1e-2)
    best = min(found.history["objective"])
    assert found.best["outputs"]["objective"] == pytest.approx(best, abs=1e-12)


def test_front_of_two_objectives(disc):
    """Small torque against a large angle M/(2 I): no point is beaten by another in both, and I goes to its least."""
    found = lithe.optimize(
        disc,
        {"I": (1, 2), "M": (0.5, 1)},
        {"angle": {"final": "q.hinge"}, "torque": {"expression": "M"}},
        {"angle": "maximize", "torque": "minimize"},
        points=4,
        starts=1,
    )
    assert found.best is None and len(found.front) >= 2
    for point in found.front:
        assert point["outputs"]["angle"] == pytest.approx(point["values"]["M"] / (2 * point["values"]["I"]), rel=1e-7)
        for other in found.front:
            beaten = [other["outputs"]["angle"] > point["outputs"]["angle"]]
            beaten += [other["outputs"]["torque"] < point["outputs"]["torque"]]
            assert not all(beaten)
    assert min(point["values"]["I"] for point in found.front) == pytest.approx(1, abs=0.02)


def test_limits_that_nothing_keeps(disc):
    with pytest.warns(lithe.ResultWarning, match="no variant keeps the limits"):
        found = lithe.optimize(
            disc,
            {"I": (1, 2)},
            {"angle": {"final": "q.hinge"}},
            "angle",
            constraints={"angle": {"min": 5}},
            starts=1,
            evaluations=20,
        )
    assert found.best is None and "nothing keeps the limits" in repr(found)


def test_pandas_or_its_absence(disc):
    sweep = lithe.sweep(disc, {"I": [1, 2]}, {"a": {"final": "q.hinge"}})
    pandas = pytest.importorskip("pandas")
    frame = sweep.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["I", "a", "error"]
    np.testing.assert_array_equal(frame["a"], sweep["a"])
