import { Type } from 'typebox';
import { loadBars, newestCompleteSession } from '../../datasets/bars/load.ts';
import { SESSION_MARKERS } from '../../datasets/earnings/observation.ts';
import { loadEarningsOfSecurities } from '../../datasets/earnings/store.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { loadMarketOverrides } from '../../datasets/market-overrides/store.ts';
import type { AdjustedBar } from '../../domain/daily-bar.ts';
import { type Decimal, decimalToNumber } from '../../domain/decimal.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { deriveReactions } from '../../domain/reaction.ts';
import { REACTION_BASES } from '../../domain/release-window.ts';
import {
  choice,
  day,
  defineTemplate,
  nullable,
  type TemplateContext,
  type TemplateData,
} from './template.ts';

/** Maximum age of a report in days. Reactions to older reports were sent long ago. */
const REPORT_DAYS_MAX = 120;
/**
 * Maximum number of sessions before a report that may be read for its average volume. Allows for
 * some sessions without a bar.
 */
const SESSIONS_BEFORE = 35;

/** The price reaction in the first session after the latest report, once that session has ended. */
export const template = defineTemplate({
  templateId: 'earnings_reaction',
  eventType: 'earnings_reaction.changed',
  describe: 'The first session after a report is over, or its figures were corrected.',
  dataset: 'earnings',
  followsSessions: true,
  data: Type.Object({
    date: day('Report date.'),
    time: choice(SESSION_MARKERS, 'Session of the report.'),
    reactionDate: day('First session that could react to the report.'),
    reactionBasis: choice(REACTION_BASES, 'Evidence for that session.'),
    priceChange: Type.Number({ description: 'Percent from the last close before the report.' }),
    gapChange: nullable(
      Type.Number({ description: 'Percent of the open from the last close before the report.' }),
    ),
    volumeRatio: nullable(
      Type.Number({ description: 'Volume relative to the mean of the 20 sessions before.' }),
    ),
  }),
  async build(context, securityId) {
    return (await buildMany(context, [securityId])).get(securityId) ?? null;
  },
  buildMany,
});

async function buildMany(
  { db, now }: TemplateContext,
  securityIds: readonly string[],
): Promise<ReadonlyMap<string, TemplateData>> {
  const today = newYorkDate(now);
  const oldest = addDays(today, -REPORT_DAYS_MAX);
  const events = (await loadEarningsOfSecurities(db, securityIds)).filter(
    ({ date, dateStatus }) => dateStatus === 'reported' && date >= oldest && date <= today,
  );
  const session = events.length === 0 ? null : await newestCompleteSession(db);
  if (session === null) return new Map();
  const market = marketCalendar((await loadMarketOverrides(db)).overrides);
  const reporting = [...new Set(events.map((event) => event.securityId))];
  const from = market.addTradingDays(oldest, -SESSIONS_BEFORE);
  const bars = await loadBars(db, reporting, { from, to: today, basis: today });
  const data = new Map<string, TemplateData>();
  for (const [securityId, group] of Map.groupBy(events, (event) => event.securityId)) {
    const prices = { market, session, bars: bars.get(securityId)?.bars ?? [] };
    const reaction = deriveData(group, prices);
    if (reaction !== null) data.set(securityId, reaction);
  }
  return data;
}

/**
 * Returns the price reaction to the latest of these reports that has one. Contains only percentages
 * with four decimals and no prices, so that a later split does not change data that was already
 * sent.
 */
export function deriveData(
  events: readonly EarningsEvent[],
  prices: { market: MarketCalendar; session: LocalDate; bars: readonly AdjustedBar[] },
): TemplateData | null {
  const { market, session, bars } = prices;
  const latest = bars.at(-1)?.date ?? session;
  // Every stored bar belongs to a completed session.
  const priceData = { bars, lastCompletedSession: latest > session ? latest : session };
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
      gapChange: toNumber(first.gapChange),
      volumeRatio: toNumber(first.volumeRatio),
    };
  }
  return null;
}

function toNumber(value: Decimal | null): number | null {
  return value === null ? null : decimalToNumber(value);
}
