// Units in which the numbers of a group read best.

export interface Reading {
  factor: number; // from the unit of the data to the one that is shown
  unit: string;
}

const superscript = (power: number) => String(power).replace('-', '⁻').replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]);

/** From which size on a unit with a prefix reads better, largest first. */
const prefixes: Record<string, [from: number, factor: number, unit: string][]> = {
  m: [[1e4, 1e-3, 'km'], [0.1, 1, 'm'], [1e-4, 1e3, 'mm'], [0, 1e6, 'µm']],
  'm/s': [[0.1, 1, 'm/s'], [0, 1e3, 'mm/s']],
  rad: [[1e-2, 1, 'rad'], [1e-5, 1e3, 'mrad'], [0, 1e6, 'µrad']],
  N: [[1e7, 1e-6, 'MN'], [1e4, 1e-3, 'kN'], [0.05, 1, 'N'], [0, 1e3, 'mN']],
  'N m': [[1e7, 1e-6, 'MN m'], [1e4, 1e-3, 'kN m'], [0.05, 1, 'N m'], [0, 1e3, 'mN m']],
  Pa: [[1e10, 1e-9, 'GPa'], [1e5, 1e-6, 'MPa'], [100, 1e-3, 'kPa'], [0, 1, 'Pa']],
  J: [[1e7, 1e-6, 'MJ'], [1e4, 1e-3, 'kJ'], [0.05, 1, 'J'], [0, 1e3, 'mJ']],
  W: [[1e7, 1e-6, 'MW'], [1e4, 1e-3, 'kW'], [0.05, 1, 'W'], [0, 1e3, 'mW']],
};

/** For a group whose values are at most `largest`; with `degrees` no radians. */
export function reading(unit: string, largest: number, degrees: boolean): Reading {
  if (degrees && /^rad(\/|$)/.test(unit)) return { factor: 180 / Math.PI, unit: unit.replace('rad', '°') };
  if (!(largest > 0)) return { factor: 1, unit };
  const known = prefixes[unit]?.find(([from]) => largest >= from);
  if (known && largest * known[1] >= 1e-3) return { factor: known[1], unit: known[2] };
  const size = known ? largest * known[1] : largest, shown = known ? known[2] : unit;
  if (size >= 1e-3 && size < 1e5) return { factor: 1, unit };
  const power = 3 * Math.floor(Math.log10(size) / 3);
  return { factor: (known?.[1] ?? 1) * 10 ** -power, unit: `10${superscript(power)} ${shown}`.trim() };
}
