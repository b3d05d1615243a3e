"""Models that are wrong: every value of two accepted models replaced by something else, and texts that are no models."""

import re
from pathlib import Path

import yaml

from harness import HERE, Case

# What takes the place of a value. Not all of it is wrong everywhere: what is accepted must then give a result.
SCALARS = ["{a: b}", "[1, 2, 3, 4, 5, 6, 7, 8]", "banana split", "-1", ".nan", "1e400", "''", "~", "0", "1e300", "1e-300", "true"]
LISTS = ["7", "{a: 1}", "[]", "[[[1]]]", "nothing"]
MAPS = ["7", "[1, 2]", "{}", "{unheard-of: 1}", "nothing", "~"]


def values(node, path=""):
    """Every value of a YAML tree with its path and its place in the text."""
    yield path, node
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from values(value, f"{path}.{key.value}" if path else key.value)
    elif isinstance(node, yaml.SequenceNode):
        for i, value in enumerate(node.value):
            yield from values(value, f"{path}[{i}]")


def spoiled(text, replacements, every=1):
    """(name, text) with one value replaced; `replacements` of each kind in turn, so that all meet all kinds of keys."""
    turn = 0
    for path, node in values(yaml.compose(text)):
        if not path or path in ("name", "description"):
            continue
        kinds = SCALARS if isinstance(node, yaml.ScalarNode) else LISTS if isinstance(node, yaml.SequenceNode) else MAPS
        for _ in range(min(replacements, len(kinds))):
            turn += 1
            if turn % every:
                continue
            new = kinds[turn % len(kinds)]
            start, end = node.start_mark.index, node.end_mark.index
            block = isinstance(node, (yaml.MappingNode, yaml.SequenceNode)) and not node.flow_style
            old = text[start:end]
            # A block reaches to the next key: its line ends stay.
            tail = old[len(old.rstrip()):] if block else ""
            yield f"{path} = {new}", text[:start] + new + tail + text[end:]


# One finite element per beam of the model with every key: what is wrong with a value shows as well, in half of the time.
COARSE = {"      elements: 4\n": "      elements: 1\n", "strut:\n    beam:\n": "strut:\n    beam:\n      elements: 1\n"} | {
    f"{beam} {{": f"{beam} {{elements: 1, " for beam in ("column:\n    beam:", "girder:\n    beam:", "shaft: {beam:", "strip: {beam:")}


def coarse(text):
    for old, new in COARSE.items():
        text = text.replace(old, new)
    return text


