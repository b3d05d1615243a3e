// Machine elements: ropes, bushings, planes that something touches.

import { BoxGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import { Contact, Place, Scene, Turn } from './contract';
import { floorOf } from './floors';
import { Motion } from './motion';
import { Sizes } from './sizes';
import { material, Palette } from './theme';

interface Fall {
  mesh: Mesh; // unit length along y
  a: Place;
  b: Place;
}
/** What keeps its attitude in a link. */
interface Held {
  mesh: Mesh;
  at: Place[]; // in the middle of them
  shift: Vector3; // link axes
  turn: Quaternion;
}

const y = new Vector3(0, 1, 0), start = new Vector3(), end = new Vector3();

export class Elements extends Group {
  private readonly falls: Fall[] = [];
  private readonly held: Held[] = [];

  constructor(motion: Motion, sizes: Sizes, palette: Palette) {
    super();
    const { ropes = [], bushings = [], contacts = [] } = motion.scene;
    const line = new CylinderGeometry(0.5 * sizes.thin, 0.5 * sizes.thin, 1, 8), steel = material(palette.joint);
    for (const rope of ropes) {
      for (let k = 1; k < rope.through.length; ++k) {
        this.falls.push({ mesh: this.put(new Mesh(line, steel)), a: rope.through[k - 1], b: rope.through[k] });
      }
    }
    const rubber = material(palette.spring);
    for (const { from, to, turn } of bushings) {
      const size = 2.4 * sizes.pin(from[0], to[0]);
      this.hold(new Mesh(new BoxGeometry(size, size, size), rubber), [from, to], turn);
    }
    const floor = material(palette.ground), laid = new Set<string>(); // feet on one floor share it
    for (const contact of contacts) {
      const { plane, turn, size } = contact, key = JSON.stringify([plane, turn, size]);
      if (!laid.has(key)) this.slab(motion.scene, contact, sizes, floor);
      laid.add(key);
      if (contact.radius > 0) this.hold(new Mesh(new SphereGeometry(contact.radius, 24, 16), rubber), [contact.point], [1, 0, 0, 0]);
    }
  }

  private put(mesh: Mesh): Mesh {
    mesh.frustumCulled = false;
    this.add(mesh);
    return mesh;
  }

  private hold(mesh: Mesh, at: Place[], [w, x, y1, z]: Turn, shift = new Vector3()): void {
    this.held.push({ mesh: this.put(mesh), at, shift, turn: new Quaternion(x, y1, z, w) });
  }

  /** Just below the plane. */
  private slab(scene: Scene, contact: Contact, sizes: Sizes, look: MeshStandardMaterial): void {
    const [w, x, y1, z] = contact.turn, { length, width, shift } = floorOf(scene, contact), thick = sizes.thin;
    shift.add(new Vector3(0, 0, -0.5 * thick).applyQuaternion(new Quaternion(x, y1, z, w)));
    this.hold(new Mesh(new BoxGeometry(length, width, thick), look), [contact.plane], contact.turn, shift);
  }

  follow(motion: Motion): void {
    const place = (at: Place, out: Vector3) => out.fromArray(motion.places[at[0]], 3 * at[1]);
    for (const { mesh, a, b } of this.falls) {
      place(a, start);
      place(b, end);
      mesh.position.copy(start).add(end).multiplyScalar(0.5);
      end.sub(start);
      mesh.scale.set(1, Math.max(end.length(), 1e-9), 1);
      if (end.lengthSq() > 0) mesh.quaternion.setFromUnitVectors(y, end.normalize());
    }
    for (const { mesh, at, shift, turn } of this.held) {
      const link = motion.turns[at[0][0]];
      mesh.position.set(0, 0, 0);
      for (const each of at) mesh.position.addScaledVector(place(each, start), 1 / at.length);
      mesh.position.add(start.copy(shift).applyQuaternion(link));
      mesh.quaternion.copy(link).multiply(turn);
    }
  }
}
