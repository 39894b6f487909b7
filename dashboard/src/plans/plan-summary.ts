import type { Plan } from '../api/calls.gen.ts';
import { formatCount } from '../format/number.ts';

/** Summarizes a plan's limits on one line. */
export function planSummary(plan: Plan): string {
  const { perMinute, perDay, perMonth, historyMonths, watchlistsMax, watchlistCompaniesMax } = plan;
  const { computeMsPerMinute } = plan;
  const parts = [
    `${formatCount(perMinute)} requests per minute`,
    perDay === null ? null : `${formatCount(perDay)} per day`,
    perMonth === null ? null : `${formatCount(perMonth)} per month`,
    perDay === null && perMonth === null ? 'no daily or monthly limit' : null,
    computeMsPerMinute === null
      ? null
      : `${formatCount(computeMsPerMinute / 1_000)} s of computing time per minute`,
    historyMonths === null ? 'full history' : `${historyMonths} months of history`,
    `${formatCount(watchlistsMax)} watchlists of up to ${formatCount(watchlistCompaniesMax)} companies`,
  ];
  return `${parts.filter((part) => part !== null).join(', ')}.`;
}