def model(text):
    return lambda folder: (folder / "model.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())


def cases():
    base = (HERE / "base.yaml").read_text()
    for name, text in spoiled(base, 2):
        yield Case(f"spoiled {name}", ["simulate", "model.yaml", "--csv", "out.csv", "--quiet"], setup=model(text),
                   outputs=("out.csv",), kept=("out.csv",), place=True)
    accepted = HERE.parent / "io" / "accepted"
    every_key = (accepted / "every-key.yaml").read_text()
    for place in re.findall(r"(?:parts|meshes|[.][.]/[.][.]/data)/[^\s,}]+", every_key):
        assert (accepted / place).exists(), place
    assert all(every_key.count(old) == 1 for old in COARSE)
    every_key = re.sub(r"(?<= )(?=(parts|meshes|[.][.]/[.][.]/data)/)", f"{accepted.resolve()}/", every_key)
    for name, text in spoiled(every_key, 1, 5):
        yield Case(f"every-key {name}", ["check", "model.yaml", "--quiet"], setup=model(coarse(text)), place=True)
    yield from texts(base)
    yield from physics(base)


def texts(base):
    """Files that are no models."""
    deep = "lithe: 1\nlinks: " + "[" * 20000 + "]" * 20000
    bomb = "lithe: 1\na: &a [x, x, x, x, x, x, x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi"))
    wrong = {
        "empty": "", "blank": "\n \n", "comment only": "# nothing\n", "a word": "hello", "a list": "- 1\n- 2\n",
        "tabs": "lithe: 1\nlinks:\n\tarm: 1\n", "open bracket": "lithe: 1\nlinks: {arm: [1, 2\n",
        "open quote": "lithe: 1\nname: 'x\n", "doubled key": "lithe: 1\nname: a\nname: b\n",
        "two documents": base + "\n---\n" + base, "version 2": base.replace("lithe: 1", "lithe: 2"),
        "no version": base.replace("lithe: 1\n", ""), "version text": base.replace("lithe: 1", "lithe: one"),
        "deep nesting": deep, "alias bomb": bomb, "unknown alias": "lithe: 1\nlinks: *nowhere\n",
        "unknown tag": "lithe: !!python/object:os.system 1\n", "only version": "lithe: 1\n",
        "merge of a text": "lithe: 1\n<<: hello\n", "very long line": "lithe: 1\nname: " + "x" * 3000000 + "\n",
        "no links": "lithe: 1\nlinks: {}\njoints: {}\n", "key is a list": "lithe: 1\n[1, 2]: 3\n",
        "key is empty": "lithe: 1\n'': 3\n", "include itself": base.replace("part.yaml", "model.yaml"),
        "include nothing": base.replace("part.yaml", "nowhere.yaml"), "include a folder": base.replace("part.yaml", "."),
        "include a device": base.replace("part.yaml", "/dev/zero"), "include a table": base.replace("part.yaml", "samples.csv"),
        "table missing": base.replace("samples.csv", "none.csv"), "table is a folder": base.replace("samples.csv", "/tmp"),
        "table is a device": base.replace("samples.csv", "/dev/zero"), "table is a model": base.replace("samples.csv", "part.yaml"),
        "column missing": base.replace("column: force", "column: torque"), "json": '{"lithe": 1, "links": [',
        "xml": "<robot name='x'/>", "many links": "lithe: 1\nlinks:\n" + "".join(f"  a{i}: 1\n" for i in range(20000)),
    }
    for name, text in wrong.items():
        yield Case(f"text {name}", ["check", "model.yaml"], setup=model(text), codes=(2,), says=r"model\.yaml|nowhere|none\.csv|"
                   r"part\.yaml|samples\.csv|/tmp|/dev/zero")
    for name, text in {"latin 1": base.replace("name: base", "name: gr\xfcn").encode("latin-1"), "utf-16": base.encode("utf-16"),
                       "utf-32": base.encode("utf-32"), "nul": base.replace("name: base", "name: a\0b").encode(),
                       "noise": bytes((i * 37 + i * i) % 256 for i in range(5000)), "elf": b"\x7fELF\x02\x01\x01" + bytes(100),
                       "overlong": b"lithe: 1\nname: \xc0\xaf\n", "surrogate": b"lithe: 1\nname: \xed\xa0\x80\n",
                       "cut letter": b"lithe: 1\nname: \xe2\x82"}.items():
        yield Case(f"bytes {name}", ["check", "model.yaml"], setup=model(text), codes=(2,), says="UTF-(8|16)")
    for name, table in {"text": "t,force\n0,a\n1,2\n", "nan": "t,force\n0,nan\n1,2\n", "inf": "t,force\n0,inf\n1,2\n",
                        "backwards": "t,force\n1,0\n0,2\n", "equal times": "t,force\n0,0\n0,2\n", "empty": "", "one column": "t\n0\n1\n",
                        "header only": "t,force\n", "ragged": "t,force\n0,1\n1\n", "huge": "t,force\n0,1e999\n1,2\n"}.items():
        yield Case(f"table {name}", ["check", "model.yaml"], codes=(2,), says="samples.csv",
                   setup=lambda folder, table=table: (model(base)(folder), (folder / "samples.csv").write_text(table)))
    # Not hostile, though rare: these are accepted.
    for name, text in {"byte order mark": b"\xef\xbb\xbf" + base.encode(), "line ends of windows": base.replace("\n", "\r\n").encode(),
                       "letters of the world": base.replace("name: base", "name: Gel\u00e4nde \u673a\u68b0").encode()}.items():
        yield Case(f"accepted {name}", ["simulate", "model.yaml", "--csv", "out.csv", "-q"], setup=model(text), codes=(0,),
                   outputs=("out.csv",))


