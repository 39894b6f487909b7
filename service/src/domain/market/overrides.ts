import type { LocalDate } from '../local-date.ts';
import { afterHoursClose } from './extended-hours.ts';
import { isTrading, type MarketDay } from './market-day.ts';

/**
 * An operator's change to the schedule for one day. Times are minutes since New York midnight.
 * `reason` is shown to customers.
 */
export type MarketOverride = { date: LocalDate; reason: string } & (
  | { kind: 'closed' }
  | { kind: 'early-close'; close: number }
  | { kind: 'late-open'; open: number }
);

/**
 * Applies overrides to a day; their order makes no difference. A closure overrides everything else;
 * otherwise the latest open and the earliest close apply. Overrides can only shorten a session. An
 * override that would extend the session, or that is for a closed day, has no effect. A session
 * with no time left is closed. The reasons of effective overrides are joined with `; `.
 */
export function applyOverrides(day: MarketDay, overrides: readonly MarketOverride[]): MarketDay {
  if (!isTrading(day)) return day;
  const closures = overrides.filter((override) => override.kind === 'closed');
  if (closures.length > 0) return closedBy(day, closures);
  let { open, close } = day;
  for (const override of overrides) {
    if (override.kind === 'late-open') open = Math.max(open, override.open);
    if (override.kind === 'early-close') close = Math.min(close, override.close);
  }
  const causes = overrides.filter(
    (override) =>
      (override.kind === 'late-open' && override.open === open && open > day.open) ||
      (override.kind === 'early-close' && override.close === close && close < day.close),
  );
  if (causes.length === 0) return day;
  if (open >= close) return closedBy(day, causes);
  const status = close < day.close ? 'early' : day.status;
  return {
    ...day,
    status,
    open,
    close,
    afterHoursClose: close < day.close ? afterHoursClose(close, true) : day.afterHoursClose,
    reason: joinReasons(causes),
    kind: 'special',
    basis: 'published',
  };
}

function closedBy(day: MarketDay, causes: readonly MarketOverride[]): MarketDay {
  return {
    ...day,
    status: 'closed',
    preMarketOpen: null,
    open: null,
    close: null,
    afterHoursClose: null,
    reason: joinReasons(causes),
    kind: 'special',
    basis: 'published',
  };
}

function joinReasons(causes: readonly MarketOverride[]): string {
  return [...new Set(causes.map((cause) => cause.reason))].toSorted().join('; ');
}
