// Symbols of joints: what turns, what slides, which are driven, where the ground is.

import {
  BoxGeometry, BufferGeometry, ConeGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Object3D, Quaternion,
  SphereGeometry, Vector3,
} from 'three';
import { Joint } from './contract';
import { Motion } from './motion';
import { Motors } from './motors';
import { Sizes } from './sizes';
import { heldAt } from './slides';
import { material, Palette } from './theme';

const y = new Vector3(0, 1, 0), axis = new Vector3(), turn = new Quaternion();

interface Symbol {
  joint: Joint;
  object: Object3D;
  second?: Object3D; // the other arm of a cross
}

export class Joints extends Group {
  private readonly symbols: Symbol[] = [];
  private readonly pivots: { object: Object3D; joint: Joint; along: number }[] = [];

  constructor(private readonly motion: Motion, sizes: Sizes, palette: Palette, motors: Motors) {
    super();
    const passive = material(palette.joint), driven = material(palette.motor), ground = material(palette.ground);
    for (const joint of motion.scene.joints) {
      const look = joint.actuated ? driven : passive, size = sizes.pin(joint.from.link, joint.to.link);
      const symbol = joint.type === 'revolute' ? { joint, object: new Mesh(this.hinge(joint, sizes), look) } : symbolOf(joint, size * (joint.actuated ? 1.2 : 1), look);
      if (symbol) {
        this.add(symbol.object);
        if (symbol.second) this.add(symbol.second);
        this.symbols.push(symbol);
      }
      if (joint.type !== 'free' && (joint.from.link === 0 || joint.to.link === 0) && !motors.standsBelow(joint)) this.addPivot(joint, size, ground);
    }
  }

  /** A foot below every place where the ground holds the mechanism. */
  private addPivot(joint: Joint, size: number, look: MeshStandardMaterial): void {
    const foot = new Group(), cone = new Mesh(new ConeGeometry(1.7 * size, 2.8 * size, 4, 1, false, Math.PI / 4), look);
    const base = new Mesh(new BoxGeometry(3.4 * size, 0.5 * size, 3.4 * size), look);
    cone.position.y = -1.4 * size;
    base.position.y = -2.9 * size;
    foot.add(cone, base);
    foot.quaternion.setFromUnitVectors(y, new Vector3(...this.motion.scene.up));
    this.add(foot);
    this.pivots.push({ object: foot, joint, along: heldAt(this.motion, joint) });
  }

  /** A pin; where the links are round about its axis, a ring around them. A motor is wider. */
  private hinge(joint: Joint, sizes: Sizes): BufferGeometry {
    const wide = joint.actuated ? 1.2 : 1, { radius, length, round } = sizes.hinge(joint, this.motion.turns), size = wide * radius;
    if (round > 0) return new CylinderGeometry(1.06 * wide * round, 1.06 * wide * round, Math.min(2.4 * size, wide * round), 32);
    return new CylinderGeometry(size, size, wide * wide * length, 24);
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
    for (const { joint, object, along } of this.pivots) {
      place(motion, joint.from.link === 0 ? joint.from : joint.to, object);
      object.position.addScaledVector(axis.set(...joint.axis), along);
    }
  }
}

function symbolOf(joint: Joint, size: number, look: MeshStandardMaterial): Symbol | null {
  const mesh = (geometry: BufferGeometry) => new Mesh(geometry, look);
  const drum = (radius: number, length: number) => mesh(new CylinderGeometry(radius, radius, length, 24));
  switch (joint.type) {
    case 'universal': return { joint, object: drum(0.5 * size, 2.7 * size), second: drum(0.5 * size, 2.7 * size) };
    case 'spherical': return { joint, object: mesh(new SphereGeometry(1.15 * size, 24, 16)) };
    case 'planar': return { joint, object: drum(2 * size, 0.4 * size) };
    case 'fixed': return { joint, object: mesh(new BoxGeometry(1.2 * size, 1.2 * size, 1.2 * size)) };
    default: return null; // hinges are made above; free: nothing holds the link; what slides is drawn by Slides
  }
}

function place(motion: Motion, at: { link: number; point: number }, object: Object3D): void {
  object.position.fromArray(motion.places[at.link], 3 * at.point);
}

function point(object: Object3D, direction: Vector3, rotation: Quaternion): void {
  object.quaternion.copy(rotation).multiply(turn.setFromUnitVectors(y, direction));
}
