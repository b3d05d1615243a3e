// Areas of links: plates and the hulls of platforms (seen through), boxes.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Mesh, MeshStandardMaterial, Vector3 } from 'three';
import { ConvexHull } from 'three/examples/jsm/math/ConvexHull.js';
import { Link } from './contract';
import { Motion } from './motion';
import { sight } from './theme';

export class Faces extends Mesh {
  private readonly corners: { link: number; point: number }[] = [];
  private readonly positions: BufferAttribute;

  /** `colours`: of the links. */
  constructor(motion: Motion, solid: boolean, colours: Color[], opacity: number) {
    const corners: { link: number; point: number }[] = [];
    motion.scene.links.forEach((link, k) => {
      const spoked = link.faces.length === 0 ? hullOf(link) : [];
      if (!solid) for (const point of spoked) corners.push({ link: k, point });
      if (link.faces.length === 0 || link.faces.length > 1 !== solid) return;
      for (const face of link.faces) {
        for (let c = 1; c + 1 < face.length; ++c) {
          for (const corner of [face[0], face[c], face[c + 1]]) corners.push({ link: k, point: corner });
        }
      }
    });
    const positions = new BufferAttribute(new Float32Array(3 * corners.length), 3).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', positions);
    const painted = new BufferAttribute(new Float32Array(3 * corners.length), 3);
    corners.forEach(({ link }, k) => colours[link].toArray(painted.array, 3 * k));
    geometry.setAttribute('color', painted);
    super(geometry, new MeshStandardMaterial({
      vertexColors: true, side: DoubleSide, forceSinglePass: true, flatShading: true, roughness: 0.7, ...sight(opacity),
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    }));
    this.corners = corners;
    this.positions = positions;
    this.frustumCulled = false;
    this.visible = corners.length > 0; // what has nothing to draw wants a program all the same
  }

  follow(motion: Motion): void {
    this.corners.forEach(({ link, point }, k) => {
      const places = motion.places[link];
      this.positions.setXYZ(k, places[3 * point], places[3 * point + 1], places[3 * point + 2]);
    });
    this.positions.needsUpdate = true;
  }
}

/** A platform whose joints lie in no plane is given by spokes from a hub. */
export function isSpoked(link: Link): boolean {
  return link.lines.length > 3 && !link.coordinates && link.lines.every(([from]) => from === link.lines[0][0]);
}

/** The triangles of the hull of the ends of spokes. */
function hullOf(link: Link): number[] {
  if (!isSpoked(link)) return [];
  const places = link.lines.map(([, end]) => new Vector3(...link.points[end])), ends = link.lines.map(([, end]) => end), corners: number[] = [];
  for (const face of new ConvexHull().setFromPoints(places).faces) {
    let edge = face.edge;
    do {
      corners.push(ends[places.indexOf(edge.head().point)]);
      edge = edge.next;
    } while (edge !== face.edge);
  }
  return corners;
}
