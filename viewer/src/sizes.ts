// How thick things are drawn: as the model says where it does, in proportion to the links otherwise.

import { Quaternion, Vector3 } from 'three';
import { Joint, Scene } from './contract';

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

export class Sizes {
  readonly thin: number; // the thinnest bar that is still seen well, m
  readonly bar: number; // radius of a bar of unknown thickness, m
  private readonly reach: number[];

  constructor(private readonly scene: Scene) {
    this.thin = 0.004 * scene.radius;
    this.bar = notAbove(0.07, scene, 0.009, 0.004);
    this.reach = scene.links.map((link) => Math.max(0, ...link.lines.map(([, , radius]) => this.barRadius(radius)),
      ...(link.solids ?? []).map((solid) => this.solidRadius(solid.kind === 'box' ? Math.min(...solid.size) : solid.size[0]))));
  }

  /** Of a round bar: as given, but neither a hair nor a drum. */
  barRadius(given: number): number {
    return given > 0 ? Math.min(Math.max(given, this.thin), 0.03 * this.scene.radius) : this.bar;
  }

  /** Half the thickness of a solid; a rod of unknown thickness is drawn like a bar. */
  solidRadius(thickness: number): number { return thickness > 0 ? Math.max(0.5 * thickness, this.thin) : this.bar; }

  /** Radius of the pin of a joint between two links: somewhat thicker than what it holds. */
  pin(a: number, b: number): number {
    const thick = 1.3 * Math.max(this.reach[a], this.reach[b]), least = notAbove(0.08, this.scene, 0.013, 0.006);
    return Math.min(Math.max(thick, least), 0.032 * this.scene.radius);
  }

  /** Length of such a pin: it stands out of what it holds on both sides, unless that is a whole housing. */
  pinLength(a: number, b: number): number {
    const across = 2.3 * Math.max(this.reach[a], this.reach[b]);
    return Math.max(2.4 * this.pin(a, b), across < 0.2 * this.scene.radius ? across : 0);
  }

  /**
   * Of the pin of a hinge: the thickest that stands in its place, as a motor does not hide in the arm behind its gear. `round`: radius of what is
   * round about the axis, which would hide a pin; 0 where nothing is; `beside`: from the axis to where nothing of slender links is left. `turns`: of the links, in some pose.
   */
  hinge({ from, to, axis }: Joint, turns: Quaternion[]): { radius: number; length: number; round: number; beside: number } {
    const { joints, links, radius: whole } = this.scene, here = joints.filter((each) => each.type === 'revolute' && each.from.link === from.link && each.from.point === from.point);
    const largest = (of: (a: number, b: number) => number, all: Joint[]) => Math.max(...all.map((each) => of.call(this, each.from.link, each.to.link)));
    const own = new Vector3(...axis).normalize(), other = own.clone().applyQuaternion(turns[from.link]).applyQuaternion(turns[to.link].clone().invert());
    const thick = Math.max(this.reach[from.link], this.reach[to.link]), round = Math.max(this.around(from.link, new Vector3(...links[from.link].points[from.point]), own), this.around(to.link, new Vector3(...links[to.link].points[to.point]), other));
    const pins = here.length > 0 ? here : [{ from, to } as Joint], radius = largest(this.pin, pins), length = largest(this.pinLength, pins);
    return { radius, length, round: round > 0.9 * radius ? round : 0, beside: Math.max(0.5 * length, thick < 0.1 * whole ? 1.05 * thick : 0) };
  }

  /**
   * Of a link that turns about its own length at `point`: the radius of the round part around the axis; 0 when there is none. A pin in there
   * would not be seen.
   */
  around(link: number, point: Vector3, axis: Vector3): number {
    const { solids = [], lines, points } = this.scene.links[link], at = new Vector3(), way = new Vector3();
    const runsAlong = (radius: number) => Math.abs(way.normalize().dot(axis)) > 0.97 && at.sub(point).projectOnPlane(axis).length() < 0.5 * radius;
    let widest = 0;
    for (const { kind, centre, turn: [w, x, y, z], size } of solids) {
      const radius = this.solidRadius(size[0]);
      at.set(...centre);
      way.set(0, 0, 1).applyQuaternion(new Quaternion(x, y, z, w));
      if (kind === 'cylinder' && runsAlong(radius)) widest = Math.max(widest, radius);
    }
    for (const [from, to, given] of lines) {
      const radius = this.barRadius(given);
      at.set(...points[from]);
      way.set(...points[to]).sub(at);
      if (runsAlong(radius)) widest = Math.max(widest, radius);
    }
    return widest;
  }

  /** Drawn radius of the thinner of two links; a link without bars counts as a usual one. */
  slimmer(a: number, b: number): number { return Math.min(this.reach[a] || this.bar, this.reach[b] || this.bar); }
}
