// Colours, taken from the style sheet so that page, plots and picture agree in light and dark.

import { Blending, Color, MeshStandardMaterial, NoBlending, NormalBlending } from 'three';

export interface Palette {
  paper: Color;
  grid: Color;
  rigid: Color;
  elastic: Color;
  plate: Color;
  joint: Color;
  motor: Color;
  housing: Color; // of motors
  ground: Color;
  loose: Color;
  ghost: Color;
  spring: Color;
  trace: Color;
}

/** Value of a custom property of the page. */
export function styleOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function palette(): Palette {
  const colour = (name: string) => new Color(styleOf(name));
  return {
    paper: colour('--stage'), grid: colour('--stage-grid'), rigid: colour('--rigid'), elastic: colour('--elastic'),
    plate: colour('--plate'), joint: colour('--joint'), motor: colour('--motor'), housing: colour('--housing'), ground: colour('--ground'),
    loose: colour('--loose'), ghost: colour('--ghost'), spring: colour('--spring'), trace: colour('--trace'),
  };
}

/**
 * What a material says about being seen through. What hides all behind it blends with nothing and says so: three then gives it the program of what is seen
 * through, and half as many have to be made before the first picture.
 */
export function sight(opacity: number): { transparent: boolean; opacity: number; depthWrite: boolean; blending: Blending } {
  const ghostly = opacity < 1;
  return { transparent: ghostly, opacity, depthWrite: !ghostly, blending: ghostly ? NormalBlending : NoBlending };
}

/** The look of joints, slides and springs. */
export function material(colour: Color): MeshStandardMaterial {
  return new MeshStandardMaterial({ color: colour, roughness: 0.5, metalness: 0.15, ...sight(1) });
}

/** Colours of curves; also those of results laid over each other. */
export function curveColour(index: number): string { return styleOf(`--c${index % 8}`); }

/** Calls back when the reader or the system changes between light and dark. */
export function onThemeChange(changed: () => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  const button = document.getElementById('theme');
  button?.addEventListener('click', () => {
    const root = document.documentElement, system = matchMedia('(prefers-color-scheme: dark)').matches;
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : system;
    root.dataset.theme = dark ? 'light' : 'dark';
    changed();
  });
}
