"""Results for other packages: matplotlib, pandas, xarray. Each is imported only when it is asked for."""

import fnmatch
import importlib

import numpy as np


def imported(package, what):
    """The package, or an ImportError that says what to do."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        base = package.partition(".")[0]
        raise ImportError(
            f"{what} needs {base}, which is not installed: apt install python3-{base}, or pip install {base}", name=base
        ) from error


def _chosen(result, patterns):
    """Names of columns by patterns, in the order of the patterns."""
    names = []
    for pattern in patterns:
        found = fnmatch.filter(result.columns, pattern) if "*" in pattern else [pattern]
        if not found:
            raise KeyError(f"no column is like '{pattern}'; Result.columns lists them")
        names += [name for name in found if name not in names and name != "t"]
    for name in names:
        result[name]  # raises KeyError with a suggestion
    return names


def _driven(result):
    """What is plotted without being asked for: the coordinates and forces of what has a motor, else all coordinates."""
    motors = [name for name in result.audit.motors if f"q.{name}" in result.columns]
    chosen = [f"{kind}.{name}" for kind in ("q", "tau") for name in motors if f"{kind}.{name}" in result.columns]
    return chosen or [name for name in result.columns if name.startswith("q.")] or list(result.columns[1:7])


def plot(self, *columns, axes=None):
    """Plots columns over time with matplotlib: one panel for each kind of quantity, with its unit.

    columns: names, or patterns with *: "tau.*"; default coordinates and forces of the motors
    axes: as many axes of matplotlib as there are kinds of quantities, to draw into; default a new figure
    Returns the figure. Raises ImportError when matplotlib is not installed.
    """
    imported("matplotlib", "Result.plot()")
    names = _chosen(self, columns or _driven(self))
    quantities = self._quantities()
    panels = {}
    for name in names:
        panels.setdefault(quantities[name], []).append(name)
    if axes is None:
        pyplot = imported("matplotlib.pyplot", "Result.plot()")
        figure, axes = pyplot.subplots(
            len(panels), 1, sharex=True, squeeze=False, figsize=(8, 2.4 * len(panels) + 0.6), layout="constrained"
        )
        figure.suptitle(self.model_name)
    axes = np.atleast_1d(np.asarray(axes, dtype=object)).ravel()
    if len(axes) != len(panels):
        raise ValueError(f"there are {len(panels)} kinds of quantities, but {len(axes)} axes")
    for place, ((group, unit), members) in zip(axes, panels.items()):
        for name in members:
            place.plot(self.t, self[name], label=name)
        place.set_ylabel(f"{group} ({unit})" if unit else group)
        place.legend(loc="best", fontsize="small")
        place.grid(alpha=0.3)
    axes[-1].set_xlabel("time (s)")
    return axes[0].figure


def to_pandas(self):
    """The columns as a pandas.DataFrame with the time (s) as index; a copy.

    attrs has the model, its parameters and the units of the columns. Raises ImportError when pandas is not installed.
    """
    pandas = imported("pandas", "Result.to_pandas()")
    index = pandas.Index(np.array(self.t), name="t")
    columns = [name for name in self.columns if name != "t"]
    frame = pandas.DataFrame({name: np.array(self[name]) for name in columns}, index=index)
    frame.attrs = {
        "model": self.model_name,
        "parameters": dict(self.parameters),
        "units": self.units,
    }
    return frame


def to_xarray(self):
    """The columns as variables of an xarray.Dataset over the time t (s), each with its unit; a copy.

    Raises ImportError when xarray is not installed.
    """
    xarray = imported("xarray", "Result.to_xarray()")
    variables = {
        name: ("t", np.array(self[name]), {"units": unit, "long_name": group})
        for name, (group, unit) in self._quantities().items()
        if name != "t"
    }
    times = ("t", np.array(self.t), {"units": "s", "long_name": "time"})
    attributes = {"model": self.model_name, "lithe": self.version, "outcome": self.outcome}
    return xarray.Dataset(variables, coords={"t": times}, attrs=attributes)
