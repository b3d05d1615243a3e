// Closes the joints of a mechanism whose drawn deformation was enlarged. Enlarging keeps loops closed to first order only;
// what is left is removed here by moving the links as rigid bodies, joint after joint, a little each (position-based
// dynamics with equal masses). What a joint lets slide stays free.

import { Quaternion, Vector3 } from 'three';
import { Scene } from './contract';

/** A point of a link in its own axes, as it is deformed now. */
export type LocalPoint = (link: number, point: number, out: Vector3) => Vector3;

interface Body {
  place: Vector3;
  turn: Quaternion;
}

interface Hold {
  from: { link: number; point: number };
  to: { link: number; point: number };
  slides: Vector3 | null; // direction in axes of the from-link
  flat: Vector3 | null; // normal of the plane in which the joint is free
}

const sweeps = 60, rest = 0.1; // of the wanted accuracy: where the sweeps stop
const a = new Vector3(), b = new Vector3(), gap = new Vector3(), axis = new Vector3(), armA = new Vector3(), armB = new Vector3();
const spin = new Quaternion(), push = new Vector3();

export class Closing {
  private readonly holds: Hold[] = [];
  private readonly size: number[]; // of each link about its origin, m

  constructor(scene: Scene) {
    for (const joint of scene.joints) {
      if (joint.type === 'free') continue;
      const direction = new Vector3(...joint.axis).normalize();
      const slides = joint.type === 'prismatic' || joint.type === 'cylindrical' ? direction : null;
      this.holds.push({ from: joint.from, to: joint.to, slides, flat: joint.type === 'planar' ? direction : null });
    }
    this.size = scene.links.map((link) => Math.max(1e-3 * scene.radius, ...link.points.map((p) => Math.hypot(...p))));
  }

  /** Moves the bodies until no joint is open by more than `wanted` (m), or as far as it gets. */
  close(bodies: Body[], local: LocalPoint, wanted: number): void {
    for (let k = 0; k < sweeps; ++k) {
      let worst = 0;
      // There and back: a correction runs along a chain within one sweep.
      for (let h = 0; h < this.holds.length; ++h) worst = Math.max(worst, this.correct(this.holds[k % 2 ? this.holds.length - 1 - h : h], bodies, local));
      if (worst < rest * wanted) return;
    }
  }

  /** Largest distance of two ends that a joint holds together, m. */
  opening(bodies: Body[], local: LocalPoint): number {
    return Math.max(0, ...this.holds.map((hold) => this.measure(hold, bodies, local)));
  }

  /** The gap of a joint in `gap`, the arms to its ends in `armA` and `armB`; its size, m. */
  private measure(hold: Hold, bodies: Body[], local: LocalPoint): number {
    const one = bodies[hold.from.link], other = bodies[hold.to.link];
    armA.copy(local(hold.from.link, hold.from.point, a)).applyQuaternion(one.turn);
    armB.copy(local(hold.to.link, hold.to.point, b)).applyQuaternion(other.turn);
    gap.copy(other.place).add(armB).sub(one.place).sub(armA);
    if (hold.slides) gap.addScaledVector(axis.copy(hold.slides).applyQuaternion(one.turn), -gap.dot(axis));
    if (hold.flat) axis.copy(hold.flat).applyQuaternion(one.turn), gap.copy(axis.multiplyScalar(gap.dot(axis)));
    return gap.length();
  }

  private correct(hold: Hold, bodies: Body[], local: LocalPoint): number {
    const open = this.measure(hold, bodies, local);
    if (open < 1e-12) return 0;
    const direction = gap.divideScalar(open);
    const ease = (link: number, arm: Vector3) =>
      link === 0 ? 0 : 1 + push.crossVectors(arm, direction).lengthSq() / (this.size[link] * this.size[link]);
    const easeA = ease(hold.from.link, armA), easeB = ease(hold.to.link, armB);
    if (easeA + easeB === 0) return 0;
    const amount = open / (easeA + easeB);
    this.move(bodies[hold.from.link], hold.from.link, armA, direction, amount);
    this.move(bodies[hold.to.link], hold.to.link, armB, direction, -amount);
    return open;
  }

  private move(body: Body, link: number, arm: Vector3, direction: Vector3, amount: number): void {
    if (link === 0) return;
    body.place.addScaledVector(direction, amount);
    push.crossVectors(arm, direction).multiplyScalar(amount / (this.size[link] * this.size[link]));
    const angle = push.length();
    if (angle > 0) body.turn.premultiply(spin.setFromAxisAngle(push.divideScalar(angle), angle)).normalize();
  }
}
