// Amplitudes of the oscillations in a curve.

export interface Spectrum {
  frequency: Float64Array; // Hz
  amplitude: Float64Array; // in the unit of the curve
}

const most = 8192;

/** Of the part of a curve between two instants, without its straight-line trend, through a Hann window. */
export function spectrumOf(time: Float64Array, values: (number | null)[], from: number, until: number): Spectrum {
  const inside: number[] = [];
  time.forEach((t, k) => { if (t >= from && t <= until && values[k] !== null) inside.push(k); });
  if (inside.length < 8) return { frequency: new Float64Array(0), amplitude: new Float64Array(0) };
  let count = 8;
  while (count < most && count < inside.length) count *= 2;
  const first = time[inside[0]], last = time[inside[inside.length - 1]], step = (last - first) / (count - 1);
  const real = new Float64Array(count), imaginary = new Float64Array(count);
  let row = 0;
  for (let k = 0; k < count; ++k) {
    const t = first + k * step;
    while (row + 2 < inside.length && time[inside[row + 1]] < t) ++row;
    const a = inside[row], b = inside[row + 1], part = (t - time[a]) / (time[b] - time[a]);
    real[k] = values[a]! + part * (values[b]! - values[a]!);
  }
  const start = real[0], slope = (real[count - 1] - start) / (count - 1);
  let mean = 0;
  for (let k = 0; k < count; ++k) mean += (real[k] -= start + slope * k) / count;
  // Half the sum of a Hann window is a quarter of its points: this makes the peak of a sine its amplitude.
  for (let k = 0; k < count; ++k) real[k] = (real[k] - mean) * (0.5 - 0.5 * Math.cos((2 * Math.PI * k) / (count - 1)));
  transform(real, imaginary);
  const half = count / 2;
  return {
    frequency: Float64Array.from({ length: half }, (_, k) => k / (step * count)),
    amplitude: Float64Array.from({ length: half }, (_, k) => (4 / count) * Math.hypot(real[k], imaginary[k])),
  };
}

/** Fourier transform in place; the length is a power of two (Cooley and Tukey). */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const count = real.length;
  for (let k = 1, j = 0; k < count; ++k) {
    let bit = count >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (k < j) {
      [real[k], real[j]] = [real[j], real[k]];
      [imaginary[k], imaginary[j]] = [imaginary[j], imaginary[k]];
    }
  }
  for (let size = 2; size <= count; size *= 2) {
    for (let start = 0; start < count; start += size) {
      for (let k = 0; k < size / 2; ++k) {
        const angle = (-2 * Math.PI * k) / size, c = Math.cos(angle), s = Math.sin(angle), a = start + k, b = a + size / 2;
        const re = real[b] * c - imaginary[b] * s, im = real[b] * s + imaginary[b] * c;
        real[b] = real[a] - re;
        imaginary[b] = imaginary[a] - im;
        real[a] += re;
        imaginary[a] += im;
      }
    }
  }
}
