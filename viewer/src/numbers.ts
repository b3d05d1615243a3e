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

/** Short text for the marks of an axis. */
export function tick(value: number): string {
  const short = Number(value.toPrecision(4)), size = Math.abs(short);
  const text = size !== 0 && (size < 1e-3 || size >= 1e5) ? short.toExponential() : String(short);
  return text.replace('e+', 'e').replace(/-/g, '−');
}

/** A length in m, mm or µm. */
export function length(metres: number): string {
  const size = Math.abs(metres);
  if (size === 0) return '0 mm';
  if (size < 1e-3) return `${number(metres * 1e6, 3)} µm`;
  return size < 1 ? `${number(metres * 1e3, 3)} mm` : `${number(metres, 3)} m`;
}
