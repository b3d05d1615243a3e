"""Sweeps and optimisation: study files, or a model with axes and outputs given in Python."""

import inspect
import json
import os
import warnings

import numpy as np

from . import _lithe
from ._errors import ResultWarning
from ._tables import imported

_OF = ("result", "model", "values")


def _told(attribute, doc):
    """A property that tells what an object keeps; of lists a copy, so that nobody changes the object by them."""

    def get(self):
        value = getattr(self, attribute)
        return list(value) if isinstance(value, list) else value

    return property(get, doc=doc)


class Sweep:
    """What came out of a study: one row per variant.

    sweep["torque"] is a column by the name of an axis or an output; sweep.table has all of them as a structured array.
    """

    def __init__(self, found):
        self._name = found["name"]
        self._axes, self._outputs = list(found["axes"]), list(found["outputs"])
        self._values, self._results = found["values"], found["results"]
        self._errors = list(found["errors"])

    name = _told("_name", "Name of the study.")
    axes = _told("_axes", "Names of the axes.")
    outputs = _told("_outputs", "Names of the outputs.")
    values = _told("_values", "Values of the axes, variants x axes.")
    results = _told("_results", "Outputs, variants x outputs; nan where a variant failed.")
    errors = _told("_errors", "Per variant what went wrong; empty where nothing did.")

    @property
    def good(self):
        """Per variant whether it was computed without an error; sweep.table[sweep.good] has those."""
        return np.array([not error for error in self._errors], dtype=bool)

    @property
    def table(self):
        """Axes and outputs as a structured array: one record per variant, fields by name."""
        table = np.empty(len(self), dtype=[(name, float) for name in self._axes + self._outputs])
        for name in table.dtype.names:
            table[name] = self[name]
        return table

    def __len__(self):
        """Number of variants."""
        return len(self._errors)

    def __getitem__(self, name):
        """Column of an axis or an output, one value per variant."""
        if name in self._axes:
            return self._values[:, self._axes.index(name)]
        if name in self._outputs:
            return self._results[:, self._outputs.index(name)]
        raise KeyError(f"there is no axis or output '{name}'; there are {', '.join(self._axes + self._outputs)}")

    def to_pandas(self):
        """Axes, outputs and errors as a pandas.DataFrame, one row per variant.

        Raises ImportError when pandas is not installed.
        """
        pandas = imported("pandas", "Sweep.to_pandas()")
        columns = {name: self[name] for name in self._axes + self._outputs}
        frame = pandas.DataFrame({**columns, "error": self._errors})
        frame.attrs = {"study": self._name, "axes": self.axes, "outputs": self.outputs}
        return frame

    def __repr__(self):
        failed = sum(map(bool, self._errors))
        return f"<lithe.Sweep '{self._name}': {len(self)} variants, {failed} failed>"


class Optimization:
    """What a search for the best values of the axes found."""

    def __init__(self, found):
        self._searches, self._front = list(found["searches"]), list(found["front"])
        self._best = self._searches[found["best"]] if found["best"] >= 0 else None
        self._history = Sweep(found)

    best = _told(
        "_best",
        "Of one objective: a dict with 'values' of the axes and 'outputs' by name, 'feasible', 'ending' (why the search "
        "ended) and 'evaluations'. None when nothing keeps the limits, or with two objectives.",
    )
    searches = _told("_searches", "The same for the search from every start.")
    front = _told("_front", "Of two objectives: those that none other beats in both, by the first one.")
    history = _told("_history", "Every variant that was computed, as a Sweep.")

    def __repr__(self):
        if self._front:
            return f"<lithe.Optimization '{self._history.name}': front of {len(self._front)} points>"
        if self._best is None:
            return f"<lithe.Optimization '{self._history.name}': nothing keeps the limits>"
        values = ", ".join(f"{name} = {value:.6g}" for name, value in self._best["values"].items())
        return f"<lithe.Optimization '{self._history.name}': {values}>"


def code_of(function):
    """A text that differs when the code of a function does, as far as Python tells."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{name} {code.co_code.hex()} {code.co_names}" if code else name


def _plain(value):
    """Numpy and tuples as study files have them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a study cannot hold {value!r}")


def _axis(name, given):
    if isinstance(given, dict):
        return given
    if isinstance(given, tuple) and len(given) == 2:
        return {"uniform": list(given)}
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise TypeError(
            f"axis '{name}' is a list of values, a pair (from, to), or a dict as in a study file, not {given!r}"
        )
    return {"values": [float(value) for value in given]}


def _map(given):
    """Coordinates of a map may be (from, to, count), as Model.map() takes them."""
    if not isinstance(given, dict) or not isinstance(given.get("over"), dict):
        return given
    ends = ("from", "to", "count")
    over = {name: dict(zip(ends, axis)) if isinstance(axis, (tuple, list)) else axis for name, axis in given["over"].items()}
    return {**given, "over": over}


def _argument_of(name, function):
    """What a function wants to be called with: the name of its argument, or the result of the run."""
    try:
        named = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return "result"
    wanted = [each for each in named if each.default is each.empty and each.kind is not each.VAR_KEYWORD]
    if len(wanted) != 1:
        raise TypeError(f"output '{name}': a function takes one argument, called result, model or values; this takes {len(wanted)}")
    return wanted[0].name if wanted[0].name in _OF else "result"


