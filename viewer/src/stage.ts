// The three-dimensional picture: mechanisms, ghost, traces, grid, names.

import {
  AmbientLight, Color, DirectionalLight, GridHelper, Group, Mesh, Object3D, Plane, Quaternion, Raycaster, Scene as World, Vector2, Vector3,
  WebGLRenderer,
} from 'three';
import { Arrows, FrameAxes } from './arrows';
import { Colouring, colourOf, Field, Kind } from './colouring';
import { Result } from './contract';
import { Paint } from './bars';
import { Figure } from './figure';
import { Labels } from './labels';
import { largestDeflection } from './enlargement';
import { Motion, Query } from './motion';
import { builtFor, placesToSee, platesOf } from './picture_needs';
import { Sizes } from './sizes';
import { curveColour, palette, Palette } from './theme';
import { Traces } from './traces';
import { Eye, ViewName } from './views';

export type GhostKind = 'none' | 'rigid' | 'start';

export interface Picture {
  query: Query;
  ghost: GhostKind;
  traces: boolean;
  labels: boolean;
  forces: boolean; // arrows of loads, torques and reactions
  frames: boolean; // axes of frames
  colour: Kind | null; // what the links are coloured by
  visible: boolean[]; // per result
}

interface Actor {
  index: number; // of the result
  motion: Motion;
  shadow: Motion; // another state of the same run, for the ghost
  figure: Figure;
  ghost: Figure;
  traces: Traces;
  arrows: Arrows | null; // made when they are asked for
  axes: FrameAxes | null;
}

const side = new Vector3(), near = 16, badge = 34; // px: a click this near to a frame means it; room for the badge

export class Stage {
  readonly eye: Eye;
  elastic = false;
  /** Largest deflection of the run (m) and when it is reached. */
  bending = { size: 0, t: 0 };
  /** [link, point] of the frames whose paths are drawn. */
  traced: [number, number][] = [];
  /** Set while frames can be pulled: called with the name of the frame and where it shall go (ground axes). */
  puller: ((frame: string, place: Vector3) => void) | null = null;
  private readonly renderer: WebGLRenderer;
  private readonly world = new World();
  private readonly actors: Actor[] = [];
  private readonly decor = new Group();
  private readonly lamp = new DirectionalLight(0xffffff, 2.2);
  private readonly labels: Labels;
  private readonly motions: { index: number; result: Result; motion: Motion; shadow: Motion; colouring: Colouring }[] = [];
  private picture: Picture | null = null;
  private pointed: { link: number; point: number; text: string } | null = null;
  private pending = false;
  private framed = 1; // the scale for which the camera stands
  private built = ''; // what the drawn parts were made for
  private deflected = { t: NaN, size: 0 };

  /** Throws when the browser has no WebGL. */
  constructor(private readonly host: HTMLElement, results: Result[]) {
    this.renderer = new WebGLRenderer({ antialias: true });
    this.renderer.debug.checkShaderErrors = false; // to ask for them is to wait for them
    host.append(this.renderer.domElement);
    this.renderer.domElement.setAttribute('aria-hidden', 'true');
    this.labels = new Labels(host);
    this.fill(results);
    this.eye = new Eye(this.first.scene, this.samplePlaces(1), this.renderer.domElement, () => this.render());
    this.eye.mind(this.plates());
    this.world.add(new AmbientLight(0xffffff, 1.5), this.lamp, this.lamp.target, this.decor);
    this.dress();
    this.listen();
    this.listenForPulls();
    new ResizeObserver(() => this.resize()).observe(host);
  }

  private fill(results: Result[]): void {
    const before = this.motions.length > 0 ? namesOf(this.first) : '';
    this.motions.length = 0;
    results.forEach((result, index) => {
      if (!result.scene) return;
      this.motions.push({
        index, result, motion: new Motion(result, result.scene), shadow: new Motion(result, result.scene), colouring: new Colouring(result, result.scene),
      });
    });
    this.built = builtFor(results);
    this.elastic = this.motions.some(({ motion }) => motion.elastic);
    this.bending = this.elastic ? largestDeflection(this.first) : { size: 0, t: this.first.start };
    this.deflected.t = NaN;
    if (before === namesOf(this.first)) return; // what the reader traces stays
    this.pointed = null;
    this.traced = this.first.scene.traced.map(([link, frame]) => [link, this.first.scene.links[link].frames[frame].point]);
  }

