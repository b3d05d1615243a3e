// What the arrows of the picture stand for, in words, and what to record for those that are missing.

import type { Arrows } from './arrows';
import { number } from './numbers';

export function arrowsNote(arrows: Arrows | null): string {
  if (!arrows) return '';
  const { kinds, force, moment } = arrows, names = { load: 'loads (violet)', torque: 'motors (orange)', reaction: 'reactions (green)' } as const;
  const shown = (Object.keys(names) as (keyof typeof names)[]).filter((kind) => kinds.has(kind)).map((kind) => names[kind]).join(', ');
  const sizes = [force > 0 ? `longest arrow of the run ${number(force, 3)} N` : '', moment > 0 ? `widest ring ${number(moment, 3)} N m` : ''].filter(Boolean).join(', ');
  const missing = kinds.has('reaction') ? '' : 'Reactions of joints are drawn when the model records them: record: [forces].';
  return [shown && `${shown[0].toUpperCase()}${shown.slice(1)}: ${sizes}.`, missing].filter(Boolean).join(' ');
}
