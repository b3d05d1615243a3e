// Arrows on demand: loads and joint reactions as straight arrows, torques of motors as rings about their axes; frames as small axes.

import { BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Object3D, Quaternion, TorusGeometry, Vector3 } from 'three';
import { Place, Result, unpack } from './contract';
import { BentAxis } from './meshes';
import { Motion } from './motion';
import { Sizes } from './sizes';
import { curveColour, Palette } from './theme';

export type ArrowKind = 'load' | 'torque' | 'reaction';

/** What is drawn over the run: three components per instant, ground axes or those of `axes` in its link. */
interface Quantity {
  kind: ArrowKind;
  name: string;
  at: Place;
  turns: boolean; // a torque: a ring about its direction
  values: Float32Array;
  axes: { link: number; turn: Quaternion } | null;
  largest: number;
}

interface Drawn extends Quantity {
  object: Group;
  shaft: Object3D;
  head: Object3D;
}

const y = new Vector3(0, 1, 0), z = new Vector3(0, 0, 1), value = new Vector3(), next = new Vector3();
const longest = 0.4, widest = 0.13, least = 0.003; // of the radius of the picture; of the largest value

/** All that the result holds. */
function quantitiesOf(result: Result, motion: Motion): Quantity[] {
  const series = new Map(result.series.map((each) => [each.name, each])), { scene, time } = motion, found: Quantity[] = [];
  const add = (quantity: Omit<Quantity, 'largest'>) => {
    let largest = 0;
    for (let k = 0; k < quantity.values.length; k += 3) largest = Math.max(largest, Math.hypot(quantity.values[k], quantity.values[k + 1], quantity.values[k + 2]));
    if (largest > 0) found.push({ ...quantity, largest });
  };
  for (const load of scene.loads ?? []) {
    const axes = load.axes ? { link: load.at[0], turn: new Quaternion(load.axes[1], load.axes[2], load.axes[3], load.axes[0]) } : null;
    if (load.force) add({ kind: 'load', name: load.name, at: load.at, turns: false, values: unpack(load.force), axes });
    if (load.moment) add({ kind: 'load', name: load.name, at: load.at, turns: true, values: unpack(load.moment), axes });
  }
  for (const joint of scene.joints) {
    const end = joint.to.link === 0 ? joint.from : joint.to, at: Place = [end.link, end.point];
    const tau = series.get(`tau.${joint.name}`);
    if (tau && (joint.type === 'revolute' || joint.type === 'prismatic')) {
      const values = new Float32Array(3 * time.length);
      unpack(tau.values).forEach((size, k) => joint.axis.forEach((part, axis) => { values[3 * k + axis] = size * part; }));
      add({ kind: 'torque', name: joint.name, at, turns: joint.type === 'revolute', values, axes: { link: joint.from.link, turn: new Quaternion() } });
    }
    const parts = ['x', 'y', 'z'].map((axis) => series.get(`force.${joint.name}.${axis}`));
    if (parts.some(Boolean)) {
      const values = new Float32Array(3 * time.length);
      parts.forEach((part, axis) => { if (part) unpack(part.values).forEach((size, k) => { values[3 * k + axis] = size; }); });
      add({ kind: 'reaction', name: joint.name, at, turns: false, values, axes: null });
    }
  }
  return found;
}

export class Arrows extends Group {
  /** The largest values: what the longest arrow and the widest ring stand for. */
  readonly force: number;
  readonly moment: number;
  readonly kinds: Set<ArrowKind>;
  private readonly drawn: Drawn[];

  constructor(result: Result, motion: Motion, palette: Palette) {
    super();
    const quantities = quantitiesOf(result, motion), most = (turns: boolean) => Math.max(0, ...quantities.filter((each) => each.turns === turns).map((each) => each.largest));
    this.force = most(false);
    this.moment = most(true);
    this.kinds = new Set(quantities.map((each) => each.kind));
    const looks: Record<ArrowKind, MeshStandardMaterial> = {
      load: look(new Color(curveColour(3))), torque: look(palette.motor), reaction: look(new Color(curveColour(2))),
    };
    const thick = 0.008 * motion.scene.radius;
    const shaft = new CylinderGeometry(thick, thick, 1, 12).translate(0, 0.5, 0), head = new ConeGeometry(2.6 * thick, 7 * thick, 16).translate(0, -3.5 * thick, 0);
    const ring = new TorusGeometry(widest * motion.scene.radius, thick, 10, 40, 1.5 * Math.PI), tip = new ConeGeometry(2.6 * thick, 7 * thick, 16);
    tip.translate(0, 3.5 * thick, 0).rotateZ(1.5 * Math.PI).translate(0, -widest * motion.scene.radius, 0); // where the ring ends
    this.drawn = quantities.map((quantity) => {
      const mesh = (geometry: BufferGeometry) => Object.assign(new Mesh(geometry, looks[quantity.kind]), { frustumCulled: false, renderOrder: 1 });
      const drawn: Drawn = { ...quantity, object: new Group(), shaft: mesh(quantity.turns ? ring : shaft), head: mesh(quantity.turns ? tip : head) };
      drawn.object.name = `${quantity.kind} ${quantity.name}`;
      drawn.object.add(drawn.shaft, drawn.head);
      this.add(drawn.object);
      return drawn;
    });
  }

