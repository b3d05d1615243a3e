"""Identification from Python. The records of examples/identification come from closed forms (tests/oracles/strip_records.py):
EI = 0.35, damping = 0.008, payload = 0.03, noise of one percent of the largest value."""

import csv
import pathlib
import warnings

import numpy as np
import pytest

import lithe

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples/identification"


def record(name):
    with open(FOLDER / f"{name}.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {("t" if column == "time" else column): np.array([float(row[column]) for row in rows]) for column in rows[0]}


@pytest.fixture(scope="module")
def strip():
    return lithe.load(FOLDER / "strip.yaml")


def test_one_record(strip):
    measured = record("light")
    light = lithe.experiment(strip, {"t": measured["t"], "pos.strip.tip.y": measured["tip"]}, name="light")
    found = lithe.identify([light], {"EI": None, "damping": {"start": 0.01, "lower": 0}})
    assert found.values["EI"] == pytest.approx(0.35, rel=0.005)
    assert found.values["damping"] == pytest.approx(0.008, rel=0.05)
    low, high = found.intervals["EI"]
    assert low < found.values["EI"] < high
    assert found.undetermined == [] and found.converged
    assert found.covariance_names == ["EI", "damping"]
    assert np.sqrt(found.covariance[1, 1]) == pytest.approx(found.deviations["damping"])
    fit = found.fits[0]
    assert np.sqrt(np.mean((fit.predicted - fit.measured) ** 2)) == pytest.approx(fit.rms)
    assert lithe.load(FOLDER / "strip.yaml", set=found.values).parameters["EI"] == pytest.approx(found.values["EI"])


def test_file_with_three_records():
    found = lithe.identify(FOLDER / "study.yaml")
    for name, truth in {"EI": 0.35, "damping": 0.008, "payload": 0.03}.items():
        assert abs(found.values[name] - truth) < 4 * found.deviations[name]
    assert [fit.held_back for fit in found.fits] == [False, False, False, True]


def test_what_the_record_cannot_tell_has_no_number(strip):
    light = lithe.experiment(strip, record("light"), quantities={"tip": "pos.strip.tip.y"}, noise={"tip": 7.6e-5})
    with pytest.warns(lithe.ResultWarning, match="the records cannot tell"):
        found = lithe.identify([light], ["EI", "mass", "push", "damping"])
    assert sorted(found.undetermined) == ["EI", "mass", "push"]
    assert list(found.values) == ["damping"]
    assert sorted(found.not_told_apart[0]) == ["EI", "mass", "push"]


def test_refusals(strip):
    measured = record("light")
    with pytest.raises(lithe.ModelError, match="there is no column 'tipp'; did you mean 'tip'"):
        lithe.experiment(strip, measured, quantities={"tipp": "pos.strip.tip.y"})
    with pytest.raises(lithe.ModelError, match="there is no column 'time'"):
        lithe.experiment(strip, measured, time="time")
    with pytest.raises(lithe.ModelError, match="there is no parameter 'payloud'; did you mean 'payload'"):
        lithe.experiment(strip, measured, fixed=["payloud"])
    light = lithe.experiment(strip, measured, quantities={"tip": "pos.strip.tip.y"})
    with pytest.raises(lithe.ModelError, match="there is no free parameter 'dampnig'; did you mean 'damping'"):
        lithe.identify([light], ["dampnig"])
    with pytest.raises(ValueError, match="confidence: expected a number between 0 and 1"):
        lithe.identify([light], ["EI"], confidence=95)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(lithe.ModelError, match="no-study.yaml: the file cannot be read: there is no such file"):
            lithe.identify(FOLDER / "no-study.yaml")
