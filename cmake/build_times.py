#!/usr/bin/python3
"""Where the processor time of a build goes: build_times.py FILE. CONTRIBUTING.md tells how a build writes the file, with one line
per compilation: user seconds, system seconds, largest memory in kB, command. Prints seconds, files and memory by room."""

import collections
import re
import sys

PARTS = [("united/lithe_setup/|lithe_setup.dir/|united/lithe/|lithe.dir/|src/lithe/", "library"),
         ("united/lithe-cli/|lithe-cli.dir/|src/(cli|reproduce)/", "program"),
         ("united/_lithe/|_lithe.dir/|python/", "Python module"),
         ("tests/|verification/|examples/", "tests")]


def place(command):
    """Part of the build and room of the file that a command compiles."""
    file = command.split()[-1]
    part = next((name for pattern, name in PARTS if re.search(pattern, file)), "other")
    if "cmake_pch" in file:
        return part, "precompiled header"
    if part == "library":
        found = re.search(r"united/[^/]+/lithe_([a-z]+)_\d+[.]cpp$|src/lithe/([a-z0-9]+)", file)
        return part, found.group(1) or found.group(2)
    found = re.search(r"united/[^/]+/([a-z]+)_\d+[.]cpp$", file)
    return part, found.group(1) if found else re.sub(r"^.*/([^/]+)/[^/]+$", r"\1", file)


def main():
    rooms = collections.defaultdict(list)
    for line in open(sys.argv[1], encoding="utf-8"):
        user, system, memory, command = line.split(None, 3)
        rooms[place(command)].append((float(user) + float(system), int(memory)))
    order = [name for _, name in PARTS] + ["other"]
    for part in order:
        mine = {room: files for (where, room), files in rooms.items() if where == part}
        if not mine:
            continue
        print(f"{sum(time for files in mine.values() for time, _ in files):7.0f} s  {part}")
        for room, files in sorted(mine.items(), key=lambda each: -sum(time for time, _ in each[1])):
            print(f"{sum(time for time, _ in files):11.0f} s  {room}: {len(files)} files, the longest "
                  f"{max(time for time, _ in files):.0f} s, memory {max(memory for _, memory in files) // 1024} MB")
    print(f"{sum(time for files in rooms.values() for time, _ in files):7.0f} s")


if __name__ == "__main__":
    main()