  /** Other results in place of these; the camera stays, unless they are of another size. True when nothing had to be built anew. */
  replace(results: Result[], steady: boolean): boolean {
    if (builtFor(results) === this.built) {
      this.adopt(results);
      return true;
    }
    this.fill(results);
    this.picture = null;
    this.framed = 1;
    this.eye.mind(this.plates());
    if (!steady) this.eye.follow(this.first.scene, this.samplePlaces(1));
    this.dress();
    return false;
  }

  /** Other runs of the same mechanisms: what is drawn stays and follows them. */
  private adopt(results: Result[]): void {
    for (const each of this.motions) {
      each.result = results[each.index];
      each.motion.adopt(each.result, each.result.scene!);
      each.shadow.adopt(each.result, each.result.scene!);
      each.colouring = new Colouring(each.result, each.result.scene!);
    }
    this.bending = this.elastic ? largestDeflection(this.first) : { size: 0, t: this.first.start };
    this.deflected.t = NaN;
    for (const actor of this.actors) {
      actor.traces.renew();
      for (const part of [actor.arrows, actor.axes]) {
        if (!part) continue;
        this.world.remove(part);
        release(part);
      }
      actor.arrows = actor.axes = null;
    }
  }

  /** The motion that sets views and modes. */
  get first(): Motion { return this.motions[0].motion; }

  /** What colours the links of the results that have it: the one with the largest value sets the scale. */
  field(kind: Kind): Field | null {
    const fields = this.motions.map(({ colouring }) => colouring.field(kind)).filter((each) => each !== null);
    return fields.reduce<Field | null>((most, each) => (most && most.largest >= each.largest ? most : each), null);
  }

  knows(kind: Kind): boolean { return this.motions.some(({ colouring }) => colouring.knows(kind)); }

  /** Largest gap of a joint as it is drawn now, in line widths. */
  get opening(): number { return this.first.opening / this.first.lineWidth; }

  look(view: ViewName): void { this.eye.look(view); }
  get canvas(): HTMLCanvasElement { return this.renderer.domElement; }

  /** The picture as it is now. */
  snapshot(): Promise<Blob | null> {
    this.draw(); // its pixels are gone after the frame
    return new Promise((done) => this.renderer.domElement.toBlob(done, 'image/png'));
  }

  /** The mechanism as it is drawn now, without grid and ghost. */
  get figure(): Figure { return this.actors[0].figure; }

  /** Builds everything that has a colour; again after a change between light and dark. */
  dress(): void {
    const colours = palette();
    this.world.background = colours.paper;
    for (const actor of this.actors) {
      for (const part of [actor.figure, actor.ghost, actor.traces, actor.arrows, actor.axes]) {
        if (!part) continue;
        this.world.remove(part);
        release(part);
      }
    }
    this.actors.length = 0;
    this.motions.forEach(({ index, motion, shadow }, k) => {
      const tint = k === 0 ? undefined : new Color(curveColour(k));
      const figure = new Figure(motion, colours, { tint, opacity: k === 0 ? 1 : 0.75, joints: k === 0 });
      const ghost = new Figure(shadow, colours, { tint: colours.ghost, opacity: 0.45, joints: false });
      const traces = new Traces(motion, this.tracedIn(motion), tint ?? colours.trace);
      this.world.add(figure, ghost, traces);
      this.actors.push({ index, motion, shadow, figure, ghost, traces, arrows: null, axes: null });
    });
    release(this.decor);
    this.decorate(colours);
    this.resize();
    if (this.picture) this.show(this.picture);
  }

  /** Traced points that a motion has: other results may have fewer links. */
  private tracedIn(motion: Motion): [number, number][] {
    return this.traced.filter(([link, point]) => point < (motion.scene.links[link]?.points.length ?? 0));
  }

  show(picture: Picture): void {
    this.picture = picture;
    for (const actor of this.actors) {
      const visible = picture.visible[actor.index] ?? true, traces = visible && picture.traces && !picture.query.mode;
      actor.motion.update(picture.query);
      if (traces) actor.traces.follow(picture.query.t, picture.query.scale);
      actor.figure.follow(this.paintOf(actor, picture));
      actor.figure.visible = visible;
      actor.traces.visible = traces;
      this.showArrows(actor, visible && !picture.query.mode, picture);
      actor.ghost.visible = visible && picture.ghost !== 'none';
      if (actor.ghost.visible) {
        actor.shadow.update(picture.ghost === 'start' ? { t: actor.motion.start, scale: picture.query.scale }
          : { t: picture.query.mode?.mode.t ?? picture.query.t, scale: 0 });
        actor.ghost.follow();
      }
    }
    this.render();
  }

