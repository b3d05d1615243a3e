"""Arrays are views of the module's memory and keep it alive."""

import gc
import sys
import weakref

import lithe
import numpy as np
import pytest


@pytest.fixture
def result(example):
    return lithe.load(example("khan-3rrr")).inverse_dynamics(until=0.1)


def test_columns_are_views(result):
    data = result.data
    assert data.shape == (len(result), len(result.columns))
    for k, name in enumerate(result.columns):
        column = result[name]
        assert np.shares_memory(column, data) and column.base is result
        assert column.__array_interface__["data"][0] == data.__array_interface__["data"][0] + 8 * k
        np.testing.assert_array_equal(column, data[:, k])
    assert np.shares_memory(result.t, result["t"])
    assert np.shares_memory(result.to_dict()["closure"], data)


def test_columns_are_read_only(result):
    with pytest.raises(ValueError, match="read-only"):
        result.t[0] = 1.0


def test_array_outlives_result(example):
    result = lithe.load(example("khan-3rrr")).inverse_dynamics(until=0.1)
    expected = np.array(result["tau.motor-1"])
    column = result["tau.motor-1"]
    del result
    gc.collect()
    junk = [np.full(100000, np.nan) for _ in range(20)]  # would overwrite freed memory
    np.testing.assert_array_equal(column, expected)
    del junk


def test_result_is_freed_with_its_last_array(example):
    result = lithe.load(example("khan-3rrr")).inverse_dynamics(until=0.1)
    before = sys.getrefcount(result)
    columns = [result[name] for name in ("t", "closure")]
    assert sys.getrefcount(result) == before + 2
    del columns
    assert sys.getrefcount(result) == before


def test_result_is_a_mapping(result):
    assert list(result) == result.columns == result.keys()
    assert "q.motor-1" in result and "q.motor-9" not in result
    with pytest.raises(KeyError, match="there is no column 'q.motor1'; did you mean 'q.motor-1'?"):
        result["q.motor1"]
    count = len(result.columns)
    assert repr(result) == f"<lithe.Result of 'planar 3-RRR of Khan et al.': 11 rows, {count} columns, complete>"


def test_state_is_a_view(example):
    prepared = lithe.load(example("khan-3rrr")).prepare()
    q = prepared.q
    assert np.shares_memory(q, prepared.q) and q.flags.writeable
    k = prepared.index("motor-1")
    q[k] += 0.1
    assert prepared.q[k] == q[k]
    assert prepared.closure_error() > 1e-3
    prepared.project()
    assert prepared.closure_error() < 1e-12 and np.shares_memory(q, prepared.q)
    del prepared
    gc.collect()
    assert np.isfinite(q).all()


def test_matrices_are_views(example):
    linear = lithe.load(example("flexible-3rrr")).linearize(locked=True).second_order
    assert np.shares_memory(linear.M, linear.M) and not linear.M.flags.writeable
    modes = lithe.load(example("flexible-3rrr")).modes()
    assert np.shares_memory(modes.shapes, modes.shapes)
    shapes = modes.shapes
    norm = shapes.T @ linear.M @ shapes  # mass-normalised
    del modes
    gc.collect()
    np.testing.assert_allclose(norm, np.eye(12), atol=1e-9)


def test_drives_do_not_leak(example):
    """A law lives as long as its model, and no longer."""
    model = lithe.load(example("khan-3rrr"))

    def law(t, q, v):
        return 0.0

    alive = weakref.ref(law)
    model.drive("motor-1", law, add=True)
    model.simulate(until=0.01)
    del law
    gc.collect()
    assert alive() is not None
    del model
    gc.collect()
    assert alive() is None
