"""The answers of an oracle in a JSON file beside it: written, or with --check read back to be compared."""
import json
import sys


def recorded(path, found):
    """The answers in the file; None after they were written there."""
    if "--check" not in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def recorded_states(path, found):
    """Name, state found and state recorded, one after the other, of answers with states of robots; nothing after they were written."""
    known = recorded(path, found)
    for name, states in found["robots"].items() if known else ():
        for ours, theirs in zip(states, known["robots"][name], strict=True):
            yield name, ours, theirs
