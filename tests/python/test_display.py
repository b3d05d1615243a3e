"""How models and results show themselves: notebooks, the report page, matplotlib, pandas, xarray."""

import html.parser
import importlib.util
import json
import re
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as xml

import lithe
import numpy as np
import pytest

SVG = "{http://www.w3.org/2000/svg}"


def needs(package):
    return pytest.mark.skipif(importlib.util.find_spec(package) is None, reason=f"{package} is not installed")


@pytest.fixture(scope="module")
def run(example):
    return lithe.load(example("flexible-3rrr")).simulate(until=0.2)


class WellFormed(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.tags = [], []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.append((tag, dict(attributes)))

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def pictures(text):
    """The drawings in a piece of HTML, each read as XML; nothing in it comes from elsewhere."""
    page = WellFormed()
    page.feed(text)
    assert not page.open
    for tag, attributes in page.tags:
        assert tag not in ("script", "link", "img", "iframe") and "src" not in attributes and "href" not in attributes
    return [xml.fromstring(each) for each in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]


def test_model_in_a_notebook(example):
    (picture,) = pictures(lithe.load(example("khan-3rrr"))._repr_html_())
    assert len(picture.findall(f"{SVG}circle")) == 9  # three legs of three joints
    driven = [each for each in picture.findall(f"{SVG}circle") if each.get("fill") == "#e08030"]
    assert {each.find(f"{SVG}title").text for each in driven} == {"motor-1", "motor-2", "motor-3"}


def test_picture_is_in_proportion():
    """A right angle of two rods of 0.3 and 0.4 m: their drawn lengths are as 3 to 4."""
    rods = {
        name: {"rod": {"from": [0, 0], "to": [length, 0], "mass": 1}, "frames": {"tip": [length, 0]}}
        for name, length in (("one", 0.3), ("two", 0.4))
    }
    joints = {
        "a": {"revolute": "z", "from": "ground", "to": "one"},
        "b": {"revolute": "z", "from": "one/tip", "to": "two"},
        "c": {"fixed": True, "from": "two/tip", "to": "end"},
    }
    rods["end"] = {"rigid": {"mass": 1, "inertia": [1, 1, 1]}}
    model = lithe.Model.from_dict({"lithe": 1, "links": rods, "joints": joints, "initial": {"b": np.pi / 2}})
    (picture,) = pictures(model._repr_html_())
    place = {
        each.find(f"{SVG}title").text: np.array([float(each.get("cx")), float(each.get("cy"))])
        for each in picture.findall(f"{SVG}circle")
    }
    first, second = place["b"] - place["a"], place["c"] - place["b"]
    assert np.linalg.norm(second) / np.linalg.norm(first) == pytest.approx(4 / 3, rel=0.01)
    assert first @ second == pytest.approx(0, abs=0.01 * np.linalg.norm(first) * np.linalg.norm(second))
    assert second[1] < 0  # y goes upwards


def test_result_in_a_notebook(run):
    text = run._repr_html_()
    picture, *charts = pictures(text)
    assert 1 <= len(charts) <= 3 and len(text) < 400_000
    assert "torques (N m)" in text and "tau.motor-1" in text


def test_every_model_of_the_gallery_is_drawn(example):
    from conftest import ROOT

    for path in sorted((ROOT / "examples").glob("*.yaml")):
        assert len(pictures(lithe.load(path)._repr_html_())) == 1, path.name


def test_model_that_does_not_assemble_says_so():
    text = """
    lithe: 1
    links: {a: {rod: {from: [0, 0], to: [0.1, 0], mass: 1}, frames: {tip: [0.1, 0]}}}
    ground: {far: [1, 0]}
    joints: {one: {revolute: z, from: ground, to: a}, two: {revolute: z, from: ground/far, to: a/tip}}
    """
    assert "loop" in lithe.loads(textwrap.dedent(text))._repr_html_()


def test_page(run, tmp_path):
    page = run.show(tmp_path / "run.html")
    text = page.read_text()
    data = json.loads(re.search(r'id="report-data"[^>]*>(.*?)</script>', text, re.DOTALL).group(1))
    assert data["results"][0]["model"]["name"] == run.model_name
    assert lithe.Result.model(run).show(tmp_path / "model.html").stat().st_size > 100_000


def test_units(run):
    assert run.units["t"] == "s" and run.units["tau.motor-1"] == "N m" and run.units["q.motor-1"] == "rad"
    assert set(run.units) == set(run.columns)


@pytest.mark.parametrize(
    ("package", "call"),
    [("pandas", "to_pandas()"), ("xarray", "to_xarray()"), ("matplotlib", "plot()")],
)
def test_missing_packages_are_named(package, call, example):
    """In a Python that cannot import the package."""
    script = f"""
    import sys, lithe
    sys.modules["{package}"] = None
    result = lithe.load({example("double-pendulum")!r}).simulate(until=0.1)
    try:
        result.{call}
    except ImportError as error:
        print(error)
    """
    answer = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60)
    assert answer.stdout == (
        f"Result.{call} needs {package}, which is not installed: apt install python3-{package}, or pip install {package}\n"
    ), answer.stderr


@needs("pandas")
def test_pandas(run):
    frame = run.to_pandas()
    assert frame.index.name == "t" and list(frame.columns) == run.columns[1:]
    np.testing.assert_array_equal(frame["tau.motor-1"].to_numpy(), run["tau.motor-1"])
    assert frame.attrs["units"]["tau.motor-1"] == "N m"


@needs("xarray")
def test_xarray(run):
    data = run.to_xarray()
    np.testing.assert_array_equal(data["q.motor-2"].values, run["q.motor-2"])
    assert data["q.motor-2"].attrs["units"] == "rad" and data["t"].attrs["units"] == "s"


@needs("matplotlib")
def test_matplotlib(run):
    import matplotlib

    matplotlib.use("Agg")
    figure = run.plot("tau.*", "q.motor-1")
    torques, angles = figure.axes
    assert torques.get_ylabel() == "torques (N m)" and angles.get_ylabel() == "angles (rad)"
    np.testing.assert_array_equal(angles.lines[0].get_ydata(), run["q.motor-1"])
    assert run.plot("q.motor-2", axes=angles) is figure
    assert len(run.plot().axes) == 2
    with pytest.raises(KeyError, match="no column is like 'x"):
        run.plot("x*")
    with pytest.raises(KeyError, match="did you mean 'tau.motor-1'"):
        run.plot("tau.motr-1")
    with pytest.raises(ValueError, match="2 kinds of quantities, but 1 axes"):
        run.plot("tau.*", "q.motor-*", axes=[angles])
