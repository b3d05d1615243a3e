// Quantities that a designer asks for first and that follow from the recorded ones, by the names that `lithe plot` has for them
// (src/lithe/io/derived_columns.hpp).

import { Vector3 } from 'three';
import { Result, unpack } from './contract';
import { Motion } from './motion';

export interface DerivedSeries {
  name: string;
  group: string;
  unit: string;
  values: Float32Array;
}

const mostFrames = 6, mostPlaces = 8, same = 0.02, least = 1e-12, a = new Vector3(), b = new Vector3();

export function derivedSeries(result: Result): DerivedSeries[] { return [...deflections(result), ...powers(result), ...bending(result)]; }

/** Distance of frames from their places on the rigid twin: those that leave a trace, else the tips of elastic links; then the middles of these. */
function deflections(result: Result): DerivedSeries[] {
  const { scene } = result;
  if (!scene?.rigid) return [];
  const motion = new Motion(result, scene);
  let frames = scene.traced.map(([link, frame]) => ({ link, ...scene.links[link].frames[frame] }));
  if (frames.length === 0) {
    frames = scene.links.flatMap((link, k) => (link.coordinates ? link.frames.map((frame) => ({ link: k, ...frame })) : []))
      .filter((frame) => frame.name === 'tip');
  }
  const places = frames.map((frame) => ({ ...frame, name: `${scene.links[frame.link].name}.${frame.name}` })).slice(0, mostFrames);
  scene.links.forEach((link, k) => {
    const middle = link.coordinates && link.lines.length > 1 ? link.lines[link.lines.length >> 1][0] : -1;
    const apart = (point: number, other: number) => a.set(...link.points[point]).distanceTo(b.set(...link.points[other]));
    const outline = link.lines.flatMap(([from, to]) => [from, to]), extent = Math.max(0, ...outline.map((point) => apart(point, outline[0])));
    if (middle < 0 || places.length >= mostPlaces || places.some((place) => place.link === k && apart(place.point, middle) < same * extent)) return;
    places.push({ link: k, name: `${link.name}.middle`, point: middle });
  });
  return places.map(({ link, name, point }) => ({
    name: `deflection-at.${name}`, group: 'deflections at frames', unit: 'm',
    values: Float32Array.from(motion.time, (_, row) =>
      motion.pointAt(row, link, point, false, a).distanceTo(motion.pointAt(row, link, point, true, b))),
  }));
}

/** How far frames of elastic links move in the axes of their link, and how fast. */
function bending(result: Result): DerivedSeries[] {
  const columns = new Map(result.series.map((series) => [series.name, series]));
  return (result.scene?.links ?? []).flatMap((link) => {
    const { coordinates = [] } = link, shapes = link.shapes ? unpack(link.shapes) : null;
    if (!shapes) return [];
    return link.frames.flatMap(({ name, point }) => ['x', 'y', 'z'].flatMap((axis, k) => {
      const factors = coordinates.map((_, e) => shapes[3 * (point * coordinates.length + e) + k]);
      if (factors.every((factor) => Math.abs(factor) < least)) return [];
      return [['bending', 'q', 'bending of links', 'm'], ['bending-rate', 'v', 'bending rates', 'm/s']].flatMap(([head, quantity, group, unit]) => {
        const sources = coordinates.map(({ series }) => columns.get(series.replace(/^q\./, `${quantity}.`)));
        if (sources.some((source) => !source)) return [];
        const values = new Float32Array(unpack(sources[0]!.values).length);
        sources.forEach((source, e) => { if (factors[e] !== 0) unpack(source!.values).forEach((value, row) => { values[row] += factors[e] * value; }); });
        return [{ name: `${head}.${link.name}.${name}.${axis}`, group, unit, values }];
      });
    }));
  });
}

/** Force times speed of the joints that have a motor. */
function powers(result: Result): DerivedSeries[] {
  const columns = new Map(result.series.map((series) => [series.name, series]));
  const driven = (result.scene?.joints ?? []).filter((joint) => joint.actuated).map((joint) => joint.name);
  return result.series.filter(({ name }) => name.startsWith('tau.') && driven.some((joint) => name === `tau.${joint}` || name.startsWith(`tau.${joint}.`)))
    .flatMap((series) => {
      const speed = columns.get(series.name.replace(/^tau\./, 'v.'));
      if (!speed) return [];
      const speeds = unpack(speed.values);
      return [{ name: series.name.replace(/^tau\./, 'power.'), group: 'motor power', unit: 'W', values: unpack(series.values).map((force, k) => force * speeds[k]) }];
    });
}
