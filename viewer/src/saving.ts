// What a reader takes away: the picture, the plots, the numbers, the machine in its pose, the animation.

import { Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial, Object3D } from 'three';
import { GLTFExporter } from 'three/examples/jsm/exporters/GLTFExporter.js';
import { Plots } from './plots';
import { svgChart } from './svg_chart';
import { styleOf } from './theme';

export function save(name: string, content: Blob | string, type = 'text/plain'): void {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = Object.assign(document.createElement('a'), { href: address, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10e3);
}

/** All panels that are shown, one below the other, as one drawing. */
export function plotsAsSvg(plots: Plots): string {
  const width = 720, gap = 14, parts: string[] = [];
  let y = gap;
  for (const panel of plots.shownPanels()) {
    const curves = panel.columns().length, height = 230 + 16 * Math.ceil(curves / 3);
    const chart = svgChart(panel.asChart(width, height, true));
    parts.push(chart.replace('<svg ', `<svg x="0" y="${y}" `));
    y += height + gap;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}">`
    + `<rect width="${width}" height="${y}" fill="${styleOf('--card')}"/>${parts.join('\n')}</svg>\n`;
}

/** The curves that are shown, over the time in sight; names with units in the first line. */
export function plotsAsCsv(plots: Plots): string {
  const columns = plots.shownPanels().flatMap((panel) => panel.columns().map((column) => ({ ...column, name: `${panel.group.title}: ${column.name}` })));
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const rows = [['t [s]', ...columns.map((column) => column.name)].map(quoted).join(',')];
  plots.curves.time.forEach((t, k) => {
    if (t < plots.from || t > plots.until) return;
    rows.push([Number(t.toPrecision(9)), ...columns.map(({ values }) => (values[k] === null ? '' : Number(values[k]!.toPrecision(7))))].join(','));
  });
  return `${rows.join('\n')}\n`;
}

/** The machine as it is drawn now, binary glTF; y up as that format wants it, metres. */
export async function asGltf(figure: Object3D, up: [number, number, number]): Promise<Blob> {
  const whole = new Group();
  figure.updateMatrixWorld(true);
  figure.traverseVisible((object) => {
    if (!(object instanceof Mesh) || object.geometry.getAttribute('position')?.count === 0) return;
    const copies = object instanceof InstancedMesh ? instances(object) : [new Mesh(object.geometry, object.material)];
    if (!(object instanceof InstancedMesh)) copies[0].applyMatrix4(object.matrixWorld);
    if (copies.length > 0) whole.add(...copies);
  });
  if (Math.abs(up[2]) > 0.9) whole.rotation.x = -Math.PI / 2;
  const data = await new GLTFExporter().parseAsync(whole, { binary: true, onlyVisible: false });
  return new Blob([data as ArrayBuffer], { type: 'model/gltf-binary' });
}

/** Most programs do not read instances: each becomes a mesh of its own. */
function instances(mesh: InstancedMesh): Mesh[] {
  return Array.from({ length: mesh.count }, (_, k) => {
    const look = (mesh.material as MeshStandardMaterial).clone(), place = new Matrix4();
    mesh.getMatrixAt(k, place);
    if (mesh.instanceColor) mesh.getColorAt(k, look.color);
    const copy = new Mesh(mesh.geometry, look);
    copy.applyMatrix4(place);
    return copy;
  });
}

/** Films a canvas until `finish` is called. */
export function film(canvas: HTMLCanvasElement): { finish: () => Promise<Blob> } {
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm', videoBitsPerSecond: 8e6 }), parts: Blob[] = [];
  recorder.addEventListener('dataavailable', (event) => { parts.push(event.data); });
  recorder.start();
  return {
    finish: () => new Promise((done) => {
      recorder.addEventListener('stop', () => done(new Blob(parts, { type: 'video/webm' })));
      recorder.stop();
    }),
  };
}
