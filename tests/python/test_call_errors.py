"""Wrong arguments are told in words of our own, in every function of the module."""

import inspect

import lithe
import numpy as np
import pytest


@pytest.fixture(scope="module")
def model(request):
    return lithe.loads(
        "lithe: 1\nparameters: {m: 1}\nlinks: {disc: {rigid: {mass: m, inertia: [1, 1, 2]}}}\n"
        "joints: {hinge: {revolute: z, from: ground, to: disc, actuated: true}}\n"
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: lithe.load(3), "lithe.load(): 'path' must be a path, not 3 (int); see help(lithe.load)"),
        (lambda m: lithe.load(), "lithe.load(): 'path' is missing: a path; see help(lithe.load)"),
        (
            lambda m: lithe.loads("x", rigit=True),
            "lithe.loads(): there is no argument 'rigit'; there are text, set, rigid, path; see help(lithe.loads)",
        ),
        (
            lambda m: lithe.loads("x", {"m": 1}),
            "lithe.loads(): takes 1 arguments by their place, but 2 were given; give set, rigid, path by name; "
            "see help(lithe.loads)",
        ),
        (
            lambda m: m.drive(5, None),
            "lithe.Model.drive(): 'joint' must be a text, not 5 (int); see help(lithe.Model.drive)",
        ),
        (
            lambda m: m.drive("hinge", None, coordinate="first"),
            "lithe.Model.drive(): 'coordinate' must be a whole number, not 'first' (str); see help(lithe.Model.drive)",
        ),
        (
            lambda m: m.modes(at="now"),
            "lithe.Model.modes(): 'at' must be a number, or None, not 'now' (str); see help(lithe.Model.modes)",
        ),
        (
            lambda m: m.simulate(until="late"),
            "lithe.RunOptions.until is a number, not 'late' (str)",
        ),
        (lambda m: setattr(m.run, "step", None), "lithe.RunOptions.step is a number, not None (NoneType)"),
        (lambda m: setattr(m, "gravity", "down"), "lithe.Model.gravity is 3 numbers, not 'down' (str)"),
        (lambda m: setattr(m, "gravity", [1, 2]), "lithe.Model.gravity is 3 numbers, not [1, 2] (list)"),
        (
            lambda m: m.prepare().assemble(q={"hinge": "x"}),
            "lithe.Prepared.assemble(): 'q' must be a dict from a text to a number, or None, not {'hinge': 'x'} (dict); "
            "see help(lithe.Prepared.assemble)",
        ),
        (
            lambda m: m.prepare().forward_dynamics("x"),
            "lithe.Prepared.forward_dynamics(): a value within an argument must be numbers, but there is one of type "
            "str; see help(lithe.Prepared.forward_dynamics)",
        ),
        (
            lambda m: m.map({"hinge": 3}),
            "lithe.Model.map(): a value within an argument must be (from, to, count), but there is one of type int; "
            "see help(lithe.Model.map)",
        ),
        (lambda m: lithe.Model(), "lithe.Model is not called; see help(lithe.Model) for what makes one"),
        (lambda m: lithe.Result(1), "lithe.Result is not called; see help(lithe.Result) for what makes one"),
        (
            lambda m: m.simulate()[3],
            "lithe.Result.__getitem__(): 'column' must be a text, not 3 (int); see help(lithe.Result.__getitem__)",
        ),
    ],
)
def test_messages(model, call, message):
    with pytest.raises(TypeError) as caught:
        call(model.copy())
    assert str(caught.value) == message


def walk():
    """Every function, method and setter of the compiled part, with a call of it that cannot fit."""
    nonsense = object()
    for name in lithe.__all__:
        thing = getattr(lithe, name)
        if not isinstance(thing, type):
            yield name, thing, (nonsense,) * 30
            continue
        if issubclass(thing, (Exception, dict)):
            continue
        for member, value in vars(thing).items():
            if isinstance(value, property):
                if value.fset is not None:
                    yield f"{name}.{member} =", value.fset, (nonsense, nonsense)
            elif callable(value) and not inspect.isfunction(value) and not member.startswith("_pybind11"):
                yield f"{name}.{member}", value, (nonsense,) * 30


@pytest.mark.parametrize(("name", "function", "arguments"), [pytest.param(*each, id=each[0]) for each in walk()])
def test_no_word_of_pybind11(name, function, arguments):
    with pytest.raises(TypeError) as caught:
        function(*arguments)
    text = str(caught.value)
    assert "incompatible" not in text and "Invoked with" not in text and "C++" not in text
    assert len(text) < 400


def test_right_calls_are_not_touched(model):
    robot = model.prepare()
    assert robot.forward_dynamics(np.array([2.0]))[0] == pytest.approx(1.0)
    assert robot.forward_dynamics(tau={"hinge": 2})[0] == pytest.approx(1.0)
    with pytest.raises(RuntimeError, match="from the law"):

        def law(t, q, v):
            raise RuntimeError("Unable, from the law")

        other = model.copy()
        other.drive("hinge", law)
        other.simulate()
