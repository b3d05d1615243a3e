// The three-dimensional picture: mechanisms, ghost, traces, grid, labels.

import {
  AmbientLight, Color, DirectionalLight, GridHelper, Group, Quaternion, Scene as World, Vector2, Vector3, WebGLRenderer,
} from 'three';
import { Result } from './contract';
import { Figure } from './figure';
import { Motion, Query } from './motion';
import { curveColour, palette, Palette } from './theme';
import { Traces } from './traces';
import { Eye, ViewName } from './views';

export type GhostKind = 'none' | 'rigid' | 'start';

export interface Picture {
  query: Query;
  ghost: GhostKind;
  traces: boolean;
  labels: boolean;
  forces: boolean;
  visible: boolean[]; // per result
}

interface Actor {
  index: number; // of the result
  result: Result;
  motion: Motion;
  shadow: Motion; // another state of the same run, for the ghost
  figure: Figure;
  ghost: Figure;
  traces: Traces;
  largestForce: number;
}

const samples = 40;

export class Stage {
  readonly eye: Eye;
  readonly elastic: boolean;
  private readonly renderer: WebGLRenderer;
  private readonly world = new World();
  private readonly actors: Actor[] = [];
  private readonly decor = new Group();
  private readonly labels: HTMLElement;
  private readonly motions: { index: number; result: Result; motion: Motion; shadow: Motion }[] = [];
  private picture: Picture | null = null;
  private pending = false;

  /** Throws when the browser has no WebGL. */
  constructor(private readonly host: HTMLElement, results: Result[]) {
    this.renderer = new WebGLRenderer({ antialias: true });
    host.append(this.renderer.domElement);
    this.renderer.domElement.setAttribute('aria-hidden', 'true');
    this.labels = document.createElement('div');
    this.labels.className = 'labels';
    host.append(this.labels);
    results.forEach((result, index) => {
      if (!result.scene) return;
      const motion = new Motion(result, result.scene), shadow = new Motion(result, result.scene);
      this.motions.push({ index, result, motion, shadow });
    });
    this.elastic = this.motions.some(({ motion }) => motion.elastic);
    this.eye = new Eye(this.first.scene, this.samplePlaces(), this.renderer.domElement, () => this.render());
    this.world.add(new AmbientLight(0xffffff, 1.5), this.decor);
    this.dress();
    new ResizeObserver(() => this.resize()).observe(host);
  }

  /** The motion that sets views and modes. */
  get first(): Motion { return this.motions[0].motion; }
  get start(): number { return Math.min(...this.motions.map(({ motion }) => motion.start)); }
  get end(): number { return Math.max(...this.motions.map(({ motion }) => motion.end)); }

  /** Of all bars in all instants, N. */
  get largestForce(): number { return Math.max(...this.actors.map((actor) => actor.largestForce)); }

  look(view: ViewName): void { this.eye.look(view); }

  /** Builds everything that has a colour; again after a change between light and dark. */
  dress(): void {
    const colours = palette();
    this.world.background = colours.paper;
    for (const actor of this.actors) this.world.remove(actor.figure, actor.ghost, actor.traces);
    this.actors.length = 0;
    this.motions.forEach(({ index, result, motion, shadow }, k) => {
      const tint = k === 0 ? undefined : new Color(curveColour(k));
      const figure = new Figure(motion, colours, { tint, opacity: k === 0 ? 1 : 0.75, joints: k === 0 });
      const ghost = new Figure(shadow, colours, { tint: colours.ghost, opacity: 0.45, joints: false });
      const traces = new Traces(motion, motion.scene.traced, tint ?? colours.trace);
      this.world.add(figure, ghost, traces);
      this.actors.push({ index, result, motion, shadow, figure, ghost, traces, largestForce: largestForce(motion) });
    });
    this.decorate(colours);
    this.resize();
    if (this.picture) this.show(this.picture);
  }

  show(picture: Picture): void {
    this.picture = picture;
    for (const actor of this.actors) {
      const visible = picture.visible[actor.index] ?? true;
      actor.motion.update(picture.query);
      if (picture.traces && visible && !picture.query.mode) actor.traces.follow(picture.query.t, picture.query.scale);
      actor.figure.follow(picture.forces ? actor.largestForce : 0);
      actor.figure.visible = visible;
      actor.traces.visible = visible && picture.traces && !picture.query.mode;
      actor.ghost.visible = visible && picture.ghost !== 'none';
      if (actor.ghost.visible) {
        actor.shadow.update(picture.ghost === 'start' ? { t: actor.motion.start, scale: picture.query.scale }
          : { t: picture.query.mode?.mode.t ?? picture.query.t, scale: 0 });
        actor.ghost.follow(0);
      }
    }
    this.render();
  }

  /** Largest distance of a point from its place on the rigid twin at time t, as computed (scale 1), m. */
  deflection(t: number): number {
    let largest = 0;
    const { motion, shadow } = this.actors[0], query = this.picture?.query;
    motion.update({ t, scale: 1 });
    shadow.update({ t, scale: 0 });
    motion.places.forEach((places, k) => {
      const rigid = shadow.places[k];
      for (let p = 0; p < places.length; p += 3) {
        largest = Math.max(largest, Math.hypot(places[p] - rigid[p], places[p + 1] - rigid[p + 1], places[p + 2] - rigid[p + 2]));
      }
    });
    if (query) motion.update(query);
    return largest;
  }

