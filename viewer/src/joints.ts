// Symbols of joints: what turns, what slides, which are driven, where the ground is.

import {
  BoxGeometry, BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Object3D,
  Quaternion, SphereGeometry, Vector3,
} from 'three';
import { Joint, Scene } from './contract';
import { Motion } from './motion';
import { Palette } from './theme';

const y = new Vector3(0, 1, 0), axis = new Vector3(), turn = new Quaternion();

/** `wanted` of the radius of the picture, but no more than a `share` of a usual link, so that short links stay visible. */
export function notAbove(share: number, scene: Scene, wanted: number, least: number): number {
  return Math.min(wanted * scene.radius, Math.max(share * usualLength(scene), least * scene.radius));
}

/** Median of the distances between the outermost joints of a link, m. */
function usualLength(scene: Scene): number {
  const lengths: number[] = [];
  scene.links.forEach((link, k) => {
    if (k === 0) return;
    const held = scene.joints.flatMap((joint) => [joint.from, joint.to]).filter((end) => end.link === k)
      .map((end) => new Vector3(...link.points[end.point]));
    const apart = held.flatMap((a) => held.map((b) => a.distanceTo(b)));
    if (apart.length > 1) lengths.push(Math.max(...apart));
  });
  lengths.sort((a, b) => a - b);
  return lengths[lengths.length >> 1] || scene.radius;
}

interface Symbol {
  joint: Joint;
  object: Object3D;
  second?: Object3D; // the other arm of a cross
}

export class Joints extends Group {
  private readonly symbols: Symbol[] = [];
  private readonly pivots: { object: Object3D; joint: Joint }[] = [];

  constructor(private readonly motion: Motion, palette: Palette) {
    super();
    const size = notAbove(0.2, motion.scene, 0.026, 0.01);
    const passive = material(palette.joint), driven = material(palette.motor), ground = material(palette.ground);
    for (const joint of motion.scene.joints) {
      const look = joint.actuated ? driven : passive;
      const symbol = symbolOf(joint, size * (joint.actuated ? 1.25 : 1), look);
      if (symbol) {
        this.add(symbol.object);
        if (symbol.second) this.add(symbol.second);
        this.symbols.push(symbol);
      }
      if (joint.type !== 'free' && (joint.from.link === 0 || joint.to.link === 0)) this.addPivot(joint, size, ground);
    }
  }

  /** A foot below every place where the ground holds the mechanism. */
  private addPivot(joint: Joint, size: number, look: MeshStandardMaterial): void {
    const foot = new Mesh(new ConeGeometry(1.5 * size, 2.6 * size, 4), look);
    const up = new Vector3(...this.motion.scene.up);
    foot.quaternion.setFromUnitVectors(y, up);
    this.add(foot);
    this.pivots.push({ object: foot, joint });
    foot.userData.drop = up.multiplyScalar(-1.6 * size);
  }

  follow(motion: Motion): void {
    for (const { joint, object, second } of this.symbols) {
      place(motion, joint.to.link === 0 ? joint.from : joint.to, object);
      point(object, axis.set(...joint.axis), motion.turns[joint.from.link]);
      if (second) {
        second.position.copy(object.position);
        point(second, axis.set(...(joint.axis2 ?? joint.axis)), motion.turns[joint.to.link]);
      }
    }
    for (const { joint, object } of this.pivots) {
      place(motion, joint.from.link === 0 ? joint.from : joint.to, object);
      object.position.add(object.userData.drop as Vector3);
    }
  }
}

function material(colour: Color): MeshStandardMaterial {
  return new MeshStandardMaterial({ color: colour, roughness: 0.5, metalness: 0.15 });
}

function symbolOf(joint: Joint, size: number, look: MeshStandardMaterial): Symbol | null {
  const mesh = (geometry: BufferGeometry) => new Mesh(geometry, look);
  const drum = (radius: number, length: number) => mesh(new CylinderGeometry(radius, radius, length, 24));
  switch (joint.type) {
    case 'revolute': return { joint, object: drum(size, 2.2 * size) };
    case 'cylindrical': return { joint, object: drum(size, 4 * size) };
    case 'prismatic': return { joint, object: mesh(new BoxGeometry(1.7 * size, 4 * size, 1.7 * size)) };
    case 'universal': return { joint, object: drum(0.5 * size, 3.4 * size), second: drum(0.5 * size, 3.4 * size) };
    case 'spherical': return { joint, object: mesh(new SphereGeometry(1.35 * size, 24, 16)) };
    case 'planar': return { joint, object: drum(2.2 * size, 0.4 * size) };
    case 'fixed': return { joint, object: mesh(new BoxGeometry(1.4 * size, 1.4 * size, 1.4 * size)) };
    default: return null; // free: nothing holds the link
  }
}

function place(motion: Motion, at: { link: number; point: number }, object: Object3D): void {
  object.position.fromArray(motion.places[at.link], 3 * at.point);
}

function point(object: Object3D, direction: Vector3, rotation: Quaternion): void {
  object.quaternion.copy(rotation).multiply(turn.setFromUnitVectors(y, direction));
}
