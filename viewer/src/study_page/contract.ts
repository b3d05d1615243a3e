// The data block of the page of a study, as written by src/lithe/io/study_page.cpp and described in docs/report.md.

export interface StudyData {
  format: number;
  kind: 'study';
  lithe: string;
  title: string;
  file: string;
  study: { path: string; method: string; text: string };
  outcome: string;
  rows: number; // variants in the file; the page may have fewer
  numbers: string; // 64-bit floats: the numbers of those that it has
  axes: { name: string; values: string; log?: boolean }[]; // 64-bit floats, one per variant
  outputs: { name: string; values: string }[]; // not a number where a variant failed
  failures: { message: string; count: number; places: number[] }[];
  surfaces: (Surface | null)[]; // per output
  analysis: Analysis;
  objectives: { output: string; maximize: boolean }[];
  limits: { output: string; least: number | null; most: number | null }[];
  command: { verb: string; model: string; sets: string[]; records: boolean; at?: number; more?: string[] } | null;
  pages: Record<string, string>; // report pages of kept runs, by number
}

/** y = constant + linear x + quadratic x x (i <= j, row by row), x with zero mean and unit deviation. */
export interface Surface {
  mean: number[];
  scale: number[];
  constant: number | null;
  linear: number[];
  quadratic: number[];
  determination: number | null;
}

type Num = number | null;
export interface Analysis {
  outputs?: Record<string, {
    unexplained?: Num;
    axes?: Record<string, { correlation: Num; 'rank-correlation': Num; share: Num }>;
    sobol?: Record<string, { first: Num; 'first-error': Num; total: Num; 'total-error': Num }>;
    morris?: Record<string, { mean: Num; 'mean-size': Num; deviation: Num }>;
  }>;
  limits?: { broken: number; variants: number; probability: number; low: number; high: number; confidence: number };
  best?: { number?: number; values: Record<string, number> };
  searches?: { evaluations: number; feasible: boolean; ending: string }[];
  front?: { values: Record<string, number>; outputs: Record<string, number> }[];
}
