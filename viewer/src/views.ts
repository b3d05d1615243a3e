// Cameras: from a corner, along the axes, in the plane of a planar mechanism.

import { Camera, OrthographicCamera, PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Scene } from './contract';

export type ViewName = 'corner' | 'xy' | 'xz' | 'yz' | 'plane';

interface Direction {
  towards: Vector3; // from the mechanism to the eye
  up: Vector3;
}

const fieldOfView = 32;
const muchBetter = 1.4; // times as much spread on the screen
const flatLeast = 0.45; // how little a plate counts that is seen from its edge
const sameShape = 0.02; // of the logarithm of width by height
const sameView = 0.25; // of the radius: a mechanism that has changed by less is seen from where the camera stands

function directionOf(view: ViewName, scene: Scene): Direction {
  const up = new Vector3(...scene.up), normal = new Vector3(...scene.normal);
  switch (view) {
    case 'xy': return { towards: new Vector3(0, 0, 1), up: new Vector3(0, 1, 0) };
    case 'xz': return { towards: new Vector3(0, -1, 0), up: new Vector3(0, 0, 1) };
    case 'yz': return { towards: new Vector3(1, 0, 0), up: new Vector3(0, 0, 1) };
    case 'plane': {
      const inPlane = up.clone().addScaledVector(normal, -up.dot(normal));
      if (inPlane.length() < 0.1) inPlane.set(normal.z, normal.x, normal.y);
      return { towards: normal, up: inPlane.normalize() };
    }
    case 'corner': return cornerOf(scene, 0.85);
  }
}

/** From the front, so far to the right or left (negative), and from above. */
function cornerOf(scene: Scene, sidewards: number): Direction {
  // For a mechanism in the upright plane x, y the eye stays before that plane.
  const up = new Vector3(...scene.up), front = Math.abs(up.y) > 0.9 ? new Vector3(0, 0, 1) : new Vector3(0, -1, 0);
  const side = new Vector3().crossVectors(front, up).negate();
  return { towards: front.multiplyScalar(1.3).addScaledVector(side, sidewards).addScaledVector(up, 0.75).normalize(), up };
}

/** How far places spread on the screen, seen from a direction: the area of the ellipse of their scatter. */
function spread(places: Float32Array, { towards, up }: Direction): number {
  const right = new Vector3().crossVectors(up, towards).normalize(), upwards = new Vector3().crossVectors(towards, right), place = new Vector3();
  let x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  const count = Math.max(places.length / 3, 1);
  for (let k = 0; k < places.length; k += 3) {
    const u = place.fromArray(places, k).dot(right), v = place.dot(upwards);
    x += u / count; y += v / count; xx += (u * u) / count; xy += (u * v) / count; yy += (v * v) / count;
  }
  return Math.sqrt(Math.max((xx - x * x) * (yy - y * y) - (xy - x * y) ** 2, 0));
}

export class Eye {
  camera: Camera;
  controls: OrbitControls;
  private view: ViewName;
  private width = 1;
  private height = 1;
  private above = 0; // px at the upper edge that are kept free for the badge
  private sized = false;
  private turned = false; // by hand
  private plates: Vector3[] = []; // normals of what is flat

  /** `places`: points that must be seen, x y z after each other. */
  constructor(private scene: Scene, private places: Float32Array, private readonly element: HTMLElement,
              private readonly changed: () => void) {
    this.view = scene.planar ? 'plane' : 'corner';
    this.camera = new PerspectiveCamera();
    this.controls = new OrbitControls(this.camera, element);
    this.look(this.view);
  }

  get current(): ViewName { return this.view; }

  /** Other points must be seen from now on, as when the drawn deformation grows; a camera that was turned by hand stays. */
  see(places: Float32Array): void {
    this.places = places;
    if (!this.turned) this.look(this.view);
  }

  /** Normals of plates, which should not be seen from their edges; for the next look(). */
  mind(plates: Vector3[]): void { this.plates = plates; }

  /** Another mechanism must be seen; the camera stays where it is while that is much the same one. */
  follow(scene: Scene, places: Float32Array): void {
    const before = this.scene, moved = new Vector3(...scene.centre).distanceTo(new Vector3(...before.centre));
    this.scene = scene;
    this.places = places;
    if (before.planar !== scene.planar && !scene.planar && this.view === 'plane') this.view = 'corner';
    const other = moved + Math.abs(scene.radius - before.radius) > sameView * before.radius;
    if (other && !this.turned) this.look(this.view);
  }

  /** Position and target of the camera when it was turned by hand. */
  get pose(): number[] | null {
    return this.turned ? [...this.camera.position.toArray(), ...this.controls.target.toArray(), (this.camera as PerspectiveCamera).zoom] : null;
  }

  set pose(values: number[] | null) {
    if (!values || values.length < 7 || values.some((value) => !Number.isFinite(value))) return;
    this.camera.position.fromArray(values);
    this.controls.target.fromArray(values, 3);
    (this.camera as PerspectiveCamera).zoom = values[6];
    this.controls.update();
    this.fit();
    this.turned = true;
    this.changed();
  }

