import { loadBars, newestSession } from '../../datasets/bars/load.ts';
import { loadEarningsOfSecurities } from '../../datasets/earnings/store.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { loadMarketOverrides } from '../../datasets/market-overrides/store.ts';
import type { AdjustedBar } from '../../domain/daily-bar.ts';
import { type Decimal, decimalToNumber } from '../../domain/decimal.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { deriveReactions } from '../../domain/reaction.ts';
import type { Template, TemplateContext, TemplateData } from './template.ts';

/** Reports that are older have had their reaction told long ago. */
const REPORT_DAYS_MAX = 120;
/** Sessions before a report that its average volume may need, some of them without a bar. */
const SESSIONS_BEFORE = 35;

/** What the price did on the first session after the newest report, when that session is over. */
export const template: Template = {
  templateId: 'earnings_reaction',
  eventType: 'earnings_reaction.changed',
  describe: 'The first session that could answer a report is over, or its figures were corrected.',
  dataset: 'earnings',
  followsSessions: true,
  fields: [
    'date',
    'time',
    'reactionDate',
    'reactionBasis',
    'priceChange',
    'gapChange',
    'volumeRatio',
  ],
  async build(context, securityId) {
    return (await buildMany(context, [securityId])).get(securityId) ?? null;
  },
  buildMany,
};

async function buildMany(
  { db, now }: TemplateContext,
  securityIds: readonly string[],
): Promise<ReadonlyMap<string, TemplateData>> {
  const today = newYorkDate(now);
  const oldest = addDays(today, -REPORT_DAYS_MAX);
  const events = (await loadEarningsOfSecurities(db, securityIds)).filter(
    ({ date, dateStatus }) => dateStatus === 'reported' && date >= oldest && date <= today,
  );
  const session = events.length === 0 ? null : await newestSession(db);
  if (session === null) return new Map();
  const market = marketCalendar((await loadMarketOverrides(db)).overrides);
  const reporting = [...new Set(events.map((event) => event.securityId))];
  const from = market.addTradingDays(oldest, -SESSIONS_BEFORE);
  const bars = await loadBars(db, reporting, { from, to: today, basis: today });
  const data = new Map<string, TemplateData>();
  for (const [securityId, own] of Map.groupBy(events, (event) => event.securityId)) {
    const told = deriveData(own, { market, session, bars: bars.get(securityId)?.bars ?? [] });
    if (told !== null) data.set(securityId, told);
  }
  return data;
}

/**
 * The reaction to the newest of these reports that has one. Percentages have four decimals and no
 * prices stand beside them, so that a later split changes nothing that was told.
 */
export function deriveData(
  events: readonly EarningsEvent[],
  prices: { market: MarketCalendar; session: LocalDate; bars: readonly AdjustedBar[] },
): TemplateData | null {
  const { market, session, bars } = prices;
  const newest = bars.at(-1)?.date ?? session;
  // Every stored bar is of a session that is over.
  const priceData = { bars, lastCompletedSession: newest > session ? newest : session };
  for (const event of events.toSorted((a, b) => (a.date < b.date ? 1 : -1))) {
    const { reactions, reactionBasis } = deriveReactions(event, market, priceData);
    const [first] = reactions;
    if (first === undefined) continue;
    return {
      date: event.date,
      time: event.time,
      reactionDate: first.date,
      reactionBasis,
      priceChange: decimalToNumber(first.priceChange),
      gapChange: maybe(first.gapChange),
      volumeRatio: maybe(first.volumeRatio),
    };
  }
  return null;
}

function maybe(value: Decimal | null): number | null {
  return value === null ? null : decimalToNumber(value);
}