  /** What arrows stand for in the first result; null while they are not drawn. */
  get arrows(): Arrows | null { return this.actors[0].arrows; }

  /** Of the first result only: several runs of arrows over each other tell nothing. */
  private showArrows(actor: Actor, visible: boolean, { forces, frames }: Picture): void {
    if (actor !== this.actors[0]) return;
    const { motion } = actor, add = <T extends Object3D>(part: T): T => {
      this.world.add(part);
      return part;
    };
    if (forces) actor.arrows ??= add(new Arrows(this.motions[0].result, motion, palette()));
    if (frames) actor.axes ??= add(new FrameAxes(motion, new Sizes(motion.scene)));
    for (const [part, wanted] of [[actor.arrows, forces], [actor.axes, frames]] as const) {
      if (!part) continue;
      part.visible = visible && wanted;
      if (part.visible) part.follow(motion);
    }
  }

  /** The shape of a mode has a size for the eye only, so it has no stress. */
  private paintOf({ index, motion }: Actor, picture: Picture): Paint | undefined {
    const { colour } = picture, scale = colour && !picture.query.mode ? this.field(colour) : null;
    const field = scale && this.motions.find((each) => each.index === index)!.colouring.field(colour!);
    if (!field) return undefined;
    const { row, fraction } = motion.now;
    return (link, line, end) => {
      const value = field.at(link, line, end, row, fraction);
      return Number.isNaN(value) ? null : colourOf(field.kind, value, scale!.largest);
    };
  }

  /** The camera sees what an enlargement draws; not while it is being turned. */
  frame(scale: number): void {
    if (Math.abs(scale / this.framed - 1) < 0.02) return;
    this.framed = scale;
    this.eye.see(this.samplePlaces(scale));
    if (this.picture) this.first.update(this.picture.query);
  }

  /** Largest distance of a point from its place on the rigid twin at time t, as computed (scale 1), m. */
  deflection(t: number): number {
    if (this.deflected.t === t) return this.deflected.size; // an enlargement does not change it
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
    this.deflected = { t, size: largest };
    return largest;
  }

  private plates(): Vector3[] { return platesOf(this.first, this.bending.t); }
  private samplePlaces(scale: number): Float32Array { return placesToSee(this.motions.map(({ motion }) => motion), scale); }

