import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { epsToNumber } from '../../domain/decimal.ts';
import type { CalendarEntry } from '../../domain/icalendar.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { releaseSlot } from '../../domain/release-slot.ts';
import { maybe } from './earnings-row.ts';

const SESSIONS = {
  'time-pre-market': 'before the open',
  'time-after-hours': 'after the close',
  'time-during-market': 'during market hours',
  'time-not-supplied': null,
} as const;

const DATES = {
  projected: 'Date projected, not confirmed',
  confirmed: 'Date confirmed',
  reported: 'Reported',
} as const;

/** Renders an earnings report as a calendar entry. */
export function earningsEntry(event: EarningsEvent, market: MarketCalendar): CalendarEntry {
  const session = SESSIONS[event.time];
  return {
    uid: event.id,
    when: releaseSlot(event, market),
    summary: [`${event.symbol} earnings`, quarterOf(event), session].filter(isKnown).join(', '),
    description: [
      event.name,
      `${DATES[event.dateStatus]}: ${[event.date, session].filter(isKnown).join(', ')}`,
      maybe(event.projection, ({ interval80: { from, to } }) => `80 % interval: ${from} to ${to}`),
      figures('EPS', maybe(event.eps, formatEps), maybe(event.epsEstimate, formatEps)),
      figures(
        'Revenue',
        maybe(event.revenue, groupDigits),
        maybe(event.revenueEstimate, groupDigits),
        event.currency,
      ),
      maybe(event.fiscalPeriodEnd, (end) => `Fiscal period ends ${end}`),
    ]
      .filter(isKnown)
      .join('\n'),
    url: event.sourceUrl,
    isTentative: event.dateStatus === 'projected',
    modifiedAt: event.updatedAt,
  };
}

function quarterOf({ fiscalYear, fiscalQuarter }: EarningsEvent): string | null {
  return fiscalYear === null || fiscalQuarter === null ? null : `Q${fiscalQuarter} ${fiscalYear}`;
}

function figures(
  name: string,
  actual: string | null,
  estimate: string | null,
  unit = '',
): string | null {
  const parts = [actual, maybe(estimate, (value) => `estimate ${value}`)].filter(isKnown);
  return parts.length === 0 ? null : `${name} ${parts.join(', ')} ${unit}`.trimEnd();
}

function formatEps(eps: string): string {
  return String(epsToNumber(eps));
}

/** Formats `801500000` as `801,500,000`. */
function groupDigits(amount: string): string {
  return amount.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}

function isKnown<T>(value: T | null): value is T {
  return value !== null;
}
