import type { UsageRow } from '../api/calls.gen.ts';

const SERIES_MAX = 5;
const COLORS = [1, 2, 3, 5, 4].map((number) => `var(--chart-${number})`);
const REST_COLOR = 'var(--line-strong)';

/** Fixed colors for status classes. */
const CLASS_COLORS: Readonly<Record<string, string>> = {
  '2xx': 'var(--chart-1)',
  '3xx': 'var(--chart-5)',
  '4xx': 'var(--chart-3)',
  '5xx': 'var(--chart-4)',
};

export interface Series {
  /**
   * The name of this series in a slot: `s0`, `s1`, and so on. A series label isn't used, because it
   * may contain dots, which the chart library reads as paths.
   */
  id: string;
  label: string;
  color: string;
  total: number;
}

export interface Slot {
  /** The start of the hour or day. */
  at: number;
  /** The number of requests in each series. */
  [series: `s${number}`]: number;
}

export interface SeriesTable {
  /** Sorted by size, largest first. The last series groups the small ones. */
  series: Series[];
  /** One slot for each hour or day, including empty ones. */
  slots: Slot[];
  total: number;
}

/** Groups usage rows into series over time. `labelOf` returns a series' display name. */
export function seriesOf(
  rows: readonly UsageRow[],
  steps: readonly number[],
  labelOf: (name: string) => string,
): SeriesTable {
  const totals = totalsOf(rows);
  const visible = totals.length > SERIES_MAX + 1 ? totals.slice(0, SERIES_MAX) : totals;
  const grouped = totals.slice(visible.length);
  const series = visible.map(({ name, requests }, index): Series => ({
    id: `s${index}`,
    label: labelOf(name),
    total: requests,
    color: CLASS_COLORS[name] ?? COLORS[index] ?? REST_COLOR,
  }));
  if (grouped.length > 0) {
    const total = grouped.reduce((sum, { requests }) => sum + requests, 0);
    series.push({
      id: `s${visible.length}`,
      label: `${grouped.length} others`,
      color: REST_COLOR,
      total,
    });
  }
  const idOf = new Map(visible.map(({ name }, index) => [name, `s${index}` as const]));
  const slots = steps.map((at): Slot => ({ at, ...zeros(series) }));
  const byTime = new Map(slots.map((slot) => [slot.at, slot]));
  for (const { at, name, requests } of rows) {
    const slot = byTime.get(Date.parse(at));
    const id = idOf.get(name) ?? (`s${visible.length}` as const);
    if (slot !== undefined) slot[id] = (slot[id] ?? 0) + requests;
  }
  return { series, slots, total: totals.reduce((sum, { requests }) => sum + requests, 0) };
}

/** Returns the total requests by name, highest first. */
export function totalsOf(rows: readonly UsageRow[]): { name: string; requests: number }[] {
  const totals = new Map<string, number>();
  for (const { name, requests } of rows) totals.set(name, (totals.get(name) ?? 0) + requests);
  return [...totals]
    .map(([name, requests]) => ({ name, requests }))
    .toSorted((a, b) => b.requests - a.requests || a.name.localeCompare(b.name));
}

/** Returns the sum of all series in a slot. */
export function sumOf(slot: Slot, { series }: Pick<SeriesTable, 'series'>): number {
  return series.reduce((sum, { id }) => sum + (slot[id as `s${number}`] ?? 0), 0);
}

function zeros(series: readonly Series[]): Record<string, number> {
  return Object.fromEntries(series.map(({ id }) => [id, 0]));
}
