// What slides: a rod in a barrel where two links draw apart like a telescope, a piston in a bore that is cut open where the ground guides something
// round, a carriage on a rail otherwise. What is driven shows by what: a barrel has ports at both ends, a rail a motor at its end.

import { BoxGeometry, BufferGeometry, CylinderGeometry, DoubleSide, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { Joint } from './contract';
import { sampleTimes } from './enlargement';
import { Motion } from './motion';
import { Motors } from './motors';
import { Sizes } from './sizes';
import { material, Palette } from './theme';

interface Slide {
  joint: Joint;
  barrel: Mesh | null; // its middle stands `barrelAt` along the axis; null: the link draws it
  barrelAt: number;
  rod: Mesh | null; // unit length, stretched
  collar: Mesh | null;
  collarAt: number | null; // along the axis; null: at the far end
  ports?: Mesh; // stand where the barrel starts
}

const y = new Vector3(0, 1, 0), axis = new Vector3(), start = new Vector3(), end = new Vector3(), across = new Vector3(), turn = new Quaternion();
const instants = 40, telescopic = 0.25; // shortest of longest distance

export class Slides extends Group {
  private readonly slides: Slide[] = [];

  constructor(motion: Motion, sizes: Sizes, palette: Palette, private readonly motors: Motors) {
    super();
    const steel = material(palette.joint), rail = material(palette.ground), tube = material(palette.rigid), housing = material(palette.housing);
    for (const joint of motion.scene.joints) {
      if (joint.type !== 'prismatic' && joint.type !== 'cylindrical') continue;
      const mark = joint.actuated ? material(palette.motor) : steel;
      const [low, high] = range(motion, joint), shortest = Math.min(Math.abs(low), Math.abs(high));
      const telescope = low * high > 0 && joint.from.link > 0 && shortest > telescopic * Math.max(Math.abs(low), Math.abs(high));
      this.slides.push(this.cylinder(motion, joint, sizes, { steel, mark, housing }) ?? (telescope ? this.telescope(motion, joint, sizes, Math.sign(low) * shortest, { steel, tube, mark, housing })
        : this.bore(motion, joint, [low, high], rail) ?? this.carriage(motion, joint, sizes, [low, high], rail, mark)));
    }
  }

  private telescope(motion: Motion, joint: Joint, sizes: Sizes, shortest: number,
                    look: Record<'steel' | 'tube' | 'mark' | 'housing', MeshStandardMaterial>): Slide {
    const slim = sizes.slimmer(joint.from.link, joint.to.link), drawn = bodyAlong(motion, joint, Math.sign(shortest));
    const length = drawn > 0 ? drawn : 0.62 * Math.abs(shortest), thick = 1.1 * slim;
    const barrel = drawn > 0 ? null : this.put(new Mesh(new CylinderGeometry(thick, thick, length, 24), look.tube));
    const rod = this.put(new Mesh(new CylinderGeometry(0.6 * slim, 0.6 * slim, 1, 20), look.steel));
    const collar = this.put(new Mesh(new CylinderGeometry(1.35 * thick, 1.35 * thick, 2.2 * thick, 24), look.mark));
    const ports = joint.actuated ? this.put(new Mesh(portsOf(motion, joint, 0, Math.sign(shortest) * length, thick), look.housing)) : undefined;
    return { joint, barrel, barrelAt: 0.5 * Math.sign(shortest) * length, rod, collar, collarAt: Math.sign(shortest) * length, ports };
  }

  /** Where the links themselves are tube and rod: the gland, and the ports of what is driven. */
  private cylinder(motion: Motion, joint: Joint, sizes: Sizes, look: Record<'steel' | 'mark' | 'housing', MeshStandardMaterial>): Slide | null {
    const { from, to } = joint, direction = new Vector3(...joint.axis).normalize();
    const inTo = direction.clone().applyQuaternion(motion.turns[from.link]).applyQuaternion(motion.turns[to.link].clone().invert());
    const tube = from.link > 0 ? coaxial(motion, from, direction) : null, rod = tube && coaxial(motion, to, inTo);
    if (!tube || !rod || rod.radius >= tube.radius) return null;
    // The rod leaves on the side of the link that it belongs to.
    const middle = end.fromArray(motion.places[to.link], 3 * to.point).sub(start.fromArray(motion.places[from.link], 3 * from.point))
      .applyQuaternion(motion.turns[from.link].clone().invert()).dot(direction) + rod.middle;
    const sign = middle > tube.middle ? 1 : -1, mouth = tube.middle + 0.5 * sign * tube.length, wide = 1.25 * Math.max(tube.radius, sizes.thin);
    const collar = this.put(new Mesh(new CylinderGeometry(wide, wide, 1.6 * wide, 28), joint.actuated ? look.mark : look.steel));
    const ports = joint.actuated ? this.put(new Mesh(portsOf(motion, joint, mouth - sign * tube.length, mouth, Math.max(tube.radius, sizes.thin)), look.housing)) : undefined;
    return { joint, barrel: null, barrelAt: 0, rod: null, collar, collarAt: mouth - 0.8 * sign * wide, ports };
  }

  private carriage(motion: Motion, joint: Joint, sizes: Sizes, [low, high]: [number, number], look: MeshStandardMaterial,
                   mark: MeshStandardMaterial): Slide {
    // In proportion to what the carriage holds, too.
    const held = motion.scene.joints.filter((each) => each.from.link === joint.to.link || each.to.link === joint.to.link);
    const size = Math.max(joint.from.link === 0 ? 0.016 * motion.scene.radius : 0, ...held.map((each) => sizes.pin(each.from.link, each.to.link))), margin = 3 * size;
    const rail = this.put(new Mesh(new BoxGeometry(0.9 * size, high - low + 2 * margin, 0.9 * size), look));
    const collar = this.put(new Mesh(new BoxGeometry(2.9 * size, 4.4 * size, 2.2 * size), mark));
    const direction = new Vector3(...joint.axis).normalize();
    if (joint.actuated) this.motors.mount(joint.from, direction.clone().multiplyScalar(low - margin), direction.negate(), 1.4 * size);
    return { joint, barrel: rail, barrelAt: 0.5 * (low + high), rod: null, collar, collarAt: null };
  }

  /** Around a cylinder that the ground guides along its axis: the half that the reader looks into. */
  private bore(motion: Motion, joint: Joint, [low, high]: [number, number], look: MeshStandardMaterial): Slide | null {
    const round = joint.from.link === 0 ? guided(motion, joint) : null;
    if (!round) return null;
    const radius = 1.12 * round.radius, length = high - low + 1.15 * round.length, { scene } = motion;
    const half = new CylinderGeometry(radius, radius, length, 40, 1, true, 0.5 * Math.PI, Math.PI);
    // Open towards the reader: the normal of the plane, or upwards.
    const open = new Vector3(...(scene.planar ? scene.normal : scene.up)), upright = alongAxis(joint);
    const side = new Vector3(1, 0, 0).applyQuaternion(upright), front = new Vector3(0, 0, 1).applyQuaternion(upright);
    half.rotateY(Math.atan2(open.dot(side), open.dot(front)));
    const shell = look.clone();
    shell.side = DoubleSide;
    return { joint, barrel: this.put(new Mesh(half, shell)), barrelAt: 0.5 * (low + high) + round.middle, rod: null, collar: null, collarAt: null };
  }

  private put(mesh: Mesh): Mesh {
    this.add(mesh);
    return mesh;
  }

  follow(motion: Motion): void {
    for (const { joint, barrel, barrelAt, rod, collar, collarAt, ports } of this.slides) {
      axis.set(...joint.axis).applyQuaternion(motion.turns[joint.from.link]);
      turn.copy(motion.turns[joint.from.link]).multiply(alongAxis(joint));
      start.fromArray(motion.places[joint.from.link], 3 * joint.from.point);
      end.fromArray(motion.places[joint.to.link], 3 * joint.to.point);
      for (const mesh of [barrel, rod, collar, ports]) mesh?.quaternion.copy(turn);
      ports?.position.copy(start);
      barrel?.position.copy(start).addScaledVector(axis, barrelAt);
      if (collarAt === null) collar?.position.copy(end);
      else collar?.position.copy(start).addScaledVector(axis, collarAt);
      if (!rod) continue;
      rod.position.copy(start).add(end).multiplyScalar(0.5);
      across.subVectors(end, start);
      rod.scale.set(1, Math.max(across.length(), 1e-9), 1);
      if (across.lengthSq() > 0) rod.quaternion.setFromUnitVectors(y, across.normalize());
    }
  }
}

const straighten = new Quaternion();
function alongAxis(joint: Joint): Quaternion { return straighten.setFromUnitVectors(y, across.set(...joint.axis).normalize()); }

/** What is round about the axis on which the ground guides it. */
function guided(motion: Motion, joint: Joint): ReturnType<typeof coaxial> {
  return coaxial(motion, joint.to, new Vector3(...joint.axis).normalize().applyQuaternion(motion.turns[joint.to.link].clone().invert()));
}

/** The solid cylinder of a link around an axis through one of its points; `middle`: along the axis from the point. */
function coaxial(motion: Motion, { link, point }: Joint['to'], direction: Vector3): { radius: number; length: number; middle: number } | null {
  const { solids = [], points } = motion.scene.links[link];
  for (const { kind, centre, turn: [w, x, y1, z], size } of solids) {
    const along = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(x, y1, z, w)), way = new Vector3(...centre).sub(new Vector3(...points[point])), middle = way.dot(direction);
    if (kind === 'cylinder' && Math.abs(along.dot(direction)) > 0.99 && way.addScaledVector(direction, -middle).length() <= 0.25 * size[0]) return { radius: 0.5 * size[0], length: size[2], middle };
  }
  return null;
}

