"""Lithe: robot mechanisms with closed kinematic chains and elastic links, in minimal coordinates.

    import lithe
    model = lithe.load("examples/khan-3rrr.yaml", set={"g": 0})
    result = model.simulate(until=1.0)
    result.t, result["q.motor-1"]           # numpy arrays, views of the memory that the run filled

A Model is a model file (or a dict, or text) that has been read; its methods run it: simulate, inverse_dynamics,
kinematics, statics, modes, linearize, map. Model.prepare() gives a Prepared, which evaluates single states: poses,
velocities, mass matrix, forward and inverse dynamics. Units are SI: m, kg, s, rad, N, N m.
"""

from . import _notebook, _tables
from ._errors import Error, ModelError, PhysicsError, ResultsError, ResultWarning
from ._lithe import (
    Assembly,
    Audit,
    Conversion,
    Diagnostic,
    Energy,
    Experiment,
    ForwardDerivatives,
    Identification,
    InverseDerivatives,
    InverseDynamics,
    LinearModel,
    Linearization,
    LinkStress,
    MeasurementFit,
    Map,
    MapBoundary,
    Mobility,
    Model,
    Modes,
    Pose,
    Prepared,
    RealTimeStepper,
    Remarks,
    Result,
    RunOptions,
    Singularity,
    Statics,
    __version__,
    convert,
    experiment,
    identify,
    load,
    loads,
    miner_damage,
    rainflow,
    read,
    schema,
)
from ._parameters import Parameters
from ._studies import Optimization, Sweep, optimize, sweep

__all__ = [
    "Assembly",
    "Audit",
    "Conversion",
    "Diagnostic",
    "Energy",
    "Error",
    "Experiment",
    "ForwardDerivatives",
    "Identification",
    "InverseDerivatives",
    "InverseDynamics",
    "LinearModel",
    "Linearization",
    "LinkStress",
    "MeasurementFit",
    "Map",
    "MapBoundary",
    "Mobility",
    "Model",
    "ModelError",
    "Modes",
    "Parameters",
    "Optimization",
    "PhysicsError",
    "Pose",
    "Prepared",
    "RealTimeStepper",
    "Remarks",
    "Result",
    "ResultWarning",
    "ResultsError",
    "RunOptions",
    "Singularity",
    "Statics",
    "Sweep",
    "convert",
    "experiment",
    "identify",
    "load",
    "loads",
    "miner_damage",
    "optimize",
    "rainflow",
    "read",
    "schema",
    "sweep",
]

Model._repr_html_ = _notebook.model_html
Model.show = _notebook.show_model
Result._repr_html_ = _notebook.result_html
Result.show = _notebook.show_result
Result.plot = _tables.plot
Result.to_pandas = _tables.to_pandas
Result.to_xarray = _tables.to_xarray


def _only_made_by_functions():
    """Classes that are not called say what makes their objects."""

    def refuse(self, *_, **__):
        name = f"lithe.{type(self).__name__}"
        raise TypeError(f"{name} is not called; see help({name}) for what makes one")

    for name in __all__:
        kind = globals()[name]
        if isinstance(kind, type) and type(kind).__name__ == "pybind11_type":
            kind.__init__ = refuse


_only_made_by_functions()
