// The colour scale of maps and studies, dark to light and even in grey; the figures of `lithe map` have the same.

const places = [[46, 40, 96], [45, 83, 135], [33, 127, 138], [64, 168, 113], [156, 201, 66], [250, 228, 75]];

/** Colour of a part from 0 to 1 of the scale. */
export function colourAt(part: number): [number, number, number] {
  const place = Math.min(Math.max(part, 0), 1) * (places.length - 1), k = Math.min(Math.floor(place), places.length - 2), rest = place - k;
  return [0, 1, 2].map((c) => Math.round(places[k][c] + rest * (places[k + 1][c] - places[k][c]))) as [number, number, number];
}

export function css(part: number): string { return `rgb(${colourAt(part).join(' ')})`; }

/** For pictures of pixels: 256 steps of the scale as little-endian RGBA. */
export const steps = Uint32Array.from({ length: 256 }, (_, k) => {
  const [r, g, b] = colourAt(k / 255);
  return (255 << 24) | (b << 16) | (g << 8) | r;
});

export function gradient(direction: string): string {
  return `linear-gradient(${direction}, ${places.map(([r, g, b]) => `rgb(${r} ${g} ${b})`).join(', ')})`;
}