  /** After motion.update(). */
  follow(motion: Motion): void {
    const { row, fraction } = motion.now, { radius } = motion.scene;
    for (const { object, shaft, head, values, at, axes, turns } of this.drawn) {
      value.fromArray(values, 3 * row);
      if (fraction > 0 && 3 * row + 5 < values.length) value.lerp(next.fromArray(values, 3 * row + 3), fraction);
      const share = value.length() / (turns ? this.moment : this.force);
      object.visible = share > least;
      if (!object.visible) continue;
      if (axes) value.applyQuaternion(axes.turn).applyQuaternion(motion.turns[axes.link]);
      object.position.fromArray(motion.places[at[0]], 3 * at[1]);
      object.quaternion.setFromUnitVectors(turns ? z : y, value.normalize());
      if (turns) {
        object.scale.setScalar(0.35 + 0.65 * share);
      } else {
        const length = longest * radius * share;
        const size = Math.min(1, length / (0.12 * radius)); // short arrows have small heads
        head.position.y = length;
        head.scale.setScalar(size);
        shaft.scale.set(Math.max(size, 0.4), Math.max(length - 0.05 * radius * size, 1e-6), Math.max(size, 0.4)); // up to the head
      }
    }
  }
}

/** In front of the bodies as far as light goes, so that arrows inside of them are seen. */
function look(colour: Color): MeshStandardMaterial {
  return new MeshStandardMaterial({ color: colour, roughness: 0.5, metalness: 0, depthTest: false, transparent: true, opacity: 0.92 });
}

/** The axes of all frames of moving links and of those of the ground that hold something: x red, y green, z blue. */
export class FrameAxes extends Group {
  private readonly frames: { object: Group; link: number; point: number; turn: Quaternion }[] = [];
  private readonly bent = new Map<number, BentAxis>();

  constructor(motion: Motion, sizes: Sizes) {
    super();
    const size = Math.max(6 * sizes.thin, 0.06 * motion.scene.radius), thick = 0.05 * size;
    const rod = new CylinderGeometry(thick, thick, size, 8).translate(0, 0.5 * size, 0);
    const looks = ['#d33c3c', '#3c9a3c', '#3c62d3'].map((colour) => new MeshStandardMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.95 }));
    motion.scene.links.forEach((link, k) => {
      if (link.coordinates) this.bent.set(k, new BentAxis(link));
      const shown = new Set<string>();
      for (const { name, point, turn } of link.frames) {
        const key = `${point} ${(turn ?? [1, 0, 0, 0]).join(' ')}`;
        if (shown.has(key)) continue;
        shown.add(key);
        const object = new Group();
        object.name = `frame ${link.name}/${name}`;
        [-Math.PI / 2, 0, Math.PI / 2].forEach((angle, axis) => {
          const mesh = Object.assign(new Mesh(rod, looks[axis]), { frustumCulled: false, renderOrder: 2 });
          if (axis === 0) mesh.rotation.z = angle;
          if (axis === 2) mesh.rotation.x = angle;
          object.add(mesh);
        });
        const [w, x, y1, z1] = turn ?? [1, 0, 0, 0];
        this.frames.push({ object, link: k, point, turn: new Quaternion(x, y1, z1, w) });
        this.add(object);
      }
    });
  }

  /** After motion.update(). */
  follow(motion: Motion): void {
    for (const [link, axis] of this.bent) axis.update((point, out) => motion.bentPoint(link, point, out));
    for (const { object, link, point, turn } of this.frames) {
      object.position.fromArray(motion.places[link], 3 * point);
      object.quaternion.copy(motion.turns[link]);
      const bent = this.bent.get(link);
      if (bent) object.quaternion.multiply(bent.turns[point]);
      object.quaternion.multiply(turn);
    }
  }
}
