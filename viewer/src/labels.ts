// Names in the picture: of joints and links on demand, of the frame under the mouse.

import { Camera, Vector3 } from 'three';
import { Scene } from './contract';
import { Motion } from './motion';

interface Mark {
  text: string;
  kind: 'joint' | 'link' | 'frame';
  place: Vector3;
}

interface Box {
  x: number;
  y: number;
  wide: number;
  tall: number;
}

const letter = 6.2, tall = 14, away = 9; // px
const overlap = (a: Box, b: Box) => a.x < b.x + b.wide && b.x < a.x + a.wide && a.y < b.y + b.tall && b.y < a.y + a.tall;

/** Joints first: where there is no room for all names, links go without. */
function marksOf(scene: Scene, places: Float32Array[]): Mark[] {
  const marks: Mark[] = [];
  for (const joint of scene.joints) {
    const at = joint.to.link === 0 ? joint.from : joint.to;
    marks.push({ text: joint.name, kind: 'joint', place: new Vector3().fromArray(places[at.link], 3 * at.point) });
  }
  scene.links.forEach((link, k) => {
    if (k === 0 || link.points.length === 0) return;
    const middle = new Vector3(), drawn = new Set(link.lines.flatMap(([a, b]) => [a, b]).concat(link.faces.flat()));
    const used = drawn.size ? drawn : new Set(link.points.keys());
    for (const point of used) middle.add(new Vector3().fromArray(places[k], 3 * point));
    marks.push({ text: link.name, kind: 'link', place: middle.divideScalar(used.size) });
  });
  return marks;
}

export class Labels {
  private readonly element = document.createElement('div');

  constructor(host: HTMLElement) {
    this.element.className = 'labels';
    host.append(this.element);
  }

  /** After motion.update(). `frame`: a place to be named by itself. */
  place(motion: Motion, camera: Camera, width: number, height: number, wanted: boolean, frame: { text: string; place: Vector3 } | null): void {
    const marks: Mark[] = frame ? [{ ...frame, kind: 'frame' }] : [];
    if (wanted) marks.push(...marksOf(motion.scene, motion.places));
    this.element.hidden = marks.length === 0;
    while (this.element.children.length > marks.length) this.element.lastChild?.remove();
    const seen = marks.map((mark) => mark.place.clone().project(camera)).map(({ x, y }) => ({ x: (0.5 + 0.5 * x) * width, y: (0.5 - 0.5 * y) * height }));
    // No name on a joint, on another name or across the edge: it goes to a free side of its place, or is left out.
    const taken: Box[] = seen.filter((_, k) => marks[k].kind === 'joint').map(({ x, y }) => ({ x: x - 6, y: y - 6, wide: 12, tall: 12 }));
    marks.forEach(({ text, kind }, k) => {
      const element = (this.element.children[k] ?? this.element.appendChild(document.createElement('span'))) as HTMLElement;
      if (element.textContent !== text) element.textContent = text;
      if (element.className !== kind) element.className = kind;
      const { x, y } = seen[k], wide = letter * text.length;
      const sides: Box[] = [[x + away, y - tall / 2], [x - away - wide, y - tall / 2], [x - wide / 2, y - away - tall], [x - wide / 2, y + away]]
        .map(([left, top]) => ({ x: left, y: top, wide, tall }));
      const inside = (box: Box) => box.x >= 0 && box.y >= 0 && box.x + wide <= width && box.y + tall <= height;
      const free = sides.find((box) => inside(box) && taken.every((other) => !overlap(box, other)));
      element.hidden = !free;
      if (!free) return;
      taken.push(free);
      element.style.transform = `translate(${free.x}px, ${free.y}px)`;
    });
  }
}