  private samplePlaces(): Float32Array {
    const places: number[] = [];
    for (const { motion } of this.motions) {
      for (let k = 0; k <= samples; ++k) {
        motion.update({ t: motion.start + ((motion.end - motion.start) * k) / samples, scale: 1 });
        motion.places.forEach((each, link) => {
          if (link > 0) for (const value of each) places.push(value);
        });
      }
      for (const joint of motion.scene.joints) {
        const ground = joint.type === 'free' ? null : joint.from.link === 0 ? joint.from : joint.to.link === 0 ? joint.to : null;
        if (ground) places.push(...motion.scene.links[0].points[ground.point]);
      }
    }
    return Float32Array.from(places);
  }

  /** Light from behind the reader's shoulder, a grid, the axes of the ground. */
  private decorate(colours: Palette): void {
    this.decor.clear();
    const scene = this.first.scene, radius = scene.radius, up = new Vector3(...scene.up);
    const normal = new Vector3(...scene.normal), centre = new Vector3(...scene.centre);
    const lamp = new DirectionalLight(0xffffff, 2.2);
    lamp.position.copy(centre).addScaledVector(up, 3 * radius).add(new Vector3(1, -1.5, 2).multiplyScalar(radius));
    lamp.target.position.copy(centre);
    this.decor.add(lamp, lamp.target);

    const step = gridStep(radius), cells = 2 * Math.ceil((1.6 * radius) / step);
    const grid = new GridHelper(cells * step, cells, colours.grid, colours.grid);
    const across = scene.planar ? normal : up;
    grid.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), across));
    const places = this.samplePlaces(), place = new Vector3();
    let lowest = Infinity;
    for (let k = 0; k < places.length; k += 3) lowest = Math.min(lowest, place.fromArray(places, k).dot(across));
    // On the lines of the ground coordinates, so that places can be read.
    grid.position.set(...(centre.toArray().map((x) => Math.round(x / step) * step) as [number, number, number]));
    grid.position.addScaledVector(across, lowest - 0.06 * radius - grid.position.dot(across));
    this.decor.add(grid);
    this.host.dataset.grid = `grid ${format(step)} m`;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    for (const actor of this.actors) actor.traces.resize(width, height);
    this.eye.resize(width, height);
    this.render();
  }

  /** At most one rendering per frame of the screen. */
  private render(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.renderer.render(this.world, this.eye.camera);
      this.placeLabels();
    });
  }

  private placeLabels(): void {
    const wanted = this.picture?.labels ?? false;
    this.labels.hidden = !wanted;
    if (!wanted) return;
    const { scene, places } = this.first, { x: width, y: height } = this.renderer.getSize(new Vector2());
    const marks: { text: string; place: Vector3; kind: string }[] = [];
    for (const joint of scene.joints) {
      const at = joint.to.link === 0 ? joint.from : joint.to;
      marks.push({ text: joint.name, kind: 'joint', place: new Vector3().fromArray(places[at.link], 3 * at.point) });
    }
    scene.links.forEach((link, k) => {
      if (k === 0 || link.points.length === 0) return;
      const middle = new Vector3(), used = new Set(link.lines.flatMap(([a, b]) => [a, b]).concat(link.faces.flat()));
      for (const point of used) middle.add(new Vector3().fromArray(places[k], 3 * point));
      marks.push({ text: link.name, kind: 'link', place: middle.divideScalar(Math.max(1, used.size)) });
    });
    while (this.labels.children.length > marks.length) this.labels.lastChild?.remove();
    const taken: { x: number; y: number; wide: number }[] = [];
    marks.forEach(({ text, place, kind }, k) => {
      const element = (this.labels.children[k] ?? this.labels.appendChild(document.createElement('span'))) as HTMLElement;
      if (element.textContent !== text) element.textContent = text;
      if (element.className !== kind) element.className = kind;
      place.project(this.eye.camera);
      const x = (0.5 + 0.5 * place.x) * width, y = (0.5 - 0.5 * place.y) * height, wide = 6.2 * text.length;
      // A name that would stand on another one is left out.
      const free = taken.every((other) => Math.abs(other.y - y) > 13 || x > other.x + other.wide || x + wide < other.x);
      element.hidden = !free;
      if (free) taken.push({ x, y, wide });
      element.style.transform = `translate(${x}px, ${y}px) translate(8px, -50%)`;
    });
  }
}

function largestForce(motion: Motion): number {
  if (motion.forces.every((each) => each === null)) return 0;
  let largest = 0;
  for (const t of motion.time) {
    motion.update({ t, scale: 1 });
    for (const forces of motion.forces) forces?.forEach((force) => { if (Math.abs(force) > largest) largest = Math.abs(force); });
  }
  return largest;
}

/** 1, 2 or 5 times a power of ten, about an eighth of the picture. */
function gridStep(radius: number): number {
  const raw = radius / 4, power = 10 ** Math.floor(Math.log10(raw)), digit = raw / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

function format(value: number): string { return String(Number(value.toPrecision(3))); }