  resize(width: number, height: number, above = 0): void {
    const before = this.aspect, other = above !== this.above || Math.abs(Math.log((width / Math.max(height - above, 1)) / before)) > sameShape;
    this.width = width;
    this.height = height;
    this.above = above;
    if (!this.sized || (other && !this.turned)) { // only now is the shape of the picture known
      this.sized = true;
      this.look(this.view);
    }
    this.fit();
  }

  /** Of the part below the badge. */
  private get aspect(): number { return this.width / Math.max(this.height - this.above, 1); }

  private fit(): void {
    const { width, height, above } = this, { aspect } = this;
    if (this.camera instanceof PerspectiveCamera) {
      this.camera.setViewOffset(width, height - above, 0, -above, width, height); // also its aspect
    } else if (this.camera instanceof OrthographicCamera) {
      const half = this.camera.userData.half as { x: number; y: number };
      const tall = Math.max(half.y, half.x / aspect);
      this.camera.top = tall;
      this.camera.bottom = -tall;
      this.camera.right = tall * aspect;
      this.camera.left = -tall * aspect;
      this.camera.setViewOffset(width, height - above, 0, -above, width, height);
    }
  }

  look(view: ViewName): void {
    this.view = view;
    const { towards, up } = view === 'corner' ? this.corner() : directionOf(view, this.scene);
    const right = new Vector3().crossVectors(up, towards).normalize(), upwards = new Vector3().crossVectors(towards, right); // of the screen
    const { centre, half } = this.extent(right, upwards, towards), radius = this.scene.radius;
    if (view === 'corner') {
      this.camera = new PerspectiveCamera(fieldOfView, 1, radius / 50, radius * 60);
      this.camera.position.copy(centre).addScaledVector(towards, this.distance(centre, right, upwards, towards));
    } else {
      this.camera = new OrthographicCamera(-1, 1, 1, -1, radius / 50, radius * 60);
      this.camera.userData.half = { x: 1.1 * Math.max(half.x, 0.15 * radius), y: 1.1 * Math.max(half.y, 0.15 * radius) };
      this.camera.position.copy(centre).addScaledVector(towards, 20 * radius);
    }
    this.camera.up.copy(up);
    this.camera.lookAt(centre);
    this.controls.dispose();
    this.controls = new OrbitControls(this.camera, this.element);
    this.controls.target.copy(centre);
    let held = false; // a click alone turns nothing
    this.controls.addEventListener('start', () => { held = true; });
    this.controls.addEventListener('end', () => { held = false; });
    this.controls.addEventListener('change', () => {
      this.turned ||= held;
      this.changed();
    });
    this.turned = false;
    this.controls.update();
    this.fit();
    this.changed();
  }

  /** From the right, unless the mechanism is seen much better from elsewhere. */
  private corner(): Direction {
    const worth = (direction: Direction) => {
      const flat = this.plates.reduce((sum, plate) => sum + Math.abs(plate.dot(direction.towards)) / this.plates.length, this.plates.length ? 0 : 1);
      return spread(this.places, direction) * (flatLeast + (1 - flatLeast) * flat);
    };
    let best = cornerOf(this.scene, 0.85), most = muchBetter * worth(best);
    for (const sidewards of [-0.85, 3, -3]) {
      const other = cornerOf(this.scene, sidewards), seen = worth(other);
      if (seen > most) [best, most] = [other, seen];
    }
    return best;
  }

  /** From which a perspective camera sees everything that moves. */
  private distance(centre: Vector3, right: Vector3, up: Vector3, towards: Vector3): number {
    const tall = Math.tan((fieldOfView * Math.PI) / 360), wide = tall * this.aspect, place = new Vector3();
    let distance = 0.5 * this.scene.radius;
    for (let k = 0; k < this.places.length; k += 3) {
      place.fromArray(this.places, k).sub(centre);
      const needed = Math.max(Math.abs(place.dot(right)) / wide, Math.abs(place.dot(up)) / tall);
      distance = Math.max(distance, place.dot(towards) + 1.1 * needed);
    }
    return distance;
  }

  /** Middle and half sizes of everything that moves, seen from a direction. */
  private extent(right: Vector3, up: Vector3, towards: Vector3): { centre: Vector3; half: Vector3 } {
    const low = new Vector3(Infinity, Infinity, Infinity), high = new Vector3(-Infinity, -Infinity, -Infinity);
    const place = new Vector3(), seen = new Vector3();
    for (let k = 0; k < this.places.length; k += 3) {
      place.fromArray(this.places, k);
      seen.set(place.dot(right), place.dot(up), place.dot(towards));
      low.min(seen);
      high.max(seen);
    }
    if (!(low.x <= high.x)) return { centre: new Vector3(...this.scene.centre), half: new Vector3(1, 1, 1) };
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const centre = right.clone().multiplyScalar(middle.x).addScaledVector(up, middle.y).addScaledVector(towards, middle.z);
    return { centre, half: high.sub(low).multiplyScalar(0.5) };
  }
}
