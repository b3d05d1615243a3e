"""The type stub says what the module has: every public name, member and parameter, and nothing else."""

import ast
import inspect
import re
from pathlib import Path

import lithe
import pytest

STUB = ast.parse((Path(lithe.__file__).parent / "__init__.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
# What Python gives every class, what every class has in its own words, and how objects are copied.
COMMON = set(dir(object)) | {"__module__", "__dict__", "__weakref__", "__annotations__", "__orig_bases__"}
COMMON |= {"__setstate__", "__copy__", "__deepcopy__"}


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


def real_parameters(function):
    """Named ones, and those by keyword alone; None for these when there may be any."""
    if inspect.isfunction(function):
        kinds = inspect.signature(function).parameters.values()
        named = [each.name for each in kinds if each.kind is each.POSITIONAL_OR_KEYWORD and each.name != "self"]
        return named, [each.name for each in kinds if each.kind is each.KEYWORD_ONLY]
    return parameters_of_docstring(function)


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
    own = {n for n in vars(real) if n not in COMMON and (n.startswith("__") or not n.startswith("_"))}
    if issubclass(real, Exception):
        own = set()
        assert members(CLASSES[name]) <= {"__init__", "diagnostics", "time", "result"}
        return
    stubbed = members(CLASSES[name])
    assert own == stubbed
    for item in CLASSES[name].body:
        if isinstance(item, ast.FunctionDef) and callable(getattr(real, item.name)):
            named, keyword_only = real_parameters(getattr(real, item.name))
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
    assert parameters(FUNCTIONS[name]) == real_parameters(getattr(lithe, name))


def has_words(documented):
    """More than the signature that pybind11 writes."""
    text = documented.__doc__ or ""
    if re.match(r"\w+\(.*\) -> ", text):
        text = "".join(text.splitlines()[1:])
    return len(text.strip()) > 5


@pytest.mark.parametrize("name", sorted(set(lithe.__all__)))
def test_docstrings(name):
    """Every class, attribute, method and function says what it is."""
    thing = getattr(lithe, name)
    assert has_words(thing)
    if not isinstance(thing, type) or issubclass(thing, Exception):
        return
    silent = [member for member in members(CLASSES[name]) if not has_words(getattr(thing, member))]
    assert not silent
