// How large the planes of contacts are drawn, and where: as bounded; most of the picture on the ground; the silhouette of the link that carries them.

import { Quaternion, Vector3 } from 'three';
import { Contact, Scene } from './contract';

const most = 1.5; // of the radius of the picture

export interface Floor {
  length: number;
  width: number;
  shift: Vector3; // of its middle from the point of the plane, link axes
}

export function floorOf(scene: Scene, { plane: [index, point], turn: [w, x, y, z], size }: Contact): Floor {
  const turn = new Quaternion(x, y, z, w), origin = new Vector3(...scene.links[index].points[point]);
  if (size[0] > 0) return { length: size[0], width: size[1], shift: new Vector3() };
  const along = new Vector3(1, 0, 0).applyQuaternion(turn), across = new Vector3(0, 1, 0).applyQuaternion(turn);
  const extent = index > 0 ? [along, across].map((way) => reach(scene, index, origin, way)) : [];
  if (extent.length > 0 && extent.every(([low, high]) => high > low)) { // a block that is gripped, for one
    const [[left, right], [near, far]] = extent;
    return { length: right - left, width: far - near, shift: along.multiplyScalar(0.5 * (left + right)).addScaledVector(across, 0.5 * (near + far)) };
  }
  // Under the middle of the picture, where it is the ground's.
  const side = most * scene.radius, shift = new Vector3();
  if (index === 0) {
    const way = new Vector3(...scene.centre).sub(origin);
    for (const each of [along, across]) shift.addScaledVector(each, way.dot(each));
  }
  return { length: side, width: side, shift };
}

/** Corners of the floors on the ground that are not larger than the picture. */
export function cornersOfFloors(scene: Scene): Vector3[] {
  return (scene.contacts ?? []).filter(({ plane, size }) => plane[0] === 0 && Math.max(...size) <= most * scene.radius).flatMap((contact) => {
    const { length, width, shift } = floorOf(scene, contact), [w, x, y, z] = contact.turn, turn = new Quaternion(x, y, z, w);
    const middle = new Vector3(...scene.links[0].points[contact.plane[1]]).add(shift);
    return [-0.5, 0.5].flatMap((a) => [-0.5, 0.5].map((b) => new Vector3(a * length, b * width, 0).applyQuaternion(turn).add(middle)));
  });
}

/** How far the points and solids of a link reach from an origin both ways along a direction; link axes. */
function reach(scene: Scene, index: number, origin: Vector3, way: Vector3): [number, number] {
  const { points, solids = [] } = scene.links[index];
  const corners = solids.flatMap(({ centre, size, turn: [w, x, y, z] }) => Array.from({ length: 8 }, (_, k) => new Vector3(...size)
    .multiply(new Vector3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5)).applyQuaternion(new Quaternion(x, y, z, w)).add(new Vector3(...centre))));
  const at = [...points.map((each) => new Vector3(...each)), ...corners].map((place) => place.sub(origin).dot(way));
  return [Math.min(...at), Math.max(...at)];
}
