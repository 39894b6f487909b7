import { addDays, type LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate, newYorkInstant } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Dataset } from '../dataset.ts';
import type { DatasetName } from '../observations.ts';
import { datasets } from '../registry.gen.ts';
import { type FeedFreshness, loadFeedFreshness, loadLastChange } from './load.ts';

/** Freshness of one data set. */
export interface DatasetFreshness {
  dataset: DatasetName;
  lastSuccessAt: Instant | null;
  lastChangeAt: Instant | null;
  /** Maximum age before the data set is late; null if no source is fetched for it. */
  targetSeconds: number | null;
  state: FreshnessState;
  /** The data set's feeds with at least one successful response. */
  feeds: FeedFreshness[];
}

export const FRESHNESS_STATES = ['fresh', 'late', 'empty', 'idle', 'replayed'] as const;
export type FreshnessState = (typeof FRESHNESS_STATES)[number];

/** A source's feed with the data sets that it fills. */
export interface SourceFeed {
  provider: string;
  feed: string;
  datasets: readonly string[];
  /** True if this store fetches from the source. */
  isAsked: boolean;
}

const DAY_MS = 86_400_000;
/** Time allowed for nightly work after the end of its day. */
const NIGHT_MS = 6 * 3_600_000;

/** The newest response of a replay was observed at least this long before it was ingested. */
const REPLAYED_MS = 3_600_000;

/**
 * Loads the freshness of every data set. A data set that no source is fetched for is `replayed` if
 * its newest response came from a recording, and `idle` if it was fetched earlier. Otherwise, a
 * data set is late if the last successful response is older than the newest run that was due:
 * weekly for lists, daily for the calendar, and after each trading day for prices and profiles, so
 * that weekends and holidays do not make it late.
 */
export async function loadFreshness(deps: {
  db: Queryable;
  feeds: readonly SourceFeed[];
  market: MarketCalendar;
  now: Instant;
}): Promise<DatasetFreshness[]> {
  const { db, feeds, now } = deps;
  const allFreshness = await loadFeedFreshness(db, feeds);
  const report: DatasetFreshness[] = [];
  for (const { name: dataset, due, shownBy = [] } of datasets) {
    const names = [dataset, ...shownBy];
    const filling = feeds.filter((feed) => names.some((name) => feed.datasets.includes(name)));
    const freshness = allFreshness.filter((row) =>
      filling.some(({ provider, feed }) => provider === row.provider && feed === row.feed),
    );
    const lastSuccessAt =
      freshness.length === 0 ? null : Math.max(...freshness.map((row) => row.lastSuccessAt));
    const targetMs = filling.some(({ isAsked }) => isAsked)
      ? targetOf(due, deps.market, now)
      : null;
    report.push({
      dataset,
      lastSuccessAt,
      lastChangeAt: await loadLastChange(db, dataset),
      targetSeconds: targetMs === null ? null : Math.round(targetMs / 1000),
      state: stateOf(lastSuccessAt, freshness, targetMs, now),
      feeds: freshness,
    });
  }
  return report;
}

function stateOf(
  lastSuccessAt: Instant | null,
  feeds: readonly FeedFreshness[],
  targetMs: number | null,
  now: Instant,
): FreshnessState {
  if (lastSuccessAt === null) return 'empty';
  if (targetMs === null) {
    const newestAt = Math.max(...feeds.map(({ newestObservationAt }) => newestObservationAt));
    return Math.abs(lastSuccessAt - newestAt) > REPLAYED_MS ? 'replayed' : 'idle';
  }
  return now - lastSuccessAt > targetMs ? 'late' : 'fresh';
}

/** Returns the maximum age of the last successful response. */
function targetOf(due: Dataset['due'], market: MarketCalendar, now: Instant): number {
  if (due === 'weekly') return 8 * DAY_MS;
  if (due === 'daily') return DAY_MS + NIGHT_MS;
  const dayEnd = newYorkInstant(addDays(lastTradingDay(market, now), 1), 0);
  return now - dayEnd + DAY_MS;
}

/** Returns the newest trading day for which the nightly work should be done. */
function lastTradingDay(market: MarketCalendar, now: Instant): LocalDate {
  return market.previousTradingDay(newYorkDate(now - NIGHT_MS));
}