/** Where what drives a barrel goes in and out: a stub near either end, upwards or in the plane of the mechanism; y along the axis. `thick`: its radius. */
function portsOf(motion: Motion, joint: Joint, first: number, last: number, thick: number): BufferGeometry {
  const { scene } = motion, direction = new Vector3(...joint.axis).applyQuaternion(motion.turns[joint.from.link]).normalize();
  const side = scene.planar ? new Vector3(...scene.normal).cross(direction) : new Vector3(...scene.up).projectOnPlane(direction);
  if (side.lengthSq() < 1e-4) side.set(direction.y, direction.z, direction.x).projectOnPlane(direction);
  if (side.dot(new Vector3(...scene.up)) < 0) side.negate();
  side.normalize().applyQuaternion(motion.turns[joint.from.link].clone().invert()).applyQuaternion(alongAxis(joint).clone().invert());
  const stub = (share: number) => new CylinderGeometry(0.42 * thick, 0.42 * thick, 1.3 * thick, 14)
    .applyQuaternion(new Quaternion().setFromUnitVectors(y, side)).translate(1.3 * thick * side.x, first + share * (last - first) + 1.3 * thick * side.y, 1.3 * thick * side.z);
  return mergeGeometries([stub(0.14), stub(0.86)]);
}

/** Where along its axis the ground holds a rail: at the origin of the joint, or at the end of the rail that is nearer to it, m. A bore needs no hold. */
export function heldAt(motion: Motion, joint: Joint): number {
  if (joint.from.link !== 0 || (joint.type !== 'prismatic' && joint.type !== 'cylindrical') || guided(motion, joint)) return 0;
  const [low, high] = range(motion, joint);
  return Math.max(low, Math.min(high, 0));
}

