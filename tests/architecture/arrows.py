#!/usr/bin/env python3
"""Which room of the library uses which, read from the includes.

  tests/architecture/arrows.py            fails when an arrow points up, or a front looks into a private header
  tests/architecture/arrows.py --draw     writes docs/images/rooms.svg

The order of the rooms is the only list: a room may include headers of rooms before it. docs/architecture.md tells what
each is for.
"""
import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PICTURE = os.path.join(ROOT, 'docs/images/rooms.svg')

ROOMS = ['errors', 'matrices', 'spatial', 'laws', 'links', 'mechanism', 'kinematics', 'dynamics', 'analysis', 'control', 'simulation', 'io']
FRONTS = {'src/cli': 'program', 'src/reproduce': 'reproduce', 'python/src': 'python'}  # use public headers only
WHOLE = 'lithe/lithe.hpp'  # the umbrella stands above all rooms
SHARED = {'lithe/io/json_text.hpp'}  # private, because it includes a heavy header, yet one place for the program too


def sources(folder):
    for where, _, names in sorted(os.walk(os.path.join(ROOT, folder))):
        for name in sorted(names):
            if name.endswith(('.cpp', '.hpp', '.inc')):
                yield os.path.join(where, name)


def includes(path):
    with open(path) as file:
        for number, line in enumerate(file, 1):
            if match := re.match(r'\s*#include "(lithe/[\w./]+)"', line):
                yield number, match.group(1)


def room_of(header):
    """`lithe/links/modes.hpp` -> links, `lithe/errors.hpp` -> errors."""
    parts = header.split('/')
    return parts[1] if len(parts) > 2 else os.path.splitext(parts[1])[0]


def place(path):
    return os.path.relpath(path, ROOT)


def read_arrows():
    """Counts (user, used) -> number of includes, and a list of complaints."""
    arrows, complaints = collections.Counter(), []
    for base in ('include/lithe', 'src/lithe'):
        for path in sources(base):
            header = 'lithe/' + os.path.relpath(path, os.path.join(ROOT, base))
            if header == WHOLE:
                continue
            room = room_of(header)
            for line, used_header in includes(path):
                used = room_of(used_header)
                if used == room or used == 'version':
                    continue
                arrows[room, used] += 1
                if room not in ROOMS or used not in ROOMS:
                    complaints.append(f'{place(path)}:{line}: a room that is not on the list: {room} uses {used}')
                elif ROOMS.index(used) > ROOMS.index(room):
                    complaints.append(f'{place(path)}:{line}: {room} is below {used} and must not use {used_header}')
                if base == 'include/lithe' and not os.path.exists(os.path.join(ROOT, 'include', used_header)):
                    complaints.append(f'{place(path)}:{line}: a public header includes the private {used_header}')
    for folder, front in FRONTS.items():
        for path in sources(folder):
            for line, used_header in includes(path):
                arrows[front, room_of(used_header)] += 1
                if used_header not in SHARED and not os.path.exists(os.path.join(ROOT, 'include', used_header)):
                    complaints.append(f'{place(path)}:{line}: {front} is a front and may use public headers only, not '
                                      f'{used_header}')
    return arrows, complaints


def picture(arrows):
    """A table of dots: rows use columns. Above the diagonal nothing may stand."""
    used = ROOMS
    rows = ROOMS[1:] + [front for front in FRONTS.values() if any(user == front for user, _ in arrows)]
    cell, left, top = 34, 104, 92
    width, height = left + cell * len(used) + 12, top + cell * len(rows) + 12
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           'font-family="system-ui, sans-serif" font-size="13" role="img">',
           '<title>Which room uses which: rows use columns, dots grow with the number of includes</title>',
           '<style>text{fill:#37474f}.d{fill:#d84315}.g{fill:#90a4ae;opacity:.16}.s{fill:#90a4ae;opacity:.5}'
           '@media (prefers-color-scheme: dark){text{fill:#cfd8dc}.d{fill:#ff8a65}}</style>']
    for i, name in enumerate(used):
        x = left + cell * (i + 0.5)
        out.append(f'<text transform="translate({x + 4:.0f} {top - 10}) rotate(-50)">{name}</text>')
    for j, room in enumerate(rows):
        y = top + cell * (j + 0.5)
        out.append(f'<text x="{left - 10}" y="{y + 4:.0f}" text-anchor="end">{room}</text>')
        for i, name in enumerate(used):
            x = left + cell * (i + 0.5)
            kind = 's' if room == name else 'g'
            out.append(f'<rect class="{kind}" x="{x - cell / 2 + 1:.0f}" y="{y - cell / 2 + 1:.0f}" width="{cell - 2}" '
                       f'height="{cell - 2}" rx="4"/>')
            if count := arrows[room, name]:
                radius = min(13.0, 3.0 + 1.6 * count ** 0.4)
                out.append(f'<circle class="d" cx="{x:.0f}" cy="{y:.0f}" r="{radius:.1f}"><title>{room} uses {name}: {count}'
                           '</title></circle>')
    out.append('</svg>')
    return '\n'.join(out) + '\n'


def shape(text):
    """What a picture shows, without the sizes of its dots, which change with every include."""
    return re.findall(r'<title>(\w+ uses \w+):|<text [^>]*>(\w+)<', text)


def main():
    arrows, complaints = read_arrows()
    for complaint in complaints:
        print(complaint)
    if '--draw' in sys.argv[1:]:
        os.makedirs(os.path.dirname(PICTURE), exist_ok=True)
        with open(PICTURE, 'w') as file:
            file.write(picture(arrows))
        print('wrote', place(PICTURE))
    else:
        with open(PICTURE) as file:
            drawn = shape(file.read())
        if drawn != shape(picture(arrows)):
            complaints.append('')
            print(f'{place(PICTURE)} shows other arrows; draw it anew: tests/architecture/arrows.py --draw')
    if complaints:
        sys.exit(1)
    print(f'{sum(arrows.values())} includes between rooms, none of them points up')


if __name__ == '__main__':
    main()
