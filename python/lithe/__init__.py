"""Lithe: robot mechanisms with closed kinematic chains and elastic links, in minimal coordinates.

    import lithe
    model = lithe.load("examples/khan-3rrr.yaml", set={"g": 0})
    result = model.simulate(until=1.0)
    result.t, result["q.motor-1"]           # numpy arrays, views of the memory that the run filled

A Model is a model file (or a dict, or text) that has been read; its methods run it: simulate, inverse_dynamics,
kinematics, statics, modes, linearize. Model.prepare() gives a Prepared, which evaluates single states: poses,
velocities, mass matrix, forward and inverse dynamics. Units are SI: m, kg, s, rad, N, N m.
"""

from ._errors import Error, ModelError, PhysicsError, ResultsError, ResultWarning
from ._lithe import (
    Assembly,
    Audit,
    Conversion,
    Diagnostic,
    Energy,
    ForwardDerivatives,
    InverseDerivatives,
    InverseDynamics,
    LinearModel,
    Linearization,
    LinkStress,
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
    load,
    loads,
    miner_damage,
    rainflow,
    read,
    schema,
)

__all__ = [
    "Assembly",
    "Audit",
    "Conversion",
    "Diagnostic",
    "Energy",
    "Error",
    "ForwardDerivatives",
    "InverseDerivatives",
    "InverseDynamics",
    "LinearModel",
    "Linearization",
    "LinkStress",
    "Mobility",
    "Model",
    "ModelError",
    "Modes",
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
    "convert",
    "load",
    "loads",
    "miner_damage",
    "rainflow",
    "read",
    "schema",
]
