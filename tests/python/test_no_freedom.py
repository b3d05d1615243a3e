"""Mechanisms with nothing to move: every function answers, empty or zero."""

import lithe
import numpy as np
import pytest

LINK = {"box": {"size": [0.1, 0.2, 0.3], "mass": 2, "at": [0, 0, 0.15]}}
WELD = {"fixed": True, "from": "ground", "to": "block"}
BAR = {"rod": {"from": [0, 0, 0], "to": [1, 0, 0], "mass": 1}, "frames": {"tip": [1, 0, 0]}}
MODELS = {
    "one link": {"gravity": [0, 0, -9.81], "links": {"block": LINK}, "joints": {"base": WELD}},
    "triangle": {
        "gravity": [0, -9.81, 0],
        "links": {"block": BAR, "b": BAR},
        "ground": {"right": [1.2, 0, 0]},
        "joints": {
            "p": {"revolute": "z", "from": "ground", "to": "block"},
            "q": {"revolute": "z", "from": "ground/right", "to": "b"},
            "t": {"revolute": "z", "from": "block/tip", "to": "b/tip"},
        },
        "initial": {"p": 0.9, "q": 2.2},
    },
}


@pytest.fixture(params=MODELS)
def still(request):
    return lithe.Model.from_dict({"lithe": 1, "run": {"until": 0.1, "every": 0.05}} | MODELS[request.param])


@pytest.mark.parametrize("integrator", ["auto", "exponential", "bdf", "adams", "dopri", "rk4", "dopri5-fixed", "ode45", "generalized-alpha"])
def test_runs(still, integrator):
    result = still.simulate(integrator=integrator)
    assert result.complete and len(result.t) == 3
    assert result.audit.energy_error < 1e-13


def test_motion_forces_and_rest(still):
    assert still.kinematics().complete
    assert still.inverse_dynamics().complete
    statics = still.statics(frame="block/origin")
    assert statics.stable and np.all(statics.compliance == 0)
    assert len(still.modes()) == 0
    assert still.linearize().A.size == 0


def test_single_states(still):
    state = still.prepare()
    assert state.independent == []
    assert state.mobility().mobility == 0
    for formulation in "noc", "gibbs-appell", "multipliers", "partitioning", "noc-dense":
        a = state.forward_dynamics(formulation=formulation)
        assert a.shape == (state.nv,) and np.all(np.abs(a) < 1e-13)
    state.step(0.01)
    assert state.inverse_dynamics().residual == pytest.approx(0, abs=1e-12)
    assert state.mass_matrix().size == 0
    assert state.complement().shape == (state.nv, 0)
    assert state.linearize().K.size == 0
    assert np.all(state.frame_velocity("block/origin") == 0)


def test_a_weld_carries_the_weight():
    model = lithe.Model.from_dict({"lithe": 1} | MODELS["one link"])
    state = model.prepare()
    weld = state.reactions(np.zeros(0))["base"]
    assert np.max(np.abs(weld)) == pytest.approx(2 * 9.81)