/** Smallest and largest distance along the axis during the run, m; the motion stands at its start afterwards. */
function range(motion: Motion, joint: Joint): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const t of sampleTimes(motion, instants)) {
    motion.update({ t, scale: 1 });
    const s = end.fromArray(motion.places[joint.to.link], 3 * joint.to.point)
      .sub(start.fromArray(motion.places[joint.from.link], 3 * joint.from.point))
      .dot(axis.set(...joint.axis).applyQuaternion(motion.turns[joint.from.link]));
    low = Math.min(low, s);
    high = Math.max(high, s);
  }
  motion.update({ t: motion.start, scale: 1 });
  return [low, high];
}

/** How far the from-link is drawn along the axis towards the other one, m; 0 when it is not. */
function bodyAlong(motion: Motion, joint: Joint, sign: number): number {
  const link = motion.scene.links[joint.from.link];
  const origin = new Vector3(...link.points[joint.from.point]), direction = new Vector3(...joint.axis).normalize().multiplyScalar(sign);
  let reach = 0;
  for (const point of link.lines.flatMap(([a, b]) => [a, b])) {
    const way = new Vector3(...link.points[point]).sub(origin), along = way.dot(direction);
    if (way.addScaledVector(direction, -along).length() < 0.02 * motion.scene.radius) reach = Math.max(reach, along);
  }
  return reach;
}