  /** A grid on the lines of the ground coordinates. */
  private decorate(colours: Palette): void {
    this.decor.clear();
    const scene = this.first.scene, radius = scene.radius, up = new Vector3(...scene.up);
    const normal = new Vector3(...scene.normal), centre = new Vector3(...scene.centre);
    const step = gridStep(radius), cells = 2 * Math.ceil((1.6 * radius) / step);
    const grid = new GridHelper(cells * step, cells, colours.grid, colours.grid);
    const across = scene.planar ? normal : up;
    grid.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), across));
    const places = this.samplePlaces(1), place = new Vector3();
    let lowest = Infinity;
    for (let k = 0; k < places.length; k += 3) lowest = Math.min(lowest, place.fromArray(places, k).dot(across));
    // On the lines of the ground coordinates, so that places can be read.
    grid.position.set(...(centre.toArray().map((x) => Math.round(x / step) * step) as [number, number, number]));
    grid.position.addScaledVector(across, lowest - 0.06 * radius - grid.position.dot(across));
    this.decor.add(grid);
    this.host.dataset.grid = `grid ${format(step)} m`;
  }

  /** A frame under the mouse is named; a click draws its path or takes it away. */
  private listen(): void {
    const canvas = this.renderer.domElement;
    let pressed = { x: NaN, y: NaN };
    canvas.addEventListener('pointerdown', (event) => { pressed = { x: event.clientX, y: event.clientY }; });
    canvas.addEventListener('pointermove', (event) => {
      const found = event.buttons === 0 && event.pointerType === 'mouse' ? this.frameAt(event) : null;
      if (found?.text === this.pointed?.text) return;
      this.pointed = found;
      canvas.style.cursor = found ? 'pointer' : '';
      this.render();
    });
    canvas.addEventListener('pointerleave', () => { this.pointed = null; this.render(); });
    canvas.addEventListener('click', (event) => {
      if (!(Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 4)) return;
      const found = this.puller ? null : this.frameAt(event);
      if (found) this.toggleTrace(found.link, found.point);
    });
  }

  /** While frames can be pulled, one under the pointer follows it: in the plane of the mechanism, or that of the screen. */
  private listenForPulls(): void {
    const canvas = this.renderer.domElement, ray = new Raycaster(), plane = new Plane(), place = new Vector3();
    let pulled: string | null = null;
    const follow = (event: PointerEvent) => {
      const box = canvas.getBoundingClientRect();
      ray.setFromCamera(new Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height), this.eye.camera);
      if (pulled && ray.ray.intersectPlane(plane, place)) this.puller?.(pulled, place);
    };
    // Before the controls of the camera hear of it.
    this.host.addEventListener('pointerdown', (event) => {
      const found = this.puller && event.button === 0 ? this.frameAt(event, event.pointerType === 'mouse' ? near : 2 * near) : null;
      if (!found) return;
      pulled = found.text;
      const towards = this.eye.camera.getWorldDirection(new Vector3()), { scene } = this.first;
      const normal = scene.planar ? new Vector3(...scene.normal) : towards;
      plane.setFromNormalAndCoplanarPoint(Math.abs(normal.dot(towards)) > 0.2 ? normal : towards, place.fromArray(this.first.places[found.link], 3 * found.point));
      this.eye.controls.enabled = false;
    }, true);
    this.host.addEventListener('pointermove', (event) => { if (pulled) follow(event); });
    const release = () => {
      pulled = null;
      this.eye.controls.enabled = true;
    };
    for (const end of ['pointerup', 'pointercancel'] as const) window.addEventListener(end, release);
  }

  private toggleTrace(link: number, point: number): void {
    const kept = this.traced.filter(([l, p]) => l !== link || p !== point);
    this.traced = kept.length < this.traced.length ? kept : [...kept, [link, point]];
    this.trace(this.traced);
    this.host.dispatchEvent(new Event('traced'));
  }

  trace(points: [number, number][]): void {
    this.traced = points;
    for (const actor of this.actors) {
      actor.traces.choose(this.tracedIn(actor.motion));
      const { clientWidth, clientHeight } = this.host;
      actor.traces.resize(clientWidth, clientHeight);
    }
  }

  private frameAt(event: MouseEvent, reach = near): { link: number; point: number; text: string } | null {
    const box = this.renderer.domElement.getBoundingClientRect(), place = new Vector3();
    let best = null, nearest = reach;
    for (const [k, link] of this.first.scene.links.entries()) {
      if (k === 0) continue;
      for (const frame of link.frames) {
        place.fromArray(this.first.places[k], 3 * frame.point).project(this.eye.camera);
        const away = Math.hypot(box.left + (0.5 + 0.5 * place.x) * box.width - event.clientX, box.top + (0.5 - 0.5 * place.y) * box.height - event.clientY);
        if (away >= nearest) continue;
        nearest = away;
        best = { link: k, point: frame.point, text: `${link.name}/${frame.name}` };
      }
    }
    return best;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    for (const actor of this.actors) actor.traces.resize(width, height);
    this.eye.resize(width, height, this.elastic ? badge : 0);
    this.render();
  }

  /** Lit from above the reader's left shoulder, wherever he stands. */
  private draw(): void {
    const { camera, controls: { target } } = this.eye, { radius } = this.first.scene;
    camera.updateMatrixWorld();
    this.lamp.target.position.copy(target);
    this.lamp.position.copy(target);
    [-0.9, 1.5, 2.2].forEach((share, axis) => this.lamp.position.addScaledVector(side.setFromMatrixColumn(camera.matrixWorld, axis), share * radius));
    this.renderer.render(this.world, camera);
  }

  /** At most one rendering per frame of the screen. */
  private render(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
      const { x: width, y: height } = this.renderer.getSize(new Vector2()), { pointed } = this;
      this.labels.place(this.first, this.eye.camera, width, height, this.picture?.labels ?? false, pointed
        && { text: pointed.text, place: new Vector3().fromArray(this.first.places[pointed.link], 3 * pointed.point) });
    });
  }
}

/** Links and their points: two motions with the same names are of the same mechanism. */
function namesOf(motion: Motion): string {
  return motion.scene.links.map((link) => `${link.name} ${link.points.length}`).join('/');
}

/** Gives the memory of the graphics card back. Materials stay: with them would go their programs, which take long to make. */
function release(part: Object3D): void {
  part.traverse((each) => { (each as Partial<Mesh>).geometry?.dispose(); });
}

/** 1, 2 or 5 times a power of ten, about an eighth of the picture. */
function gridStep(radius: number): number {
  const raw = radius / 4, power = 10 ** Math.floor(Math.log10(raw)), digit = raw / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

function format(value: number): string { return String(Number(value.toPrecision(3))); }
