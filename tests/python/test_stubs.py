"""The type stub says what the module has: every public name, member and parameter, and nothing else."""

import ast
import re
from pathlib import Path

import lithe
import pytest

STUB = ast.parse((Path(lithe.__file__).parent / "__init__.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
# What Python gives every class, and what every class has in its own words.
COMMON = set(dir(object)) | {"__module__", "__dict__", "__weakref__", "__annotations__", "__orig_bases__"}


def members(node):
    names = set()
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            names.add(item.name)
        elif isinstance(item, ast.AnnAssign):
            names.add(item.target.id)
    return names


def parameters(node):
    arguments = node.args
    named = [a.arg for a in arguments.posonlyargs + arguments.args if a.arg != "self"]
    return named, [a.arg for a in arguments.kwonlyargs]


def parameters_of_docstring(function):
    """pybind11 writes 'name(self: X, joint: str, *, add: bool = False) -> None' on the first line."""
    signature = function.__doc__.splitlines()[0]
    inside = signature[signature.index("(") + 1 : signature.rindex(") ->")]
    named, keyword_only, target = [], [], None
    target = named
    depth, part, parts = 0, "", []
    for letter in inside + ",":
        depth += letter in "([{<"
        depth -= letter in ")]}>"
        if letter == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    for text in filter(None, parts):
        if text == "*":
            target = keyword_only
        elif text.startswith("**"):
            return named, None
        else:
            name = re.match(r"\w+", text).group()
            if name not in ("self",):
                target.append(name)
    return named, keyword_only


def test_public_names():
    assert set(lithe.__all__) == set(CLASSES) | set(FUNCTIONS)
    assert all(hasattr(lithe, name) for name in lithe.__all__)
    assert (Path(lithe.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_members(name):
    real = getattr(lithe, name)
    own = {n for n in vars(real) if n not in COMMON and not n.startswith("_pybind11")}
    if issubclass(real, Exception):
        own = set()
        assert members(CLASSES[name]) <= {"__init__", "diagnostics", "time", "result"}
        return
    stubbed = members(CLASSES[name])
    assert own == stubbed
    for item in CLASSES[name].body:
        if isinstance(item, ast.FunctionDef) and callable(getattr(real, item.name)):
            named, keyword_only = parameters_of_docstring(getattr(real, item.name))
            assert parameters(item)[0] == named, item.name
            if keyword_only is not None:
                assert parameters(item)[1] == keyword_only, item.name
            else:  # runs: further keywords are the attributes of RunOptions
                extra = set(parameters(item)[1]) - {"flexible", "output", "csv", "progress"}
                assert extra <= members(CLASSES["RunOptions"])
                if item.name == "simulate":
                    assert extra == members(CLASSES["RunOptions"])


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions(name):
    assert parameters(FUNCTIONS[name]) == parameters_of_docstring(getattr(lithe, name))


@pytest.mark.parametrize("name", sorted(set(lithe.__all__)))
def test_docstrings(name):
    thing = getattr(lithe, name)
    assert thing.__doc__
    if not isinstance(thing, type) or issubclass(thing, Exception):
        return
    for member, value in vars(thing).items():
        if not member.startswith("_") and callable(value):
            assert len(value.__doc__.splitlines()) > 2, f"{name}.{member} has no docstring"
