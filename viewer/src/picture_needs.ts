// What a picture has to show, and what it is made from.

import { Quaternion, Vector3 } from 'three';
import { Result, Scene } from './contract';
import { sampleTimes } from './enlargement';
import { cornersOfFloors } from './floors';
import { boxCorners } from './meshes';
import { Motion } from './motion';
import { cornersOfMotors, hingeMounts } from './motors';
import { Sizes } from './sizes';
import { heldAt } from './slides';

const samples = 40; // instants of a run
const sameSize = 0.1; // of the logarithm of the radius: sizes of joints and lines stay

/** Normals of the plates at an instant. */
export function platesOf(motion: Motion, t: number): Vector3[] {
  const normals: Vector3[] = [], corner = (link: number, point: number) => new Vector3().fromArray(motion.places[link], 3 * point);
  motion.update({ t, scale: 1 });
  motion.scene.links.forEach(({ faces }, k) => {
    if (k === 0 || faces.length !== 1) return;
    const [a, b, c] = faces[0].map((point) => corner(k, point)), normal = b.sub(a).cross(c.sub(a));
    if (normal.lengthSq() > 0) normals.push(normal.normalize());
  });
  return normals;
}

/** Everything that must be seen: points of links and corners of solids and motors through the runs, feet and floors on the ground; x y z after each other. */
export function placesToSee(motions: Motion[], scale: number): Float32Array {
  const places: number[] = [], corner = new Vector3();
  for (const motion of motions) {
    const { scene } = motion, sizes = new Sizes(scene), up = new Vector3(...scene.up);
    motion.update({ t: motion.start, scale: 1 });
    const motors = hingeMounts(motion, sizes);
    for (const t of sampleTimes(motion, samples)) {
      motion.update({ t, scale });
      places.push(...cornersOfMotors(motors, motion));
      motion.places.forEach((each, link) => {
        if (link > 0) for (const value of each) places.push(value);
        for (const mesh of scene.links[link].meshes ?? []) {
          for (const place of boxCorners(mesh)) places.push(...place.applyQuaternion(motion.turns[link]).add(motion.origins[link]).toArray());
        }
        for (const solid of scene.links[link].solids ?? []) {
          const [w, x, y, z] = solid.turn, turn = new Quaternion(x, y, z, w);
          for (let k = 0; k < 8; ++k) {
            corner.set(...(solid.size.map((size, axis) => size * (k & (1 << axis) ? 0.5 : -0.5)) as [number, number, number]));
            corner.applyQuaternion(turn).add(new Vector3(...solid.centre)).applyQuaternion(motion.turns[link]).add(motion.origins[link]);
            places.push(...corner.toArray());
          }
        }
      });
    }
    for (const place of cornersOfFloors(scene)) places.push(...place.toArray());
    for (const joint of scene.joints) {
      const ground = joint.type === 'free' ? null : joint.from.link === 0 ? joint.from : joint.to.link === 0 ? joint.to : null;
      if (!ground) continue;
      const foot = corner.set(...scene.links[0].points[ground.point]).addScaledVector(new Vector3(...joint.axis), heldAt(motion, joint)), size = sizes.pin(joint.from.link, joint.to.link);
      for (const drop of [0, -3.3 * size]) {
        foot.addScaledVector(up, drop);
        for (const x of [-2, 2]) for (const y of [-2, 2]) places.push(foot.x + x * size, foot.y + y * size, foot.z + x * size);
      }
    }
  }
  return Float32Array.from(places);
}

/**
 * All that the parts of a picture are made from: when it stays, they stay. Slides are drawn as long as they are used and frames that leave
 * a trace are chosen anew with another run; everything has a size in proportion to the whole.
 */
export function builtFor(results: Result[]): string {
  const digits = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(7)) : value);
  return results.map(({ scene }) => {
    if (!scene) return '';
    const { poses, rigid, modes, loads, centre, gravity, radius, links, ...rest } = scene as Scene & Record<string, unknown>;
    const slides = scene.joints.some(({ type }) => type === 'prismatic' || type === 'cylindrical') ? poses : '';
    const still = links.map(({ shapes, section, ends, coordinates, ...link }) => ({ ...link, elastic: coordinates?.length }));
    return JSON.stringify([rest, still, slides, Math.round(Math.log(radius) / sameSize)], digits);
  }).join();
}
