// Motors as they stand on machines: a flange with four bolts, a finned housing behind it, the cap of the encoder, a box for the cables. All of a
// picture share two draw calls.

import { BoxGeometry, BufferGeometry, Color, CylinderGeometry, Group, InstancedMesh, LatheGeometry, Matrix4, Quaternion, Vector2, Vector3 } from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { Joint } from './contract';
import { Motion } from './motion';
import { Sizes } from './sizes';
import { material, Palette } from './theme';

/** Where a motor stands: its flange at `shift` from a point of the link that carries it, the housing along the turned y axis; link axes. */
export interface Mount {
  link: number;
  point: number;
  shift: Vector3;
  turn: Quaternion;
  size: Vector3; // radius, length in radii of a usual one, radius
}

type Side = Joint['from'];

const y = new Vector3(0, 1, 0), z = new Vector3(0, 0, 1), place = new Vector3(), other = new Vector3(), turn = new Quaternion(), matrix = new Matrix4();
const ofPin = 2.1, ofTube = 1.32; // radius of a housing
const motorLength = 2.55; // of its radius

/** Motors of the hinges, in the present pose of a motion. */
export function hingeMounts(motion: Motion, sizes: Sizes): Mount[] {
  return motion.scene.joints.filter((joint) => joint.actuated && (joint.type === 'revolute' || joint.type === 'universal')).map((joint) => behind(motion, sizes, joint));
}

/** Corners of the boxes around housings in the present pose of a motion, x y z after each other: the picture has to show them. */
export function cornersOfMotors(mounts: Mount[], motion: Motion): number[] {
  return mounts.flatMap((mount) => {
    placeOf(mount, motion);
    const { x, y: length } = mount.size;
    return [0, motorLength * length].flatMap((along) => [-x, x].flatMap((a) => [-x, x].flatMap((b) => new Vector3(a, along, b).applyQuaternion(turn).add(place).toArray())));
  });
}

export class Motors extends Group {
  private readonly mounts: Mount[];
  private readonly housings: InstancedMesh;
  private readonly trims: InstancedMesh;

  constructor(private readonly motion: Motion, sizes: Sizes, palette: Palette) {
    super();
    const count = motion.scene.joints.filter((joint) => joint.actuated).length;
    this.mounts = hingeMounts(motion, sizes);
    this.housings = this.instances(housing(), palette.housing, count);
    this.trims = this.instances(trim(), palette.joint, count);
  }

  private instances(geometry: BufferGeometry, colour: Color, most: number): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material(new Color(1, 1, 1)), most);
    for (let k = 0; k < most; ++k) mesh.setColorAt(k, colour); // as the balls of bars have it: one program for both
    mesh.frustumCulled = false;
    mesh.visible = most > 0;
    mesh.count = this.mounts.length;
    this.add(mesh);
    return mesh;
  }

  /** Another one; `along`: from the flange into the housing, axes of the link. */
  mount(at: Side, shift: Vector3, along: Vector3, radius: number): void {
    this.mounts.push({ ...at, shift, turn: upright(this.motion, at.link, along), size: new Vector3(radius, radius, radius) });
    this.housings.count = this.trims.count = this.mounts.length;
  }

  /** Whether the motor of a joint stands where its foot would. */
  standsBelow({ from, to, actuated }: Joint): boolean {
    const at = to.link === 0 ? to : from, up = new Vector3(...this.motion.scene.up);
    return actuated && this.mounts.some((mount) => mount.link === at.link && mount.point === at.point && y.clone().applyQuaternion(mount.turn).dot(up) < -0.7);
  }

  follow(motion: Motion): void {
    this.mounts.forEach((mount, k) => {
      placeOf(mount, motion);
      matrix.compose(place, turn, mount.size);
      this.housings.setMatrixAt(k, matrix);
      this.trims.setMatrixAt(k, matrix);
    });
    this.housings.instanceMatrix.needsUpdate = this.trims.instanceMatrix.needsUpdate = true;
  }
}

/** Into `place` and `turn`. */
function placeOf(mount: Mount, motion: Motion): void {
  const attitude = motion.turns[mount.link];
  place.fromArray(motion.places[mount.link], 3 * mount.point).add(other.copy(mount.shift).applyQuaternion(attitude));
  turn.copy(attitude).multiply(mount.turn);
}

/**
 * Beside the pin, on the link that carries the motor, which is the ground where that is one of the two: behind a planar mechanism, else on the side
 * with more room. Around a round link it is a hollow one.
 */
