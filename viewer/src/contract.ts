// The data block of the page, as written by src/lithe/io/report*.cpp and described in docs/report.md.

/** 32-bit floats, little-endian, base64. */
export type Packed = string;
export type Triple = [number, number, number];

/** Link, and point of it. */
export type Place = [number, number];
/** Quaternion w x y z. */
export type Turn = [number, number, number, number];

export interface Report {
  format: number;
  lithe: string;
  title: string;
  results: Result[]; // none: a model with errors, in `lithe live`
  live?: { token: string }; // the page comes from `lithe live`
  pose?: PulledPose; // of `lithe live`
}

/** Where the reader has pulled the mechanism to. */
export interface PulledPose {
  joints: PulledJoint[];
  pulled: boolean;
  missed: number; // way that was left to where it should go, m or rad
  length: number; // characteristic, m
  condition: { closure: number | null; motors: number | null }; // of the loops; of the motors that determine them
  singular: string; // what is nearly singular, in words
  note: string;
}

export interface PulledJoint {
  name: string;
  value: number;
  lower: number | null;
  upper: number | null;
  angle: boolean;
  actuated: boolean;
  at_limit: boolean;
}

export interface Result {
  label: string;
  file: string;
  lithe: string;
  outcome: string;
  complete: boolean;
  rows: number;
  model: { name: string; path: string; text: string; flattened: string; parameters: Record<string, number> };
  options: Record<string, string | number>;
  audit: Audit | null;
  time: Packed;
  series: Series[];
  scene: Scene | null;
  without_scene: string;
}

/** A mechanism as it is assembled, without a run. */
export function isPose(result: Result): boolean { return result.outcome === 'pose'; }

export interface Audit {
  t_end: number;
  steps: number;
  rejected: number;
  evaluations: number;
  jacobians: number;
  records: number;
  projections: number;
  set_changes: number;
  worst_closure: number;
  energy_error: number;
  energy_scale: number;
  worst_condition: number;
  worst_residual: number;
  wall_seconds: number;
  motors?: Record<string, { peak_torque: number; rms_torque: number; peak_speed: number; peak_power: number }>; // motor side
  bending?: Record<string, number>; // per elastic link, against its length
  stress?: Record<string, LinkStress>;
  time_split: Record<string, number>;
  notes: string[];
  warnings: string[];
  distrust: string[]; // why the result is not to be trusted
}

/** What the stress in a link came to. */
export interface LinkStress {
  peak: number; // Pa
  place: string;
  time: number; // s
  safety?: number | null; // against yield
  damage?: number; // Miner's sum
  life?: number | null; // s; null: unlimited
}

export interface Series {
  name: string;
  group: string;
  unit: string;
  values: Packed;
}

export interface Scene {
  planar: boolean;
  normal: Triple;
  up: Triple;
  gravity: Triple;
  centre: Triple;
  radius: number;
  links: Link[]; // the ground first
  joints: Joint[];
  springs: { name: string; a: Place; b: Place; damper?: boolean }[]; // damper: it has no stiffness
  ropes?: { name: string; through: Place[] }[];
  bushings?: { name: string; from: Place; to: Place; turn: Turn }[]; // turn: axes in those of the from-link
  contacts?: Contact[];
  loads?: Load[];
  traced: [number, number][]; // link, frame
  poses: Packed; // instants x moving links x (x y z, w x y z)
  rigid?: Packed; // the same for the rigid twin; only with elastic links
  modes?: Mode[]; // of the assembled mechanism
}

export interface Link {
  name: string;
  mass: number;
  points: Triple[];
  lines: [number, number, number, number?][]; // from, to, radius (0: unknown), profile
  profiles?: Profile[];
  solids?: Solid[]; // rigid links
  meshes?: LinkMesh[]; // what it looks like, in place of all that
  faces: number[][];
  frames: { name: string; point: number; turn?: Turn }[]; // turn: axes in those of the link
  coordinates?: { name: string; series: string; frequency: number }[]; // elastic links
  shapes?: Packed; // points x coordinates x 3
  places?: string[]; // along the link where section forces are known; as in names of columns
  ends?: Packed; // lines x 2 ends x (place, place, share of the second); -1 where none
  section?: Packed; // places x (N, My, Mz) x coordinates: N, N m per unit
}

/** Section of a beam: sizes as in the model file, `across` its y axis. */
export interface Profile {
  kind: 'rectangle' | 'circle' | 'tube' | 'i';
  size: number[];
  across: Triple;
}

/** `turn` w x y z; `size` along the turned axes, z the axis of a cylinder; a rod of unknown thickness has zeros. */
export interface Solid {
  kind: 'box' | 'cylinder' | 'sphere';
  centre: Triple;
  turn: Turn;
  size: Triple;
}

/** A surface in steps of 1/65535 of its box; `triangles` 16-bit numbers of points, or 32-bit ones where `wide`. */
export interface LinkMesh {
  low: Triple;
  size: Triple;
  points: Packed;
  triangles: Packed;
  wide?: boolean;
  colour?: string; // #rrggbb
}

/** A sphere (radius 0: a point) against a plane, whose normal is the z of `turn`; `size` 0: without bounds. */
export interface Contact {
  name: string;
  point: Place;
  radius: number;
  plane: Place;
  turn: Turn;
  size: [number, number];
}

/** Over time; ground axes, or those of a frame, whose axes in the link are `axes`. */
export interface Load {
  name: string;
  at: Place;
  force?: Packed; // instants x 3, N
  moment?: Packed; // N m
  axes?: Turn;
}

export interface Joint {
  name: string;
  type: string;
  actuated: boolean;
  from: { link: number; point: number };
  to: { link: number; point: number };
  axis: Triple; // axes of the from-link
  axis2?: Triple; // universal joints, axes of the to-link
}

export interface Mode {
  name: string;
  frequency: number; // Hz
  damping?: number; // ratio
  t: number; // s, instant of the pose about which it moves
  twists: Packed; // moving links x (turn, shift): ground axes, at the link origin
  elastic: Packed; // all elastic coordinates, in link order
}

export function unpackBytes(text: Packed): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; ++k) bytes[k] = binary.charCodeAt(k);
  return bytes.buffer;
}

const unpacked = new Map<Packed, Float32Array>(), shortest = 64; // characters

/** The same array every time: not to be written to. Several parts of the page read the same columns. */
export function unpack(text: Packed): Float32Array {
  if (text.length < shortest) return new Float32Array(unpackBytes(text));
  let values = unpacked.get(text);
  if (!values) unpacked.set(text, (values = new Float32Array(unpackBytes(text))));
  return values;
}

/** Lets go of what was unpacked: another report is shown from now on. */
export function forgetUnpacked(): void { unpacked.clear(); }

export function readReport(text = document.getElementById('report-data')?.textContent ?? ''): Report {
  return checked(JSON.parse(text) as Report);
}

export function checked(report: Report): Report {
  if (report.format !== 1) throw new Error(`the data of this page has format ${report.format}; the page reads format 1`);
  return report;
}