def _study_of(model, axes, outputs, entries):
    """The study as text, and the outputs that are functions."""
    study = {"study": 1}
    study.update({key: value for key, value in entries.items() if value is not None})
    if "map" in study:
        study["map"] = _map(study["map"])
    study["axes"] = {name: _axis(name, given) for name, given in dict(axes or {}).items()}
    study["outputs"], last, functions = {}, {}, []
    for name, given in dict(outputs or {}).items():
        if callable(given):
            # In the study they hold the place of the number that the function gives.
            of = _argument_of(name, given)
            last[name] = {"expression": "0"} if of == "values" else {"mass": "all"}
            functions.append((name, given, of))
        else:
            study["outputs"][name] = given
    study["outputs"].update(last)
    if model is not None:
        study["model"] = model.path
        study.setdefault("name", model.name)
    if isinstance(study.get("sample"), int):
        study["sample"] = {"method": "sobol", "count": study["sample"]}
    return json.dumps(study, indent=1, ensure_ascii=False, allow_nan=False, default=_plain), functions


def _path(value):
    return "" if value is None else os.fspath(value)


def _compute(function, study, axes, outputs, entries, threads, progress, output, csv, resume):
    """Hands a study to the engine: a path, a dict with the keys of a study file, or a model with axes and outputs."""
    if resume and output is None:
        raise ValueError("resume goes on with what stands beside the output; give output='results.h5' too")
    work = (threads, progress, _path(output), _path(csv), resume)
    if isinstance(study, (str, os.PathLike)):
        if axes or outputs or any(value is not None for value in entries.values()):
            raise TypeError("a study file says its axes, outputs and all else itself; give a model to say them here")
        return function("", os.fspath(study), None, [], *work)
    if isinstance(study, _lithe.Model):
        text, functions = _study_of(study, axes, outputs, entries)
        return function(text, "<study>", study, functions, *work)
    if isinstance(study, dict):
        content = dict(study)
        content.pop("study", None)
        own_axes, own_outputs = content.pop("axes", {}), content.pop("outputs", {})
        entries = {**content, **{key: value for key, value in entries.items() if value is not None}}
        text, functions = _study_of(None, {**own_axes, **(axes or {})}, {**own_outputs, **(outputs or {})}, entries)
        return function(text, "<study>", None, functions, *work)
    raise TypeError(f"a study is a path, a dict or a lithe.Model, not {study!r}")


def sweep(
    study,
    axes=None,
    outputs=None,
    *,
    sample=None,
    constraints=None,
    run=None,
    at=None,
    map=None,
    name=None,
    threads=0,
    progress=None,
    output=None,
    csv=None,
    resume=False,
):
    """Computes all variants of a study, on the threads of the machine, and returns a Sweep.

    study: path of a study file, a dict with its keys (docs/howto/studies.md), or a Model; what was changed in a model
        from Python holds in all variants
    axes: with a model: {"mass": [1, 2, 3]} (these values), {"mass": (1, 3)} (all between, with `sample`), or a dict as
        in a study file ({"normal": {...}}); names are parameters, or values by their path ("run.tolerance")
    outputs: {"torque": {"peak": "tau.motor"}} as in a study file, or a function of one argument that returns a number:
        called with the Result of the run, with the Model when its argument is called model, or with a dict of the
        values of the axes when it is called values
    sample: as in a study file, or a number: so many variants, evenly over the space (sobol); default all combinations
    constraints, run, at, name: as in a study file
    map: the grid for outputs of a map, as in a study file: {"over": {"pos.arm.tip.x": (-0.2, 0.2, 9), ...}}
    threads: 0 for all of the machine; the numbers do not depend on it. Python functions are called one at a time
    progress: called with the part that is done (0 to 1), ten times a second at most
    output, csv: files to write (HDF5, CSV). Beside `output` a journal stands until the sweep ends
    resume: goes on with a journal that an interrupted sweep has left

    A variant that fails stops nothing: its outputs are nan and `errors` says why. Ctrl-C ends the sweep.
    """
    entries = {"sample": sample, "constraints": constraints, "run": run, "at": at, "map": map, "name": name}
    return Sweep(_compute(_lithe._sweep, study, axes, outputs, entries, threads, progress, output, csv, resume))


def optimize(
    study,
    axes=None,
    outputs=None,
    objectives=None,
    *,
    constraints=None,
    method=None,
    starts=None,
    evaluations=None,
    tolerance=None,
    points=None,
    run=None,
    at=None,
    map=None,
    name=None,
    threads=0,
    progress=None,
    output=None,
    csv=None,
    resume=False,
):
    """Looks for the best values of the axes of a study, and returns an Optimization.

    study, axes, outputs: as of sweep(); axes go from end to end: {"mass": (1, 3)}
    objectives: {"torque": "minimize"} ("maximize"), one or two; "torque" alone is minimized, and so is a function, which
        is one more output, called objective
    constraints: {"sag": {"max": 1e-3}} of outputs
    method, starts, evaluations, tolerance, points: as under 'optimize:' in a study file
    The others as of sweep(). Warns (lithe.ResultWarning) when nothing keeps the limits; then `best` is None.
    """
    if callable(objectives):
        outputs = {**(outputs or {}), "objective": objectives}
        objectives = "objective"
    if isinstance(objectives, str):
        objectives = {objectives: "minimize"}
    search = {"method": method, "starts": starts, "evaluations": evaluations, "tolerance": tolerance, "points": points}
    search = {key: value for key, value in search.items() if value is not None}
    entries = {
        "objectives": objectives,
        "constraints": constraints,
        "optimize": search or None,
        "run": run,
        "at": at,
        "map": map,
        "name": name,
    }
    found = _compute(_lithe._optimize, study, axes, outputs, entries, threads, progress, output, csv, resume)
    answer = Optimization(found)
    if answer.best is None and not answer.front:
        warnings.warn(
            "no variant keeps the limits; loosen them, widen the axes, or start from more points",
            ResultWarning,
            stacklevel=2,
        )
    return answer


for _public in (Sweep, Optimization, sweep, optimize):
    _public.__module__ = "lithe"
