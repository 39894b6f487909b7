import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import type { Instant } from '../../platform/instant.ts';
import type { SourceResponse } from '../provider.ts';
import type { SessionName } from './market/company.ts';
import { Market, type MarketOptions } from './market/market.ts';
import { callAt, type View } from './market/report-view.ts';
import { makeResponse } from './responses.ts';
import { calendarRow } from './wire.ts';

/** Fields of a report that can be changed on request. */
export const CHANGEABLE_FIELDS = ['date', 'time', 'epsEstimate', 'revenueEstimate'] as const;
export type ChangeableField = (typeof CHANGEABLE_FIELDS)[number];

/** Trading days by which a changed date may lie behind the date of the market. */
const DAYS_LATER_MAX = 5;
/** Age of the oldest report that can be changed. */
const PAST_MS_MAX = 15 * 86_400_000;
const EPS_STEP_CENTS = 1;
const REVENUE_STEP = 1_000_000;

const SESSIONS: ReadonlyMap<string, SessionName> = new Map([
  ['time-pre-market', 'pre'],
  ['time-after-hours', 'after'],
  ['time-during-market', 'during'],
]);
const NEXT_SESSION = {
  pre: 'after',
  after: 'during',
  during: 'pre',
  unknown: 'after',
} as const satisfies Record<SessionName, SessionName>;

/** A stored report, which the change starts from. */
type StoredReport = Pick<
  EarningsEvent,
  'fiscalYear' | 'fiscalQuarter' | 'date' | 'time' | 'epsEstimate' | 'revenueEstimate'
>;

/**
 * Returns a response of the simulated source in which one field of a company's report differs from
 * the stored report. Returns null if the market has no such company, or no such report that is ahead
 * or a few days old. The next revision of the company by the market replaces the change.
 */
export function changeReport(
  options: MarketOptions,
  { symbol, field, at }: { symbol: string; field: ChangeableField; at: Instant },
  stored: StoredReport,
): SourceResponse | null {
  const market = new Market(options);
  const company = market.companies.find((candidate) => candidate.symbol === symbol);
  const view = company === undefined ? undefined : viewOf(market, company.index, { stored, at });
  if (view === undefined) return null;
  const changed = withChange(market, asStored(view, stored), { field, ownDate: view.date });
  return makeResponse(
    'calendar',
    at,
    { rows: [calendarRow(market, changed)] },
    `&change=${symbol}`,
  );
}

function viewOf(
  market: Market,
  index: number,
  { stored, at }: { stored: StoredReport; at: Instant },
): View | undefined {
  const past = market
    .released(at - PAST_MS_MAX, at, index)
    .map(({ cycle }) => market.view(index, cycle, at));
  return [...past, ...market.upcoming(index, at)].find(({ report: { period } }) => {
    return period.year === stored.fiscalYear && period.quarter === stored.fiscalQuarter;
  });
}

/** Returns the view with the stored values, so that a change keeps those of earlier changes. */
function asStored(view: View, report: StoredReport): View {
  const { epsEstimate, revenueEstimate, date } = report;
  const { analysts = 1 } = view.estimate ?? {};
  const estimate =
    epsEstimate === null || revenueEstimate === null
      ? view.estimate
      : {
          analysts,
          epsCents: Math.round(Number(epsEstimate) * 100),
          revenue: Number(revenueEstimate),
        };
  return { ...view, date, session: SESSIONS.get(report.time) ?? 'unknown', estimate };
}

function withChange(
  { days }: Market,
  view: View,
  { field, ownDate }: { field: ChangeableField; ownDate: View['date'] },
): View {
  const { estimate } = view;
  const { epsCents, revenue, analysts } = estimate ?? { epsCents: 0, revenue: 0, analysts: 1 };
  switch (field) {
    case 'date': {
      const later = days.shift(view.date, 1);
      const date = later > days.shift(ownDate, DAYS_LATER_MAX) ? ownDate : later;
      const call = view.callAt === null ? null : callAt(view.report.company, date);
      return { ...view, date, callAt: call };
    }
    case 'time':
      return { ...view, session: NEXT_SESSION[view.session] };
    case 'epsEstimate':
      return { ...view, estimate: { epsCents: epsCents + EPS_STEP_CENTS, revenue, analysts } };
    case 'revenueEstimate':
      return { ...view, estimate: { epsCents, revenue: revenue + REVENUE_STEP, analysts } };
  }
}
