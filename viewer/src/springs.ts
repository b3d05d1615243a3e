// Springs between two points are coils; what only damps is a dashpot, a rod in a pot.

import { Color, Curve, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, TubeGeometry, Vector3 } from 'three';
import { Place } from './contract';
import { Motion } from './motion';
import { material } from './theme';

const z = new Vector3(0, 0, 1), a = new Vector3(), b = new Vector3(), turn = new Quaternion();
const turns = 9, straight = 0.12; // part of the length at each end without coils

/** From 0 to `length` along z: straight, coiled, straight. */
class Coil extends Curve<Vector3> {
  constructor(private readonly radius: number, private readonly length: number) { super(); }

  getPoint(part: number, target = new Vector3()): Vector3 {
    const inside = Math.min(Math.max((part - straight) / (1 - 2 * straight), 0), 1), angle = 2 * Math.PI * turns * inside;
    const wide = this.radius * Math.min(1, 12 * inside, 12 * (1 - inside));
    return target.set(wide * Math.cos(angle), wide * Math.sin(angle), part * this.length);
  }
}

export class Springs extends Group {
  private readonly coils: { mesh: Mesh; length: number; a: Place; b: Place }[] = [];
  private readonly dashpots: { pot: Mesh; rod: Mesh; a: Place; b: Place }[] = [];

  /** After motion.update(): the springs are coiled for their length then. */
  constructor(motion: Motion, colour: Color) {
    super();
    const radius = motion.scene.radius, look = material(colour);
    for (const spring of motion.scene.springs) {
      if (spring.damper) {
        this.dashpots.push({ ...this.dashpot(radius, look), a: spring.a, b: spring.b });
        continue;
      }
      const length = Math.max(this.ends(motion, spring.a, spring.b), 1e-3 * radius);
      const mesh = new Mesh(new TubeGeometry(new Coil(Math.min(0.022 * radius, 0.2 * length), length), 160, 0.0035 * radius, 5), look);
      mesh.frustumCulled = false;
      this.add(mesh);
      this.coils.push({ mesh, length, a: spring.a, b: spring.b });
    }
  }

  /** Unit lengths along z. */
  private dashpot(radius: number, look: MeshStandardMaterial): { pot: Mesh; rod: Mesh } {
    const along = (thick: number, from: number, to: number) => {
      const mesh = new Mesh(new CylinderGeometry(thick, thick, to - from, 16).rotateX(Math.PI / 2).translate(0, 0, (from + to) / 2), look);
      mesh.frustumCulled = false;
      this.add(mesh);
      return mesh;
    };
    return { pot: along(0.016 * radius, 0.2, 0.6), rod: along(0.005 * radius, 0, 1) };
  }

  follow(motion: Motion): void {
    for (const { pot, rod, ...damper } of this.dashpots) {
      const now = this.ends(motion, damper.a, damper.b);
      if (now > 0) turn.setFromUnitVectors(z, b.sub(a).normalize());
      for (const mesh of [pot, rod]) {
        mesh.position.copy(a);
        mesh.quaternion.copy(turn);
        mesh.scale.set(1, 1, Math.max(now, 1e-6));
      }
    }
    for (const { mesh, length, ...spring } of this.coils) {
      const now = this.ends(motion, spring.a, spring.b);
      mesh.position.copy(a);
      mesh.scale.set(1, 1, Math.max(now / length, 1e-6));
      if (now > 0) mesh.quaternion.copy(turn.setFromUnitVectors(z, b.sub(a).normalize()));
    }
  }

  /** The ends in `a` and `b`; their distance, m. */
  private ends(motion: Motion, first: Place, second: Place): number {
    a.fromArray(motion.places[first[0]], 3 * first[1]);
    b.fromArray(motion.places[second[0]], 3 * second[1]);
    return a.distanceTo(b);
  }
}
