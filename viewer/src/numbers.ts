// Numbers for people.

/** Six digits or fewer; powers of ten for very small and large ones. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size < 1e-3 || size >= 1e5 ? value.toExponential(Math.max(0, digits - 2)).replace(/\.?0+e/, 'e')
    : String(Number(value.toPrecision(digits)));
  return text.replace('e+', 'e').replace(/-/g, '−');
}

/** Texts for the marks of an axis, all with as many digits as their distance needs. */
export function ticks(marks: number[]): string[] {
  if (marks.length === 0) return [];
  const step = marks.length > 1 ? Math.abs(marks[1] - marks[0]) : Math.abs(marks[0]) || 1;
  const largest = Math.max(...marks.map(Math.abs), step), power = Math.floor(Math.log10(largest));
  const far = largest >= 1e6 || largest < 1e-3, unit = far ? 10 ** power : 1;
  let digits = 0;
  while (digits < 8 && Math.abs((step / unit) * 10 ** digits - Math.round((step / unit) * 10 ** digits)) > 1e-6 * (step / unit) * 10 ** digits) ++digits;
  return marks.map((mark) => {
    const text = mark === 0 ? '0' : (mark / unit).toFixed(digits);
    return (far && mark !== 0 ? `${text}e${power}` : text).replace(/-/g, '−');
  });
}

/** A length in m, mm or µm. */
export function length(metres: number): string {
  const size = Math.abs(metres);
  if (size === 0) return '0 mm';
  if (size < 1e-3) return `${number(metres * 1e6, 3)} µm`;
  return size < 1 ? `${number(metres * 1e3, 3)} mm` : `${number(metres, 3)} m`;
}