def physics(base):
    """Numbers that are possible in the file and not in the world, and runs that cannot be."""
    def changed(old, new):
        assert old in base, old
        return base.replace(old, new)

    wrong = {
        "zero length rod": changed("to: [length, 0], material", "to: [0, 0], material"),
        "zero length beam": changed("beam: {length: 0.5", "beam: {length: 0"),
        "tiny beam": changed("beam: {length: 0.5", "beam: {length: 1e-200"),
        "no mass": changed("mass: weight", "mass: 0"), "negative mass": changed("mass: weight", "mass: -1"),
        "tiny mass": changed("mass: weight", "mass: 1e-300"), "huge mass": changed("mass: weight", "mass: 1e300"),
        "division by zero": changed("weight: 2*length", "weight: 1/0"), "root of -1": changed("weight: 2*length", "weight: sqrt(-1)"),
        "circle of parameters": changed("weight: 2*length", "weight: 2*weight"),
        "huge gravity": changed("-9.81", "-1e200"), "huge stiffness": changed("stiffness: 10,", "stiffness: 1e300,"),
        "law with a pole": changed("force: [sin(t), 1]", "force: [1/(t-0.01), 1]"),
        "law that is not a number": changed("force: [sin(t), 1]", "force: [sqrt(0.01-t), 1]"),
        "law that explodes": changed("force: [sin(t), 1]", "force: [exp(1e5*t), 1]"),
        "infinite law": changed("force: [sin(t), 1]", "force: [1e308*10, 1]"),
        "link without a joint": changed("  arm:\n", "  stray: {rigid: {mass: 1, inertia: [1, 1, 1]}}\n  arm:\n"),
        "joint of a link to itself": changed("to: arm/root", "to: crank"),
        "impossible inertia": changed("block: {box: {size: [0.1, 0.1, 0.1], mass: weight, at: [0, 0, 0]}}",
                                      "block: {rigid: {mass: 1, inertia: [1, 1, 5]}}"),
        "wall thicker than the tube": changed("rectangle: {height: 0.004, width: 0.02}", "tube: {radius: 0.01, thickness: 0.02}"),
        "loop that cannot close": changed("springs:", "  close: {revolute: z, from: arm/tip, to: ground/far}\nsprings:").replace(
            "ground: {", "ground: {far: [50, 0], "),
        "no end": changed("until: 0.02", "until: 1e9"), "end of all time": changed("until: 0.02", "until: 1e300"),
        "end at the start": changed("until: 0.02", "until: 0"), "end before the start": changed("until: 0.02", "until: -1"),
        "no interval": changed("every: 0.01", "every: 0"), "tiny interval": changed("every: 0.01", "every: 1e-300"),
        "long interval": changed("every: 0.01", "every: 1e300"), "no tolerance": changed("rtol: 1e-6", "rtol: 0"),
        "tolerance below rounding": changed("rtol: 1e-6, atol: 1e-8", "rtol: 1e-30, atol: 1e-30"),
        "no step": changed("integrator: dopri", "integrator: rk4").replace("step: 1e-3", "step: 0"),
        "tiny step": changed("integrator: dopri", "integrator: rk4").replace("step: 1e-3", "step: 1e-300"),
        "coarse step": changed("integrator: dopri", "integrator: rk4").replace("step: 1e-3", "step: 10").replace("until: 0.02", "until: 20"),
        "negative limit": changed("condition-limit: 1e8", "condition-limit: -1"),
        "a million elements": changed("elements: 2", "elements: 1000000"),
        "a million modes": changed("count: 1,", "count: 1000000,"),
        "a million segments": changed("elements: 2", "segments: 1000000"),
        "frame beyond the beam": changed("middle: 0.25", "middle: 2.5"),
    }
    for name, text in wrong.items():
        yield Case(f"physics {name}", ["simulate", "model.yaml", "--csv", "out.csv", "--quiet"], setup=model(text),
                   outputs=("out.csv",), kept=("out.csv",))
    for integrator in ("rk4", "dopri5-fixed", "generalized-alpha"):
        yield Case(f"physics pole with {integrator}", ["simulate", "model.yaml", "--integrator", integrator, "--csv", "out.csv", "-q"],
                   setup=model(wrong["law with a pole"]), outputs=("out.csv",), kept=("out.csv",))
    # Steps that follow the law get shorter and shorter: the run ends at the pole and says why.
    for integrator in ("exponential", "bdf", "adams", "dopri", "ode45", "ida"):
        yield Case(f"physics pole with {integrator}", ["simulate", "model.yaml", "--integrator", integrator, "--csv", "out.csv", "-q"],
                   setup=model(wrong["law with a pole"]), kept=("out.csv",), codes=(1,),
                   says=rf"integrator '{integrator}' cannot go on at t = 0\.01 s: \w+")
