import { addDays } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Dataset } from '../dataset.ts';
import { datasets } from '../registry.gen.ts';
import { type FeedFreshness, loadFeedFreshness, loadLastChange } from './load.ts';

/** How fresh one data set is. */
export interface DatasetFreshness {
  dataset: string;
  lastSuccessAt: Instant | null;
  lastChangeAt: Instant | null;
  /** Age at which it is late; null when no source is asked for it. */
  targetSeconds: number | null;
  state: FreshnessState;
  /** Its feeds that ever answered well. */
  feeds: FeedFreshness[];
}

export const FRESHNESS_STATES = ['fresh', 'late', 'empty', 'idle'] as const;
export type FreshnessState = (typeof FRESHNESS_STATES)[number];

/** A feed of a source, and the data sets it fills. */
export interface SourceFeed {
  provider: string;
  feed: string;
  datasets: readonly string[];
}

const DAY_MS = 86_400_000;
/** Nightly work may take this long after the day it is for. */
const NIGHT_MS = 6 * 3_600_000;

/**
 * Freshness of every data set. A store that no source feeds (a replay) is `idle`; one that is fed is
 * late when the last good answer is older than the newest run that was due: lists weekly, the
 * calendar every day, prices and profiles after each trading day, so that a weekend or a holiday
 * makes nothing late.
 */
export async function loadFreshness(deps: {
  db: Queryable;
  feeds: readonly SourceFeed[];
  isIngesting: boolean;
  market: MarketCalendar;
  now: Instant;
}): Promise<DatasetFreshness[]> {
  const { db, feeds, now } = deps;
  const seen = await loadFeedFreshness(db, feeds);
  const report: DatasetFreshness[] = [];
  for (const { name: dataset, due, shownBy = [] } of datasets) {
    const names = [dataset, ...shownBy];
    const filling = feeds.filter((feed) => names.some((name) => feed.datasets.includes(name)));
    const own = seen.filter((each) =>
      filling.some(({ provider, feed }) => provider === each.provider && feed === each.feed),
    );
    const lastSuccessAt =
      own.length === 0 ? null : Math.max(...own.map((each) => each.lastSuccessAt));
    const targetMs = deps.isIngesting ? targetOf(due, deps.market, now) : null;
    report.push({
      dataset,
      lastSuccessAt,
      lastChangeAt: await loadLastChange(db, dataset),
      targetSeconds: targetMs === null ? null : Math.round(targetMs / 1000),
      state: stateOf(lastSuccessAt, targetMs, now),
      feeds: own,
    });
  }
  return report;
}

function stateOf(
  lastSuccessAt: Instant | null,
  targetMs: number | null,
  now: Instant,
): DatasetFreshness['state'] {
  if (lastSuccessAt === null) return 'empty';
  if (targetMs === null) return 'idle';
  return now - lastSuccessAt > targetMs ? 'late' : 'fresh';
}

/** How old the last good answer may be now. */
function targetOf(due: Dataset['due'], market: MarketCalendar, now: Instant): number {
  if (due === 'weekly') return 8 * DAY_MS;
  if (due === 'daily') return DAY_MS + NIGHT_MS;
  const night = newYorkInstant(addDays(lastTradingDay(market, now), 1), 0);
  return now - night + DAY_MS;
}

/** The newest trading day whose night is over. */
function lastTradingDay(market: MarketCalendar, now: Instant): ReturnType<typeof newYorkDate> {
  return market.previousTradingDay(newYorkDate(now - NIGHT_MS));
}
