"""Sentences for calls with wrong arguments, in place of the signatures of C++ that pybind11 lists."""

import os
import re

import numpy as np

# Types as pybind11 writes them, in words.
_WORDS = {
    "float": "a number",
    "int": "a whole number",
    "bool": "True or False",
    "str": "a text",
    "os.PathLike": "a path",
    "dict": "a dict",
    "list": "a list",
    "tuple": "a tuple",
}


def _split(text):
    """Parts between the commas that stand in no bracket."""
    parts, part, depth = [], "", 0
    quoted = False
    for letter in text + ",":
        if letter == "'":
            quoted = not quoted
        if not quoted:
            depth += letter in "([{<"
            depth -= letter in ")]}>"
        if letter == "," and depth == 0 and not quoted:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    return [part for part in parts if part]


def _inner(kind, name):
    """'float' of 'List[float]'; None for another kind."""
    return _split(kind[len(name) + 1 : -1]) if kind.startswith(name + "[") else None


def _shape(kind):
    """Of 'numpy.ndarray[numpy.float64[m, 1]]': ('m', '1')."""
    found = re.search(r"\[([\w, ]+)\]\]", kind)
    return tuple(found.group(1).split(", ")) if found else ()


def _words(kind):
    """What a type of a signature means."""
    if kind in _WORDS:
        return _WORDS[kind]
    if parts := _inner(kind, "Optional"):
        return _words(parts[0]) + ", or None"
    if parts := _inner(kind, "Union"):
        return " or ".join(dict.fromkeys(_words(part) for part in parts if part != "bytes"))
    if parts := _inner(kind, "List"):
        return "a list, each " + _words(parts[0])
    if parts := _inner(kind, "Dict"):
        return f"a dict from {_words(parts[0])} to {_words(parts[1])}"
    if parts := _inner(kind, "Tuple"):
        return "(" + ", ".join(_words(part) for part in parts) + ")"
    if kind.startswith("numpy.ndarray"):
        shape = _shape(kind)
        if len(shape) == 2 and shape[1] == "1":
            return "numbers, one after the other" if shape[0] == "m" else f"{shape[0]} numbers"
        return "an array of numbers"
    return f"a {kind}" if kind.startswith("lithe.") else kind


def _fits_array(kind, value):
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return False
    shape = _shape(kind)
    if len(shape) == 2 and shape[1] == "1":
        return array.squeeze().ndim <= 1 and (shape[0] == "m" or array.size == int(shape[0]))
    return True


def _fits(kind, value):
    """Whether a value can be what a signature wants; True where that is not known."""
    if kind == "float":
        return not isinstance(value, (str, bytes)) and (hasattr(value, "__float__") or hasattr(value, "__index__"))
    if kind == "int":
        return hasattr(value, "__index__")
    if kind == "bool":
        return isinstance(value, (bool, np.bool_))
    if kind == "str":
        return isinstance(value, (str, bytes))
    if kind == "os.PathLike":
        return isinstance(value, (str, bytes, os.PathLike))
    if kind in ("dict", "list", "tuple"):
        return isinstance(value, {"dict": dict, "list": list, "tuple": tuple}[kind])
    if parts := _inner(kind, "Optional"):
        return value is None or _fits(parts[0], value)
    if parts := _inner(kind, "Union"):
        return any(_fits(part, value) for part in parts)
    if parts := _inner(kind, "List"):
        return (
            hasattr(value, "__len__")
            and not isinstance(value, (str, bytes, dict))
            and all(_fits(parts[0], each) for each in value)
        )
    if parts := _inner(kind, "Dict"):
        return isinstance(value, dict) and all(
            _fits(parts[0], key) and _fits(parts[1], each) for key, each in value.items()
        )
    if parts := _inner(kind, "Tuple"):
        return (
            isinstance(value, (list, tuple))
            and len(value) == len(parts)
            and all(_fits(part, each) for part, each in zip(parts, value))
        )
    if kind.startswith("numpy.ndarray"):
        return _fits_array(kind, value)
    if kind.startswith("lithe."):
        return f"lithe.{type(value).__name__}" == kind
    return True


def _shown(value):
    """A value with its type, not longer than a line."""
    text = " ".join(repr(value).split())
    if len(text) > 60:
        text = text[:57] + "..."
    return f"{text} ({type(value).__name__})"


class _Signature:
    def __init__(self, text):
        inside = text[text.index("(") + 1 : text.rindex(") ->")]
        self.named, self.keyword_only, self.required, self.kinds = [], [], [], {}
        self.any_keyword = False
        target = self.named
        for part in _split(inside):
            if part == "*":
                target = self.keyword_only
            elif part.startswith("**"):
                self.any_keyword = True
            elif not part.startswith("*"):
                name, _, rest = part.partition(": ")
                kind, equal, _ = rest.partition(" = ")
                self.kinds[name] = kind
                target.append(name)
                if not equal:
                    self.required.append(name)

    def complaint(self, args, keywords):
        """What does not fit, or '' when nothing is found."""
        if len(args) > len(self.named):
            own = len(self.named) - ("self" in self.named)
            given = len(args) - ("self" in self.named)
            more = f"; give {', '.join(self.keyword_only)} by name" if self.keyword_only else ""
            return f"takes {own} arguments by their place, but {given} were given{more}"
        given = dict(zip(self.named, args))
        for name in keywords:
            if name in given:
                return f"'{name}' is given twice"
            if name not in self.kinds and not self.any_keyword:
                known = [each for each in self.named + self.keyword_only if each != "self"]
                return f"there is no argument '{name}'; there are {', '.join(known) or 'none'}"
        given.update(keywords)
        for name in self.required:
            if name not in given:
                return f"'{name}' is missing: {_words(self.kinds[name])}"
        for name, value in given.items():
            kind = self.kinds.get(name, "object")
            if name != "self" and not _fits(kind, value):
                return f"'{name}' must be {_words(kind)}, not {_shown(value)}"
        return ""


def _converted(text):
    """A value within an argument that is of the wrong type."""
    found = re.search(r"instance of type <class '(.*?)'> to C\+\+ type '(.*?)'", text)
    if not found:
        return "a value within an argument is of a wrong type"
    words = {"double": "a number", "int": "a whole number", "std::string": "a text", "str": "a text"}
    target = found.group(2)
    if "Matrix" in target:
        wanted = "numbers"
    elif "string" in target:
        wanted = "a text"
    elif "tuple" in target:
        wanted = "(from, to, count)" if target.count("double") == 2 else "a tuple"
    elif "dict" in target:
        wanted = "a dict"
    else:
        wanted = words.get(target, "something else")
    return f"a value within an argument must be {wanted}, but there is one of type {found.group(1)}"


def explain(name, text, args, keywords):
    """The sentence for the error `text` of pybind11, in a call of `name` ('Model.drive()', 'Model.gravity =')."""
    who = f"lithe.{name}" if name else "this function"
    if text.startswith("Unable to cast"):
        return f"{who.removesuffix(' =')}: {_converted(text)}; see help(lithe.{name.rstrip('()= ')})"
    signatures = [_Signature(line) for line in re.findall(r"^    \d+\. (.*)$", text, re.MULTILINE)]
    if name.endswith(" ="):
        kind = list(signatures[0].kinds.values())[-1]
        return f"{who.removesuffix(' =')} is {_words(kind)}, not {_shown(args[-1])}"
    complaints = [signature.complaint(args, keywords) for signature in signatures]
    found = next(filter(None, complaints), "the arguments are of wrong types")
    return f"{who}: {found}; see help(lithe.{name.removesuffix('()')})"
