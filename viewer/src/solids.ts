// Boxes, cylinders, spheres and rods that rigid links were put together from.

import { BoxGeometry, BufferGeometry, Color, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import { Solid } from './contract';
import { Motion } from './motion';
import { Sizes } from './sizes';
import { sight } from './theme';

interface Part {
  mesh: Mesh;
  link: number;
  centre: Vector3;
  turn: Quaternion;
}

const upright = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(0, 0, 1)); // cylinders of three lie along y

export class Solids extends Group {
  private readonly parts: Part[] = [];

  /** `colours`: of the links. */
  constructor(motion: Motion, sizes: Sizes, colours: Color[], opacity: number) {
    super();
    const looks = new Map<Color, MeshStandardMaterial>();
    motion.scene.links.forEach((link, k) => {
      const colour = colours[k], look = looks.get(colour) ?? new MeshStandardMaterial({
        color: colour, roughness: 0.6, metalness: 0.1, ...sight(opacity),
      });
      looks.set(colour, look);
      for (const solid of link.solids ?? []) {
        const mesh = new Mesh(shapeOf(solid, sizes), look), [w, x, y, z] = solid.turn;
        const turn = new Quaternion(x, y, z, w);
        if (solid.kind === 'cylinder') turn.multiply(upright);
        this.add(mesh);
        this.parts.push({ mesh, link: k, centre: new Vector3(...solid.centre), turn });
      }
    });
  }

  follow(motion: Motion): void {
    for (const { mesh, link, centre, turn } of this.parts) {
      mesh.position.copy(centre).applyQuaternion(motion.turns[link]).add(motion.origins[link]);
      mesh.quaternion.copy(motion.turns[link]).multiply(turn);
    }
  }
}

function shapeOf(solid: Solid, sizes: Sizes): BufferGeometry {
  const [x, y, z] = solid.size;
  if (solid.kind === 'box') return new BoxGeometry(...solid.size.map((edge) => Math.max(edge, sizes.thin)) as [number, number, number]);
  const radius = sizes.solidRadius(Math.min(x, y));
  return solid.kind === 'sphere' ? new SphereGeometry(radius, 32, 20) : new CylinderGeometry(radius, radius, z, 28);
}
