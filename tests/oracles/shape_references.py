#!/usr/bin/env python3
"""Deflections of twelve elastic mechanisms with every finite-element coordinate and beams in segments.

  tests/oracles/shape_references.py build/lithe [CASE ...]

writes tests/data/shapes/CASE.json: the model whose shapes are to be chosen automatically, and the deflections of its
recorded frames (position minus that of the rigid twin) when nothing is left to choose: beams are split into segments,
each keeps all coordinates of a mesh as fine as the default one or finer. A second run with another split tells
how far the reference itself is settled; it is written down as `settled` (of the peak). No mode, no static shape and no
automatic choice takes part in these runs.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROWS = 120  # of the record, spread over the whole run

# File, damping of every elastic link in place of its own (ratios depend on the shapes, a material does not), splits
# (segments, elements of each) of the reference and of the run that checks it, step, recorded frames in place of its own.
# A segment has at most twelve coordinates: with more, the engine leaves out the inertia of foreshortening.
# Damped mechanisms are integrated by BDF, to 1e-8. Where nothing is damped, the fastest of all coordinates ring for ever:
# generalized-alpha in fixed steps then, once more in steps of twice the length, and extrapolated to order four.
CASES = {
    'payload-pendulum': ('tests/data/shapes/payload-pendulum.yaml', None, (3, 6), (4, 6), 5e-5, None),
    'flexible-pendulum': ('examples/flexible-pendulum.yaml', 4e-5, (2, 6), (3, 5), None, None),
    'flexible-four-bar': ('examples/flexible-four-bar.yaml', 6e-5, (2, 6), (3, 5), None, ['coupler/middle', 'rocker/middle']),
    'flexible-slider-crank': ('examples/flexible-slider-crank.yaml', 0, (3, 6), (4, 5), None, ['rod/middle']),
    'starter-five-bar': ('examples/starters/five-bar.yaml', 4e-5, (2, 5), (3, 4), None,
                         ['forearm-left/middle', 'forearm-right/middle']),
    'starter-serial-arm': ('examples/starters/serial-arm.yaml', 1e-4, (4, 2), (6, 2), None, None),
    'offset-payload': ('tests/data/shapes/offset-payload.yaml', None, (4, 2), (5, 2), None, None),
    'tube-slider-crank': ('tests/data/shapes/tube-slider-crank.yaml', None, (2, 4), (3, 3), None, None),
    'tube-five-bar': ('tests/data/shapes/tube-five-bar.yaml', None, (2, 4), (3, 3), None, None),
    'spatial-four-bar': ('tests/data/shapes/spatial-four-bar.yaml', None, (4, 2), (3, 2), 5e-5, None),
    'flexible-3rrr': ('examples/flexible-3rrr.yaml', 4e-5, (2, 4), (2, 5), None, None),
    'truss-boom': ('tests/data/shapes/truss-boom.yaml', None, None, None, None, None),
}

# At its own speed of 150 rad/s the rod bends by a sixtieth of its length, where theories of small bending differ by more than
# shapes do (0.8 percent of the peak between one piece and three).
PARAMETERS = {'flexible-slider-crank': {'speed': '100'}}

# Of tubes and bars that lie in the plane of a planar mechanism only the motion in the plane is asked for.
PLANAR = {'tube-slider-crank', 'tube-five-bar'}

# Where links carry by stretching; elsewhere it is a millionth of the deflection and would only make the runs long.
STRETCHING = {'tube-slider-crank', 'tube-five-bar'}


def merged(node):
    """The tree with `<<` written out."""
    if isinstance(node, list):
        return [merged(each) for each in node]
    if not isinstance(node, dict):
        return node
    out = {}
    for key, value in node.items():
        if key == '<<':
            out = {**merged(value), **out}
        else:
            out[key] = merged(value)
    return out


def written(node):
    """YAML in flow style; plain scalars stay plain."""
    if isinstance(node, dict):
        return '{' + ', '.join(f'{key}: {written(value)}' for key, value in node.items()) + '}'
    if isinstance(node, list):
        return '[' + ', '.join(written(each) for each in node) + ']'
    text = str(node)
    return text if re.fullmatch(r'[A-Za-z0-9_.+*/^() -]+', text) else json.dumps(text)


def model_text(tree):
    return '\n'.join(f'{key}: {written(value)}' for key, value in tree.items()) + '\n'


def prepared(case):
    """The model without `modes`, its recorded frames only."""
    path, damping, _, _, _, frames = CASES[case]
    with open(os.path.join(ROOT, path)) as file:
        tree = merged(yaml.load(file, yaml.BaseLoader))
    tree.get('parameters', {}).update(PARAMETERS.get(case, {}))
    for link in tree['links'].values():
        if not any(kind in link for kind in ('beam', 'truss')):
            continue
        link.pop('modes', None)
        if damping is not None:
            link.pop('damping', None)
            if damping > 0:
                link['damping'] = {'kelvin-voigt': damping}
    if frames is None:
        frames = next(each['frames'] for each in tree['record'] if isinstance(each, dict))
    for frame in frames:
        link, _, place = frame.partition('/')
        if place == 'middle':
            body = tree['links'][link]
            body.setdefault('frames', {}).setdefault('middle', f"({body['beam']['length']})/2")
    tree['record'] = [{'frames': frames}]
    tree['run'].pop('integrator', None)
    return tree, frames


def reference(tree, case, split, step):
    """Nothing chosen: all coordinates, beams in segments."""
    tree = json.loads(json.dumps(tree))
    for link in tree['links'].values():
        if 'truss' in link:
            link['modes'] = {'all': 'true'}
        if 'beam' in link:
            beam = link['beam']
            beam['segments'], beam['elements'] = map(str, split)
            if 'section' in beam:
                beam['stretching'] = 'true' if case in STRETCHING else 'false'
            if case in PLANAR:
                beam['bending'], beam['torsion'] = 'y', 'false'
            link['modes'] = {'all': 'true'}
    if step:
        tree['run'].update({'integrator': 'generalized-alpha', 'step': str(step)})
    else:
        tree['run'].update({'integrator': 'bdf', 'rtol': '1e-8', 'atol': '1e-10'})
    return tree


def run(program, tree, frames, *options):
    """Times, and positions of the frames: (rows, frames, 3)."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f'{folder}/model.yaml', 'w') as file:
            file.write(model_text(tree))
        done = subprocess.run([program, 'simulate', f'{folder}/model.yaml', '--csv', f'{folder}/run.csv', *options],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(done.stdout + done.stderr)
        print('   ', next(line.strip() for line in done.stdout.splitlines() if 'steps' in line), flush=True)
        with open(f'{folder}/run.csv') as file:
            names = next(line for line in file if not line.startswith('#')).strip().split(',')
            rows = np.array([[float(x) for x in line.split(',')] for line in file])
    names = [name.strip('"') for name in names]
    columns = []
    for frame in frames:
        link, _, place = frame.partition('/')
        pattern = re.compile(rf'pos\.{re.escape(link)}(\.\d+)?\.{re.escape(place or "origin")}\.([xyz])')
        # Where pieces meet, the name of an end belongs to the whole beam: the last piece has its tip.
        found = {}
        for i, name in enumerate(names):
            if match := pattern.fullmatch(name):
                found[match.group(2)] = i
        columns.append([found[axis] for axis in 'xyz'])
    time = names.index('t')
    return rows[:, time], rows[:, columns]


def main():
    program = os.path.abspath(sys.argv[1])
    for case in sys.argv[2:] or CASES:
        tree, frames = prepared(case)
        print(case, flush=True)
        times, rigid = run(program, tree, frames, '--rigid')
        splits, step = CASES[case][2:4], CASES[case][4]
        every = max(1, (len(times) - 1) // ROWS)
        def deflections(split, step):
            at, there = run(program, reference(tree, case, split, step), frames)
            assert np.allclose(at, times)
            return (there - rigid)[::every]

        deflection = deflections(splits[0], step)
        coarse, error = deflection, 0 * deflection
        if step:
            coarse = deflections(splits[0], 2 * step)
            error = (deflection - coarse) / 3
            deflection = deflection + error
        other = deflections(splits[1], 2 * step if step else None) if splits[1] else coarse
        peaks = np.linalg.norm(deflection, axis=2).max(axis=0)
        settled = [float(x) for x in (np.linalg.norm(other - coarse, axis=2).max(axis=0) +
                                      np.linalg.norm(error, axis=2).max(axis=0)**2 / peaks) / peaks]
        print('    peaks', peaks, 'settled', settled, flush=True)
        record = {'case': case, 'model': model_text(tree), 'frames': frames, 'peaks': list(peaks), 'settled': settled,
                  'times': [round(float(t), 9) for t in times[::every]],
                  'deflections': [[[float(f'{x:.7g}') if abs(x) > 1e-9 * peaks[f] else 0 for x in row[f]]
                                   for f in range(len(frames))] for row in deflection]}
        with open(os.path.join(ROOT, 'tests/data/shapes', f'{case}.json'), 'w') as file:
            json.dump(record, file)
            file.write('\n')


if __name__ == '__main__':
    main()
