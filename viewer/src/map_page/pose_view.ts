// The mechanism at a point of the map, drawn on a canvas: parallel projection, turned with the pointer.

import type { Triple } from '../contract';
import { Canvas } from '../data_page/canvas';
import { styleOf } from '../theme';
import { Machine, turned } from './machine';
import type { WorkspaceMap } from './map';
import { lineStyles } from './picture';

type Shape = { depth: number; draw(context: CanvasRenderingContext2D): void };

const cross = (a: Triple, b: Triple): Triple => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a: Triple): Triple => { const size = Math.hypot(...a) || 1; return [a[0] / size, a[1] / size, a[2] / size]; };
/** Turned about a unit vector. */
function about(axis: Triple, angle: number, v: Triple): Triple {
  const s = Math.sin(angle / 2);
  return turned([Math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s], v);
}

export class PoseView {
  readonly canvas: Canvas;
  drawn = -1;
  mode = -1;
  layer = 0;
  private swing = 0;
  private across: Triple = [1, 0, 0];
  private up: Triple = [0, 1, 0];
  private readonly tool: [number, number] | null; // link, point

  constructor(parent: HTMLElement, private readonly map: WorkspaceMap, readonly machine: Machine) {
    this.face();
    const { scene } = machine, at = map.data.frame.indexOf('/'), link = scene.links.findIndex(({ name }) => name === map.data.frame.slice(0, at));
    const frame = scene.links[link]?.frames.find(({ name }) => name === map.data.frame.slice(at + 1));
    this.tool = frame ? [link, frame.point] : null;
    this.canvas = new Canvas(parent, (width) => Math.min(Math.max(240, 0.8 * width), Math.max(280, 0.5 * innerHeight)), () => this.draw());
    if (!scene.planar) this.turnWithPointer();
  }

  /** Angle of the swing, rad. */
  set phase(angle: number) {
    this.swing = Math.sin(angle);
    this.canvas.redraw();
  }

  /** A planar mechanism is seen along its normal, others from a corner. */
  private face(): void {
    const { normal, up, planar } = this.machine.scene, flat = planar && Math.abs(dot(unit(normal), unit(up))) < 0.5;
    let toward = unit(normal);
    if (toward[0] + toward[1] + toward[2] < 0) toward = [-toward[0], -toward[1], -toward[2]];
    if (flat) [this.across, this.up] = [unit(cross(up, toward)), unit(up)];
    else {
      const first = unit(Math.abs(up[0]) < 0.9 ? cross(up, [1, 0, 0]) : cross(up, [0, 1, 0])), seen = about(unit(up), -0.6, first);
      this.across = unit(seen);
      this.up = about(this.across, 0.42, unit(up));
    }
  }

  private turnWithPointer(): void {
    const { element } = this.canvas;
    element.style.cursor = 'grab';
    element.addEventListener('pointerdown', (event) => {
      element.setPointerCapture(event.pointerId);
      let [x, y] = [event.clientX, event.clientY];
      const move = (now: PointerEvent) => {
        const vertical = unit(this.machine.scene.up), side = 0.01 * (now.clientX - x), lift = 0.01 * (now.clientY - y);
        [x, y] = [now.clientX, now.clientY];
        this.across = unit(about(vertical, -side, this.across));
        this.up = unit(about(this.across, -lift, about(vertical, -side, this.up)));
        this.canvas.redraw();
      };
      element.addEventListener('pointermove', move);
      element.addEventListener('pointerup', () => element.removeEventListener('pointermove', move), { once: true });
    });
  }

