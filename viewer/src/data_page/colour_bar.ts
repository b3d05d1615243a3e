// The colours of a quantity beside a plot, with the values of its levels.

import { css } from './colours';
import { Levels } from './levels';
import { PlotArea } from './plot_area';
import { styleOf } from '../theme';

const apart = 15; // px between two values, at least

/** `away`: from the plot to the bar, `wide`: the bar, px; `text`: of a value. */
export function drawColourBar(context: CanvasRenderingContext2D, area: PlotArea, levels: Levels, away: number, wide: number, text: (level: number) => string): void {
  if (!Number.isFinite(levels.low)) return;
  const x = area.left + area.width + away;
  for (let k = 0; k < area.height; ++k) {
    context.fillStyle = css(1 - k / area.height);
    context.fillRect(x, area.top + k, wide, 1.5);
  }
  context.fillStyle = styleOf('--soft');
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  let free = Infinity;
  for (const level of levels.at.length > 0 ? levels.at : [levels.low]) {
    const y = area.top + area.height * (1 - levels.part(level));
    if (y > free - apart) continue;
    free = y;
    context.fillText(text(level), x + wide + 5, y);
  }
}