function behind(motion: Motion, sizes: Sizes, joint: Joint): Mount {
  const { scene } = motion, at = joint.to.link === 0 ? joint.to : joint.from, pin = sizes.hinge(joint, motion.turns);
  const along = new Vector3(...joint.axis).normalize().applyQuaternion(motion.turns[joint.from.link]), centre = new Vector3().fromArray(motion.places[at.link], 3 * at.point);
  const start = pin.round > 0 ? 0.5 * Math.min(2.4 * pin.radius, pin.round) : pin.beside, radius = pin.round > 0 ? ofTube * pin.round : ofPin * pin.radius;
  const away = pin.round > 0 ? -sideOf(motion, at, joint, along) : roomier(motion, centre, along, start + radius);
  if (scene.planar && Math.abs(along.dot(new Vector3(...scene.normal))) > 0.5 ? along.dot(new Vector3(...scene.normal)) > 0 : away < 0) along.negate();
  along.applyQuaternion(motion.turns[at.link].clone().invert());
  const length = pin.round > 0 ? 0.4 * radius : radius;
  return { ...at, shift: along.clone().multiplyScalar(start), turn: upright(motion, at.link, along), size: new Vector3(radius, length, radius) };
}

/** On which side along the axis the link that a motor turns lies: 1 or -1. */
function sideOf(motion: Motion, at: Side, joint: Joint, axis: Vector3): number {
  const turned = at === joint.to ? joint.from.link : joint.to.link, { solids = [] } = motion.scene.links[turned];
  place.fromArray(motion.places[at.link], 3 * at.point);
  let way = 0;
  for (let k = 0; k < motion.places[turned].length; k += 3) way += other.fromArray(motion.places[turned], k).sub(place).dot(axis);
  for (const { centre } of solids) way += other.set(...centre).applyQuaternion(motion.turns[turned]).add(motion.origins[turned]).sub(place).dot(axis);
  return way >= 0 ? 1 : -1;
}

/** On which side along the axis the middle of a housing would be farther from all other joints, and from the middle of the machine where that ties. */
function roomier(motion: Motion, centre: Vector3, axis: Vector3, distance: number): number {
  const { scene, places } = motion, middle = new Vector3(), heart = new Vector3(...scene.centre);
  const [behindIt, before] = [-1, 1].map((sign) => {
    middle.copy(centre).addScaledVector(axis, sign * distance);
    const others = scene.joints.flatMap(({ from, to }) => [from, to]).map(({ link, point }) => place.fromArray(places[link], 3 * point).distanceTo(middle));
    return Math.min(...others.filter((away) => Math.abs(away - distance) > 1e-6 * scene.radius), scene.radius) + 1e-3 * middle.distanceTo(heart);
  });
  return behindIt > before ? -1 : 1;
}

/** Turns y along the motor, and its flange so that an edge is level, or lies along the link that carries it. */
function upright(motion: Motion, link: number, along: Vector3): Quaternion {
  const { scene } = motion, held = scene.joints.flatMap(({ from, to }) => [from, to]).filter((each) => each.link === link).map(({ point }) => new Vector3(...scene.links[link].points[point]));
  const ways = held.map((each) => each.clone().sub(held[0])), longest = ways.reduce((most, way) => (way.lengthSq() > most.lengthSq() ? way : most), new Vector3());
  const edge = (link === 0 ? new Vector3(...scene.up) : longest).projectOnPlane(along), straight = new Quaternion().setFromUnitVectors(y, along);
  if (edge.lengthSq() < 1e-6 * scene.radius ** 2) return straight;
  const now = z.clone().applyQuaternion(straight), angle = Math.atan2(now.clone().cross(edge).dot(along), now.dot(edge));
  return straight.premultiply(new Quaternion().setFromAxisAngle(along, angle));
}

/** Radius 1, along y from the flange on. Few triangles: without a graphics card every corner takes its time. */
function housing(): BufferGeometry {
  const profile: [number, number][] = [[0.84, 0.26]];
  for (const fin of [0.5, 0.95, 1.4]) profile.push([0.84, fin], [0.98, fin], [0.98, fin + 0.2], [0.84, fin + 0.2]);
  profile.push([0.84, 1.8], [0.7, 1.95], [0, 1.95]);
  // Piece by piece: sharp edges.
  const body = profile.slice(1).map(([r, at], k) => new LatheGeometry([new Vector2(...profile[k]), new Vector2(r, at)], 16));
  const flange = new BoxGeometry(1.9, 0.26, 1.9).translate(0, 0.13, 0), cables = new BoxGeometry(0.62, 0.7, 0.4).translate(0, 1.35, -1.08);
  return mergeGeometries([...body, flange, cables]);
}

/** Bolts and cap. */
function trim(): BufferGeometry {
  const bolts = [-1, 1].flatMap((x) => [-1, 1].map((side) => new CylinderGeometry(0.15, 0.15, 0.4, 6).translate(0.72 * x, 0.13, 0.72 * side)));
  return mergeGeometries([...bolts, new CylinderGeometry(0.5, 0.56, motorLength - 1.95, 14).translate(0, 0.5 * (motorLength + 1.95), 0)]);
}