  private project(point: Triple): [number, number, number] {
    const { centre, radius } = this.machine.scene, { width, height } = this.canvas, scale = this.scale(radius);
    const v: Triple = [point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]];
    return [width / 2 + scale * dot(v, this.across), height / 2 - scale * dot(v, this.up), dot(v, cross(this.across, this.up))];
  }
  private scale(radius: number): number { return (0.5 * Math.min(this.canvas.width, 1.25 * this.canvas.height)) / (1.05 * radius); }

  private draw(): void {
    if (this.drawn < 0) return;
    const { context } = this.canvas;
    this.drawWorkspace(context);
    if (this.mode >= 0 && this.machine.knows(this.drawn, this.mode)) { // where it rests
      this.machine.pose(this.drawn);
      context.globalAlpha = 0.18;
      for (const shape of this.shapes()) shape.draw(context);
      context.globalAlpha = 1;
    }
    this.machine.pose(this.drawn, this.mode, this.swing);
    for (const shape of this.shapes().sort((a, b) => a.depth - b.depth)) shape.draw(context);
  }

  /** Boundaries of the map in the place where the tool meets them, when its axes are places of the tool. */
  private drawWorkspace(context: CanvasRenderingContext2D): void {
    const parts = this.map.axes.slice(0, 2).map(({ coordinate }) => /^pos\.(.+)\.([xyz])$/.exec(coordinate));
    if (!this.tool || !parts[0] || !parts[1] || parts[0][1] !== parts[1][1]) return;
    this.machine.pose(this.drawn);
    const axes = parts.map((part) => 'xyz'.indexOf(part![2])), base = this.machine.points[this.tool[0]][this.tool[1]];
    context.lineWidth = 1.2;
    context.globalAlpha = 0.55;
    for (const line of this.map.linesOf(this.layer)) {
      const style = lineStyles[line.kind] ?? lineStyles.reach;
      context.strokeStyle = styleOf(style.colour);
      context.setLineDash(style.dash);
      context.beginPath();
      for (let k = 0; k + 1 < line.places.length; k += 2) {
        const place: Triple = [...base];
        [place[axes[0]], place[axes[1]]] = [line.places[k], line.places[k + 1]];
        const [x, y] = this.project(place);
        context.lineTo(x, y);
      }
      context.stroke();
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  private shapes(): Shape[] {
    const list: Shape[] = [], { scene, points } = this.machine, scale = this.scale(scene.radius);
    const colour = { rigid: styleOf('--rigid'), elastic: styleOf('--elastic'), joint: styleOf('--joint'), motor: styleOf('--motor'), ground: styleOf('--ground'), spring: styleOf('--spring'), tool: styleOf('--trace') };
    const segment = (a: Triple, b: Triple, width: number, look: string, dash: number[] = []) => {
      const [p, q] = [this.project(a), this.project(b)];
      list.push({ depth: 0.5 * (p[2] + q[2]), draw: (context) => {
        context.strokeStyle = look;
        context.lineCap = context.globalAlpha < 1 ? 'butt' : 'round'; // caps that overlap would show
        context.lineWidth = width;
        context.setLineDash(dash);
        context.beginPath();
        context.moveTo(p[0], p[1]);
        context.lineTo(q[0], q[1]);
        context.stroke();
        context.setLineDash([]);
      } });
    };
    const disc = (at: Triple, radius: number, look: string, ahead = 0) => {
      const [x, y, depth] = this.project(at);
      list.push({ depth: depth + ahead, draw: (context) => {
        context.fillStyle = look;
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.fill();
      } });
    };
    scene.links.forEach((link, l) => {
      if (l === 0) return;
      const look = link.coordinates ? colour.elastic : colour.rigid;
      for (const [from, to, radius] of link.lines) segment(points[l][from], points[l][to], Math.min(14, Math.max(3, 2 * radius * scale)), look);
      for (const face of link.faces) this.plate(list, face.map((k) => points[l][k]), look);
      for (const solid of link.solids ?? []) this.solid(list, l, solid, look, segment, disc);
    });
    for (const { a, b } of scene.springs) segment(points[a[0]][a[1]], points[b[0]][b[1]], 2, colour.spring, [4, 3]);
    for (const { through } of scene.ropes ?? []) for (let k = 0; k + 1 < through.length; ++k) segment(points[through[k][0]][through[k][1]], points[through[k + 1][0]][through[k + 1][1]], 1.5, colour.joint);
    for (const joint of scene.joints) {
      if (joint.type === 'fixed' || joint.type === 'free') continue;
      const at = points[joint.from.link][joint.from.point];
      if (joint.from.link === 0) disc(at, 9, colour.ground, -0.01 * scene.radius);
      disc(at, joint.actuated ? 5.5 : 4, joint.actuated ? colour.motor : colour.joint, 0.1 * scene.radius);
    }
    if (this.tool) disc(points[this.tool[0]][this.tool[1]], 4.5, colour.tool, 0.2 * scene.radius);
    return list;
  }

  private plate(list: Shape[], corners: Triple[], look: string): void {
    const places = corners.map((corner) => this.project(corner));
    list.push({ depth: places.reduce((sum, place) => sum + place[2], 0) / places.length, draw: (context) => {
      const before = context.globalAlpha;
      context.fillStyle = look;
      context.globalAlpha = 0.45 * before;
      context.beginPath();
      for (const [x, y] of places) context.lineTo(x, y);
      context.closePath();
      context.fill();
      context.globalAlpha = before;
      context.strokeStyle = look;
      context.lineWidth = 1.5;
      context.stroke();
    } });
  }

  private solid(list: Shape[], l: number, solid: NonNullable<Machine['scene']['links'][0]['solids']>[0], look: string,
    segment: (a: Triple, b: Triple, width: number, look: string) => void, disc: (at: Triple, radius: number, look: string) => void): void {
    const body = this.machine.bodies[l], scale = this.scale(this.machine.scene.radius);
    const world = (local: Triple): Triple => {
      const inLink = turned(solid.turn, local), moved = turned(body.turn, [inLink[0] + solid.centre[0], inLink[1] + solid.centre[1], inLink[2] + solid.centre[2]]);
      return [moved[0] + body.place[0], moved[1] + body.place[1], moved[2] + body.place[2]];
    };
    const [x, y, z] = solid.size.map((size) => size / 2);
    if (solid.kind === 'sphere') disc(world([0, 0, 0]), Math.max(3, x * scale), look);
    else if (solid.kind === 'cylinder') segment(world([0, 0, -z]), world([0, 0, z]), Math.max(3, 2 * x * scale), look);
    else {
      const corner = (k: number) => world([k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z]);
      for (const side of [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]) this.plate(list, side.map(corner), look);
    }
  }
}
