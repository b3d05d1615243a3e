"""Stress in the audit of a run, and rainflow counting of any series."""

import math
from pathlib import Path

import lithe
import numpy as np
import pytest

CANTILEVER = (Path(__file__).parent.parent / "data/pulled-cantilever.yaml").read_text()  # its root bears 18 MPa


def expect_cantilever(result):
    arm = result.audit.stress["arm"]
    assert arm.peak == pytest.approx(18e6, rel=1e-6)
    assert arm.place == "0 m+"
    assert arm.safety == pytest.approx(235 / 18, rel=1e-6)
    assert arm.damage == pytest.approx(0, abs=1e-15)
    assert arm.life > 1e9
    assert "18.0" in repr(arm)
    assert result["stress.arm.0m+"][0] == pytest.approx(18e6, rel=1e-6)


def test_peak_safety_and_damage():
    expect_cantilever(lithe.loads(CANTILEVER).simulate())


def test_a_file_keeps_them(tmp_path):
    path = tmp_path / "arm.h5"
    lithe.loads(CANTILEVER).simulate(output=path)
    expect_cantilever(lithe.read(path))


def test_record_chooses_stress():
    model = lithe.loads(CANTILEVER.replace(", stress]", "]"))
    assert model.simulate().audit.stress == {}
    model.record(stress_parts=True)
    result = model.simulate()
    assert "stress.arm.0m+" not in result
    assert result["stress.arm.0m+.bending"][0] == pytest.approx(18e6, rel=1e-6)
    assert result["stress.arm.0m+.axial"][0] == pytest.approx(0, abs=1)
    model.record(stress=True, stress_parts=False)
    expect_cantilever(model.simulate())


def test_rainflow_of_the_example_of_astm_e1049():
    cycles = lithe.rainflow([-2, 1, -3, 5, -1, 3, -4, 4, -2])
    assert cycles.shape[1] == 3
    counts = {}
    for span, _, count in cycles:
        counts[span] = counts.get(span, 0) + count
    assert counts == {3: 0.5, 4: 1.5, 6: 0.5, 8: 1.0, 9: 0.5}  # printed there
    # r^2/81000 for a cycle of range r: amplitude 4.5 is borne for 1000 cycles, slope 2; 4.5 + 24 + 18 + 64 + 40.5 = 151
    assert lithe.miner_damage(cycles, amplitude=4.5, cycles=1000, slope=2) == pytest.approx(151 / 81000)
    assert lithe.miner_damage(cycles, amplitude=4.5, cycles=1000, slope=2, endurance=2.5) == pytest.approx(122.5 / 81000)


def test_rainflow_takes_columns_and_lists():
    assert lithe.rainflow(np.zeros(5)).shape == (0, 3)
    t = np.linspace(0, 10, 10001)
    cycles = lithe.rainflow(3 * np.sin(2 * math.pi * t))
    assert cycles[:, 2].sum() == pytest.approx(10, abs=1)
    assert cycles[:, 0].max() == pytest.approx(6)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="value 1 of the history is not a finite number"):
        lithe.rainflow([0, math.nan])
    with pytest.raises(ValueError, match="series: expected one dimension, a history of values"):
        lithe.rainflow([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="counted: expected rows of range, mean and count"):
        lithe.miner_damage([1, 2, 3], amplitude=1, cycles=1, slope=1)
    with pytest.raises(ValueError, match="amplitude, cycles and slope must be positive"):
        lithe.miner_damage([[1, 2, 3]], amplitude=0, cycles=1, slope=1)
