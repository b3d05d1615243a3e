// What slides: a rod in a barrel where two links draw apart like a telescope, a piston in a bore that is cut open where the ground guides something
// round, a carriage on a rail otherwise.

import { BoxGeometry, CylinderGeometry, DoubleSide, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { Joint } from './contract';
import { sampleTimes } from './enlargement';
import { Motion } from './motion';
import { Sizes } from './sizes';
import { material, Palette } from './theme';

interface Slide {
  joint: Joint;
  barrel: Mesh | null; // its middle stands `barrelAt` along the axis; null: the link draws it
  barrelAt: number;
  rod: Mesh | null; // unit length, stretched
  collar: Mesh | null;
  collarAt: number | null; // along the axis; null: at the far end
}

const y = new Vector3(0, 1, 0), axis = new Vector3(), start = new Vector3(), end = new Vector3(), across = new Vector3(), turn = new Quaternion();
const instants = 40, telescopic = 0.25; // shortest of longest distance

export class Slides extends Group {
  private readonly slides: Slide[] = [];

  constructor(motion: Motion, sizes: Sizes, palette: Palette) {
    super();
    const steel = material(palette.joint), rail = material(palette.ground), tube = material(palette.rigid);
    for (const joint of motion.scene.joints) {
      if (joint.type !== 'prismatic' && joint.type !== 'cylindrical') continue;
      const mark = joint.actuated ? material(palette.motor) : steel;
      const [low, high] = range(motion, joint), shortest = Math.min(Math.abs(low), Math.abs(high));
      const telescope = low * high > 0 && joint.from.link > 0 && shortest > telescopic * Math.max(Math.abs(low), Math.abs(high));
      this.slides.push(telescope ? this.telescope(motion, joint, sizes, Math.sign(low) * shortest, { steel, tube, mark })
        : this.bore(motion, joint, [low, high], rail) ?? this.carriage(motion, joint, sizes, [low, high], rail, mark));
    }
  }

  private telescope(motion: Motion, joint: Joint, sizes: Sizes, shortest: number,
                    look: { steel: MeshStandardMaterial; tube: MeshStandardMaterial; mark: MeshStandardMaterial }): Slide {
    const slim = sizes.slimmer(joint.from.link, joint.to.link), drawn = bodyAlong(motion, joint, Math.sign(shortest));
    const length = drawn > 0 ? drawn : 0.62 * Math.abs(shortest), thick = 1.1 * slim;
    const barrel = drawn > 0 ? null : this.put(new Mesh(new CylinderGeometry(thick, thick, length, 24), look.tube));
    const rod = this.put(new Mesh(new CylinderGeometry(0.6 * slim, 0.6 * slim, 1, 20), look.steel));
    const collar = this.put(new Mesh(new CylinderGeometry(1.35 * thick, 1.35 * thick, 2.2 * thick, 24), look.mark));
    return { joint, barrel, barrelAt: 0.5 * Math.sign(shortest) * length, rod, collar, collarAt: Math.sign(shortest) * length };
  }

  private carriage(motion: Motion, joint: Joint, sizes: Sizes, [low, high]: [number, number], look: MeshStandardMaterial,
                   mark: MeshStandardMaterial): Slide {
    // In proportion to what the carriage holds, too.
    const held = motion.scene.joints.filter((each) => each.from.link === joint.to.link || each.to.link === joint.to.link);
    const size = Math.max(joint.from.link === 0 ? 0.016 * motion.scene.radius : 0, ...held.map((each) => sizes.pin(each.from.link, each.to.link))), margin = 3 * size;
    const rail = this.put(new Mesh(new BoxGeometry(0.9 * size, high - low + 2 * margin, 0.9 * size), look));
    const collar = this.put(new Mesh(new BoxGeometry(2.9 * size, 4.4 * size, 2.2 * size), mark));
    return { joint, barrel: rail, barrelAt: 0.5 * (low + high), rod: null, collar, collarAt: null };
  }

  /** Around a cylinder that the ground guides along its axis: the half that the reader looks into. */
  private bore(motion: Motion, joint: Joint, [low, high]: [number, number], look: MeshStandardMaterial): Slide | null {
    if (joint.from.link !== 0) return null;
    const { scene } = motion, link = scene.links[joint.to.link], point = new Vector3(...link.points[joint.to.point]);
    const direction = new Vector3(...joint.axis).normalize(), toLink = motion.turns[joint.to.link].clone().invert();
    for (const { kind, centre, turn: [w, x, y1, z], size } of link.solids ?? []) {
      const along = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(x, y1, z, w)), way = new Vector3(...centre).sub(point);
      const local = direction.clone().applyQuaternion(toLink), middle = way.dot(local);
      if (kind !== 'cylinder' || Math.abs(along.dot(local)) < 0.99 || way.addScaledVector(local, -middle).length() > 0.25 * size[0]) continue;
      const radius = 0.56 * size[0], length = high - low + 1.15 * size[2];
      const half = new CylinderGeometry(radius, radius, length, 40, 1, true, 0.5 * Math.PI, Math.PI);
      // Open towards the reader: the normal of the plane, or upwards.
      const open = new Vector3(...(scene.planar ? scene.normal : scene.up)), upright = alongAxis(joint);
      const side = new Vector3(1, 0, 0).applyQuaternion(upright), front = new Vector3(0, 0, 1).applyQuaternion(upright);
      half.rotateY(Math.atan2(open.dot(side), open.dot(front)));
      const shell = look.clone();
      shell.side = DoubleSide;
      return { joint, barrel: this.put(new Mesh(half, shell)), barrelAt: 0.5 * (low + high) + middle, rod: null, collar: null, collarAt: null };
    }
    return null;
  }

  private put(mesh: Mesh): Mesh {
    this.add(mesh);
    return mesh;
  }

  follow(motion: Motion): void {
    for (const { joint, barrel, barrelAt, rod, collar, collarAt } of this.slides) {
      axis.set(...joint.axis).applyQuaternion(motion.turns[joint.from.link]);
      turn.copy(motion.turns[joint.from.link]).multiply(alongAxis(joint));
      start.fromArray(motion.places[joint.from.link], 3 * joint.from.point);
      end.fromArray(motion.places[joint.to.link], 3 * joint.to.point);
      for (const mesh of [barrel, rod, collar]) mesh?.quaternion.copy(turn);
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

/** Smallest and largest distance along the axis during the run, m. */
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
