"""Pages that the program writes about itself: all keys of the model file from its schema, all commands from --help."""

import json
import re
import subprocess


def _anchor(name):
    return re.sub(r"[^a-z0-9-]", "", name.lower().replace(" ", "-"))


def _type(schema):
    """A JSON schema as words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{_anchor(name)})"
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema:
        # YAML readers of version 1.1 take on and off for flags; the schema lists both spellings.
        words = [each for each in schema["enum"] if isinstance(each, str)] or [str(each).lower() for each in schema["enum"]]
        return ", ".join(f"`{word}`" for word in words)
    if schema.get("type") == "array":
        return "list of " + _type(schema.get("items", {}))
    if "additionalProperties" in schema and isinstance(schema["additionalProperties"], dict):
        return "map of " + _type(schema["additionalProperties"])
    kind = schema.get("type", "anything")
    names = {"string": "text", "boolean": "`true` or `false`", "number": "number", "integer": "integer"}
    kinds = kind if isinstance(kind, list) else [kind]
    return " or ".join(names.get(each, each) for each in kinds)


def _section(name, schema):
    lines = [f"## {name}", "", schema.get("description", ""), ""]
    if "properties" in schema:
        required = set(schema.get("required", []))
        lines += ["| key | value | meaning |", "|---|---|---|"]
        for key, value in schema["properties"].items():
            mark = " (needed)" if key in required else ""
            text = value.get("description", "").replace("|", "\\|")
            lines.append(f"| `{key}`{mark} | {_type(value)} | {text} |")
        choices = [each["required"][0] for each in schema.get("oneOf", [])]
        if choices:
            lines += ["", "Exactly one of " + ", ".join(f"`{each}`" for each in choices) + "."]
    elif "anyOf" in schema or "type" in schema or "enum" in schema:
        lines.append("Written as: " + _type({k: v for k, v in schema.items() if k != "description"}) + ".")
    return lines + [""]


def keys_page(program):
    schema = json.loads(subprocess.run([program, "schema"], check=True, capture_output=True, text=True).stdout)
    lines = ["# All keys", "",
             "Made from `lithe schema`, the table from which the program checks a model file. Explanations and examples are",
             "in [model file](../model-file.md).", ""]
    lines += _section("The file", {k: v for k, v in schema.items() if k != "$defs"})
    for name in sorted(schema["$defs"]):
        lines += _section(name, schema["$defs"][name])
    return "\n".join(lines)


def verbs_of(program):
    text = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^  ([a-z]+) +\S", text.split("Subcommands:")[1], re.MULTILINE)


def commands_page(program):
    def help_of(*arguments):
        return subprocess.run([program, *arguments, "--help"], check=True, capture_output=True, text=True).stdout.strip()

    lines = ["# Commands", "", "Made from `lithe VERB --help`. What the verbs share is in [the program](../program.md).", "",
             "``` { .text .help }", help_of(), "```", ""]
    for verb in verbs_of(program):
        lines += [f"## lithe {verb}", "", "``` { .text .help }", help_of(verb), "```", ""]
    return "\n".join(lines)


def examples_page(folder):
    """The gallery with the text of every model."""
    lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
    lines += ["", "## The files", ""]
    for path in sorted(folder.glob("*.yaml")) + sorted(folder.glob("starters/*.yaml")) + sorted(folder.glob("urdf/*")):
        kind = "xml" if path.suffix == ".urdf" else "yaml"
        lines += [f'??? example "{path.relative_to(folder)}"', "", f"    ```{kind}"]
        lines += ["    " + line for line in path.read_text(encoding="utf-8").splitlines()]
        lines += ["    ```", ""]
    return "\n".join(lines)
