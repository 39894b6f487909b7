import type { Bar } from '../api/calls.gen.ts';

export interface Size {
  width: number;
  height: number;
}

export interface PriceScale {
  /** Returns the x position of a bar. */
  x: (index: number) => number;
  y: (price: number) => number;
  /** Returns the index of the bar nearest to a pointer position. */
  indexAt: (x: number) => number;
  /** The prices that have a grid line. */
  levels: readonly number[];
  /** The bars at which a month or year starts. */
  months: readonly { index: number; label: string }[];
}

/** Chart margins. Price labels are on the right, month labels at the bottom. */
export const ROOM = { top: 18, right: 56, bottom: 26, left: 8 };

const LEVELS = 4;
const MONTH_LABEL_WIDTH = 70;
const monthName = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** Returns a scale that spaces sessions evenly and fits the price axis to the traded range. */
export function priceScale(bars: readonly Bar[], size: Size): PriceScale {
  const closes = bars.map(({ close }) => close);
  const [low, high] = [Math.min(...closes), Math.max(...closes)];
  const spare = (high - low || high || 1) * 0.08;
  const [from, to] = [low - spare, high + spare];
  const plotWidth = Math.max(1, size.width - ROOM.left - ROOM.right);
  const plotHeight = size.height - ROOM.top - ROOM.bottom;
  const last = Math.max(1, bars.length - 1);
  return {
    x: (index) => ROOM.left + (index / last) * plotWidth,
    y: (price) => ROOM.top + (1 - (price - from) / (to - from)) * plotHeight,
    indexAt: (x) =>
      Math.min(bars.length - 1, Math.max(0, Math.round(((x - ROOM.left) / plotWidth) * last))),
    levels: levelsBetween(from, to),
    months: monthsOf(bars, Math.max(1, Math.floor(plotWidth / MONTH_LABEL_WIDTH))),
  };
}

/** Returns a few round prices within the range. */
function levelsBetween(from: number, to: number): number[] {
  const rough = (to - from) / LEVELS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((factor) => factor >= rough) ?? rough;
  const levels: number[] = [];
  for (let level = Math.ceil(from / step) * step; level <= to; level += step) {
    levels.push(Number(level.toPrecision(10)));
  }
  return levels;
}

/** Returns as many month starts as fit. A label for January shows the year. */
function monthsOf(bars: readonly Bar[], maximum: number): { index: number; label: string }[] {
  const monthStarts = bars.flatMap(({ date }, index) => {
    const previousDate = bars[index - 1]?.date;
    return previousDate !== undefined && previousDate.slice(0, 7) !== date.slice(0, 7)
      ? [{ index, date }]
      : [];
  });
  const step = [1, 2, 3, 6, 12].find((factor) => monthStarts.length / factor <= maximum) ?? 12;
  return monthStarts
    .filter(({ date }) => (Number(date.slice(5, 7)) - 1) % step === 0)
    .map(({ index, date }) => ({ index, label: labelOf(date) }));
}

function labelOf(date: string): string {
  return date.slice(5, 7) === '01' ? date.slice(0, 4) : monthName.format(new Date(date));
}
