import { loadWithheldBars } from '../datasets/bars/withheld.ts';
import { type Coverage, loadCoverage } from '../datasets/counts/load.ts';
import { confirmedShare, loadConfirmations } from '../datasets/earnings/load-confirmations.ts';
import { type DatasetFreshness, loadFreshness } from '../datasets/freshness/freshness.ts';
import type { FeedFreshness } from '../datasets/freshness/load.ts';
import { loadMarketOverrides } from '../datasets/market-overrides/store.ts';
import { countOpen } from '../datasets/quarantine/counts.ts';
import { datasets } from '../datasets/registry.gen.ts';
import { type StoredSource, loadSources } from '../datasets/sources/store.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import { compareBy } from '../platform/compare.ts';
import { formatInstant, type Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint } from './endpoint.ts';
import { type CoverageBody, coverageBody, coverageExample } from './rows/coverage-body.ts';
import { maybe } from './rows/earnings-row.ts';

/** Cache lifetime for row counts. Counting takes several tenths of a second on a large store. */
const CACHE_MS = 60_000;

export const endpoint: Endpoint = {
  name: 'coverage',
  path: '/v1/coverage',
  summary: 'Data coverage and freshness',
  describe:
    'Each data set with its rows, symbols and days, its freshness, and the share of rows with ' +
    'each field; the sources of the data, with their redistribution terms; and the share of ' +
    'figures of press releases that later filings confirm. Large tables are counted from a ' +
    'sample, marked by `isEstimate`.',
  tag: 'data',
  parameters: [],
  response: coverageBody,
  example: coverageExample,
  datasets: datasets.map(({ name }) => name),
  historicalAccess: false,
  topics: () => [],
  validUntil: (_, now) => now + CACHE_MS,
  maxAgeSeconds: () => CACHE_MS / 1000,
  async handle(_, { db, now }) {
    const sources = await loadSources(db);
    const { overrides } = await loadMarketOverrides(db);
    const freshness = await loadFreshness({
      db,
      now,
      market: marketCalendar(overrides),
      feeds: sources.flatMap(({ name: provider, feeds, isAsked }) =>
        feeds.map(({ name: feed, datasets: filled }) => ({
          provider,
          feed,
          datasets: filled,
          isAsked,
        })),
      ),
    });
    const withheld = await loadWithheld(db);
    const rendered: CoverageBody['datasets'] = [];
    for (const { name, coverage } of datasets) {
      const freshnessOfDataset = freshness.find(({ dataset }) => dataset === name);
      if (freshnessOfDataset === undefined) throw new Error(`no freshness for ${name}`);
      rendered.push({
        ...renderDataset(await loadCoverage(db, coverage), freshnessOfDataset, now),
        withheld: withheld.get(name) ?? [],
      });
    }
    const confirmations = await loadConfirmations(db, now);
    const body: CoverageBody = {
      timestamp: formatInstant(now),
      datasets: rendered,
      sources: sources.flatMap((source) => renderSource(source, freshness)),
      statedFigures: confirmations.counts.map((count) => ({
        ...count,
        confirmedShare: maybe(confirmedShare(count), (share) => Number(share.toFixed(4))),
      })),
    };
    return { kind: 'body', body, asOf: newestOf(freshness.flatMap(({ feeds }) => feeds)) };
  },
};

type DatasetBody = CoverageBody['datasets'][number];

/** Loads the rows that are not served, by data set: bars of price lists, and quarantined rows. */
async function loadWithheld(db: Queryable): Promise<Map<string, DatasetBody['withheld']>> {
  const bars = (await loadWithheldBars(db)).map(
    ({ provider: source, feed, reason, rows, servedRows, firstDate, lastDate }) => ({
      dataset: 'bars',
      row: { source, feed, reason, rows, servedRows, firstDate, lastDate },
    }),
  );
  const quarantined = (await countOpen(db)).map(({ dataset, provider: source, reason, rows }) => ({
    dataset,
    row: { source, reason, rows, feed: null, servedRows: 0, firstDate: null, lastDate: null },
  }));
  const byDataset = Map.groupBy([...bars, ...quarantined], ({ dataset }) => dataset);
  return new Map([...byDataset].map(([dataset, all]) => [dataset, all.map(({ row }) => row)]));
}

function renderDataset(
  coverage: Coverage,
  freshness: DatasetFreshness,
  now: Instant,
): Omit<DatasetBody, 'withheld'> {
  const { rows, isEstimate, symbols, firstDate, lastDate, filled } = coverage;
  return {
    dataset: freshness.dataset,
    description: datasets.find(({ name }) => name === freshness.dataset)?.describe ?? '',
    rows,
    isEstimate,
    symbols,
    firstDate,
    lastDate,
    newestObservationAt: maybe(newestOf(freshness.feeds), formatInstant),
    lastChangeAt: maybe(freshness.lastChangeAt, formatInstant),
    lastSuccessAt: maybe(freshness.lastSuccessAt, formatInstant),
    ageSeconds: maybe(freshness.lastSuccessAt, (at) => Math.max(0, Math.floor((now - at) / 1e3))),
    targetSeconds: freshness.targetSeconds,
    state: freshness.state,
    filled,
    feeds: freshness.feeds
      .map((feed) => ({
        source: feed.provider,
        feed: feed.feed,
        lastSuccessAt: formatInstant(feed.lastSuccessAt),
        newestObservationAt: formatInstant(feed.newestObservationAt),
      }))
      .toSorted(compareBy(({ source, feed }) => `${source} ${feed}`)),
  };
}

/** Renders a source, or returns nothing if it is neither enabled nor has ever responded. */
function renderSource(
  source: StoredSource,
  freshness: readonly DatasetFreshness[],
): CoverageBody['sources'] {
  const filled = freshness.filter(({ feeds }) =>
    feeds.some(({ provider }) => provider === source.name),
  );
  if (filled.length === 0 && !source.isAsked) return [];
  const { name, title, homepage, redistribution, terms, isAsked } = source;
  return [
    {
      name,
      title,
      redistribution,
      terms,
      isAsked,
      homepage: homepage === '' ? null : homepage,
      datasets: filled.map(({ dataset }) => dataset),
    },
  ];
}

function newestOf(feeds: readonly FeedFreshness[]): Instant | null {
  return feeds.length === 0 ? null : Math.max(...feeds.map((feed) => feed.newestObservationAt));
}
