"""What users are told when something is wrong."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import lithe
import numpy as np
import pytest


def test_model_error_has_file_line_and_key(tmp_path):
    path = tmp_path / "bad.yaml"
    text = "lithe: 1\nlinks:\n  arm: {rod: {from: [0, 0], to: [1, 0], mass: -1}}\njoints:\n  a: {revolut: z}\n"
    path.write_text(text)
    with pytest.raises(lithe.ModelError) as caught:
        lithe.load(path)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, lithe.Error)
    places = {(d.file, d.line, d.key) for d in caught.value.diagnostics}
    assert (str(path), 3, "links.arm.rod.mass") in places
    assert any(line == 5 and key.startswith("joints.a") for _, line, key in places)
    assert str(caught.value) == "\n".join(str(d) for d in caught.value.diagnostics)
    assert f"{path}:3:" in str(caught.value)


def test_missing_file():
    with pytest.raises(lithe.ModelError, match="nowhere.yaml: .*cannot be read"):
        lithe.load("nowhere.yaml")


def test_unknown_parameter(example):
    with pytest.raises(lithe.ModelError, match="gg"):
        lithe.load(example("khan-3rrr"), set={"gg": 0})
    with pytest.raises(TypeError, match=r"parameter 'g' is a number, or an expression as text, not \[1, 2\]"):
        lithe.load(example("khan-3rrr"), set={"g": [1, 2]})


def test_dict_with_foreign_values():
    with pytest.raises(TypeError, match="a model cannot hold <object"):
        lithe.Model.from_dict({"lithe": object()})
    with pytest.raises(lithe.ModelError) as caught:
        lithe.Model.from_dict({"lithe": 1, "lynks": {}})
    assert caught.value.diagnostics[0].file == "<dict>" and "links" in str(caught.value)


def test_physics_error_has_time_loop_and_rows(example):
    """The example goes into a singular pose on purpose."""
    with pytest.raises(lithe.PhysicsError) as caught:
        lithe.load(example("singular-pose")).simulate()
    error = caught.value
    assert isinstance(error, RuntimeError) and "loop '" in str(error) and "t = " in str(error)
    assert 0 < error.time and error.result.t[-1] <= error.time
    assert len(error.result) > 1 and error.result.outcome == str(error)


def test_assembly_that_is_impossible(example):
    robot = lithe.load(example("khan-3rrr")).prepare()
    before = robot.q.copy()
    with pytest.raises(lithe.PhysicsError, match="loop '") as caught:
        robot.assemble(q={"motor-1": np.pi, "motor-2": 0.0, "motor-3": 0.5})
    assert caught.value.time is None and caught.value.result is None
    np.testing.assert_array_equal(robot.q, before)


def test_wrong_sizes_and_names(example):
    robot = lithe.load(example("khan-3rrr")).prepare()
    with pytest.raises(ValueError, match="q has 7 entries"):
        robot.q = np.zeros(3)
    with pytest.raises(ValueError, match="tau has 3 entries, one per name in Prepared.actuated, not 2"):
        robot.forward_dynamics([1.0, 2.0])
    with pytest.raises(ValueError, match="a has 7 entries"):
        robot.inverse_dynamics(np.zeros(3))
    with pytest.raises(lithe.ModelError, match="there is no coordinate 'motr-1'; did you mean 'motor-1'?"):
        robot.assemble(q={"motr-1": 0.0})
    with pytest.raises(lithe.ModelError, match="platform"):
        robot.frame_pose("platform/middle")
    with pytest.raises(lithe.ModelError, match="there is no link 'platfrom'; did you mean 'platform'?"):
        robot.assemble(poses={"platfrom": {"at": (0, 0, 0)}})
    with pytest.raises(ValueError, match="'platform' has no 'position'; known: at, rotation"):
        robot.assemble(poses={"platform": {"position": (0, 0, 0)}})
    with pytest.raises(ValueError, match="formulation 'nox': no such choice; use one of noc, denoc"):
        robot.forward_dynamics(formulation="nox")


def test_wrong_run_options(example):
    model = lithe.load(example("khan-3rrr"))
    with pytest.raises(TypeError, match="there is no option 'untl'"):
        model.simulate(untl=1)
    with pytest.raises(ValueError, match="integrator 'euler': no such choice; use one of auto, exponential, bdf"):
        model.simulate(integrator="euler")
    with pytest.raises(lithe.ModelError, match="run.until"):
        model.simulate(until=-1)
    with pytest.raises(FileNotFoundError, match="there is no folder '/nowhere'"):
        model.simulate(output="/nowhere/run.h5")
    assert model.run.until == 3


def test_results_that_are_none(tmp_path):
    with pytest.raises(lithe.ResultsError, match="missing.h5"):
        lithe.read(tmp_path / "missing.h5")
    (tmp_path / "text.h5").write_text("no result")
    with pytest.raises(OSError, match="text.h5"):
        lithe.read(tmp_path / "text.h5")


def test_progress(example):
    seen = []
    lithe.load(example("khan-3rrr")).simulate(progress=seen.append, until=0.2)
    assert seen[-1] == pytest.approx(1.0) and seen == sorted(seen)

    def stop(fraction):
        raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough") as caught:
        lithe.load(example("khan-3rrr")).simulate(progress=stop)
    assert caught.value.result.t[-1] < 3


@pytest.mark.parametrize("law", ["None", "lambda t, q, v: 0.0"])
def test_control_c(example, law, tmp_path):
    """Ctrl-C ends a run that would take minutes, with and without a Python law; the rows so far are kept."""
    script = f"""
        import sys, lithe
        model = lithe.load({example("flexible-3rrr")!r})
        law = {law}
        if law: model.drive("motor-1", law, add=True)
        print("ready", flush=True)
        try:
            model.simulate(until=1e3, every=1e-3, output={str(tmp_path / "run.h5")!r})
        except KeyboardInterrupt as stopped:
            print("rows", len(stopped.result), flush=True)
            raise
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    partial, end = tmp_path / "run.h5.partial", time.time() + 30
    while not (partial.exists() and partial.stat().st_size > 300_000) and time.time() < end:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode != 0 and "KeyboardInterrupt" in err
    rows = int(out.split()[-1])
    assert rows > 1 and len(lithe.read(tmp_path / "run.h5")) == rows
