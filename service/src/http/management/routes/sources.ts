import { Type } from 'typebox';
import { FRESHNESS_STATES } from '../../../datasets/freshness/freshness.ts';
import {
  listRuns,
  loadLastFailures,
  RUN_OUTCOMES,
  type RunOutcome,
} from '../../../datasets/runs/store.ts';
import { loadSources } from '../../../datasets/sources/store.ts';
import {
  choice,
  flag,
  instant,
  integer,
  list,
  named,
  nullable,
  number,
  text,
} from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { formatOptional } from '../instants.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { nextNumber } from '../described-text.ts';

const NOT_IN_USE_REASONS = ['not-named', 'simulated-market', 'real-data'] as const;

const sourceSchema = named('Source', {
  name: text('Name, as used in the setting SOURCES.'),
  title: text('Display name.'),
  homepage: text('Website.'),
  redistribution: text('Whether the terms of the source allow redistribution.'),
  terms: text('Summary of the terms.'),
  inUse: flag('Whether this store ingests from the source.'),
  whyNotInUse: nullable(
    choice(
      NOT_IN_USE_REASONS,
      '`not-named`: not listed in SOURCES; `simulated-market`: this store holds simulated data ' +
        'and uses no real sources; `real-data`: this source is simulated and the store holds ' +
        'real data; null: in use.',
    ),
  ),
  lacks: list(
    text('Name of a setting.'),
    'Required settings that are missing, usually an API key.',
  ),
  datasets: list(text('Name of a data set.'), 'Data sets the source provides.'),
  lastSuccessAt: nullable(instant('Time of the latest successful response.')),
  lastFailure: nullable(
    named('SourceFailure', {
      at: instant('Time of the failure.'),
      outcome: choice(
        RUN_OUTCOMES,
        '`unavailable`: no response; `rejected`: an unusable response.',
      ),
      reason: nullable(text('Reason of the failure.')),
    }),
  ),
  nextRunAt: nullable(instant('Next scheduled request.')),
  resting: nullable(
    named('SourceCooldown', {
      reason: text('Reason, such as `rate-limited`, `blocked` or `breaker-open`.'),
      until: instant('Time at which requests resume.'),
    }),
  ),
});

const sourcesRoute = defineRoute({
  name: 'sources-list',
  method: 'GET',
  path: '/operator/v1/sources',
  summary: 'List sources and their status',
  access: 'ingest.read',
  status: 200,
  response: named('IngestStatus', {
    sources: list(sourceSchema, 'Sources in use first, then by name.'),
    datasets: list(
      named('DatasetFreshness', {
        dataset: text('Name of the data set.'),
        state: choice(
          FRESHNESS_STATES,
          '`late`: older than the target age. `replayed`: filled from recordings.',
        ),
        lastSuccessAt: nullable(instant('Time of the latest successful response.')),
        lastChangeAt: nullable(instant('Time the facts last changed.')),
        targetSeconds: nullable(
          integer('Age at which the data set is late; null if no source is in use.'),
        ),
      }),
      'Freshness of each data set.',
    ),
  }),
  async handle({ deps: { db, gatherer, system } }) {
    const rows = await loadSources(db);
    const fresh = await gatherer.freshness();
    const names = rows.map(({ name }) => name);
    const failures = await loadLastFailures(db, names);
    const feeds = fresh.flatMap((dataset) => dataset.feeds);
    const sources = await Promise.all(
      rows.map(async ({ name, title, homepage, redistribution, terms, isAsked, ...rest }) => {
        const ownFeeds = feeds.filter(({ provider }) => provider === name);
        const failure = failures.find(({ provider }) => provider === name);
        const cooldown = gatherer.cooldown(name);
        return {
          name,
          title,
          homepage,
          redistribution,
          terms,
          inUse: isAsked,
          whyNotInUse: isAsked ? null : notInUseReason(redistribution, system.dataSource),
          lacks: gatherer.missingSettings(name),
          datasets: [...new Set(rest.feeds.flatMap(({ datasets }) => datasets))].toSorted(),
          lastSuccessAt: formatOptional(
            latestOf(ownFeeds.map(({ lastSuccessAt }) => lastSuccessAt)),
          ),
          lastFailure:
            failure === undefined
              ? null
              : { at: formatInstant(failure.at), outcome: failure.outcome, reason: failure.reason },
          nextRunAt: isAsked ? formatOptional(await gatherer.nextRunAt(name)) : null,
          resting:
            cooldown === null
              ? null
              : { reason: cooldown.reason, until: formatInstant(Math.round(cooldown.retryAt)) },
        };
      }),
    );
    sources.sort((a, b) => Number(b.inUse) - Number(a.inUse) || (a.name < b.name ? -1 : 1));
    const datasets = fresh.map(({ dataset, state, targetSeconds, ...times }) => ({
      dataset,
      state,
      targetSeconds,
      lastSuccessAt: formatOptional(times.lastSuccessAt),
      lastChangeAt: formatOptional(times.lastChangeAt),
    }));
    return done({ sources, datasets });
  },
});

function notInUseReason(
  redistribution: string,
  dataSource: string,
): (typeof NOT_IN_USE_REASONS)[number] {
  if (redistribution === 'synthetic') return 'real-data';
  return dataSource === 'synthetic' ? 'simulated-market' : 'not-named';
}

function latestOf(instants: readonly number[]): number | null {
  return instants.length === 0 ? null : Math.max(...instants);
}

const runSchema = named('IngestRun', {
  id: integer('Run ID.'),
  provider: text('Name of the source.'),
  feed: nullable(text('Feed of the source; null if there was no response.')),
  datasets: list(text('Name of a data set.'), 'Data sets of the feed.'),
  url: text('Requested URL, without API keys.'),
  startedAt: instant('Start time.'),
  durationMs: number('Duration of processing the response, or of waiting for one.'),
  outcome: choice(RUN_OUTCOMES, '`unsupported`: a valid response without usable data.'),
  reason: nullable(text('Reason if the outcome is not `ingested`.')),
  rowsSeen: integer('Total rows.'),
  rowsNew: integer('Rows with a new key.'),
  rowsChanged: integer('Rows that differ from the previous observation.'),
  rowsSame: integer('Rows identical to the previous observation.'),
  rowsQuarantined: integer('Quarantined rows.'),
});

const runsRoute = defineRoute({
  name: 'ingest-runs-list',
  method: 'GET',
  path: '/operator/v1/runs',
  summary: 'List ingestion runs',
  describe: 'One run per response, and per request without a response. Kept for 30 days.',
  access: 'ingest.read',
  query: Type.Object({
    provider: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only runs of this source.' }),
    ),
    outcome: Type.Optional(choice(RUN_OUTCOMES, 'Only runs with this outcome.')),
    before: Type.Optional(nextNumber()),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        description: 'Page size; 100 by default.',
      }),
    ),
  }),
  status: 200,
  response: named('RunPage', {
    runs: list(runSchema, 'Newest first.'),
    next: nullable(integer('Pass as `before` to get the next page; null on the last page.')),
  }),
  async handle({ deps, query }) {
    const { provider, before, limit = 100 } = query;
    const outcome = query.outcome as RunOutcome | undefined;
    const rows = await listRuns(deps.db, { provider, outcome, before, limit: limit + 1 });
    const runs = rows.slice(0, limit);
    const next = rows.length > limit ? (runs.at(-1)?.id ?? null) : null;
    return done({ runs: runs.map(renderRun), next });
  },
});

/** Lists fields explicitly so that new fields are not exposed by accident. */
function renderRun(run: Awaited<ReturnType<typeof listRuns>>[number]): object {
  const { id, provider, feed, datasets, url, durationMs, outcome, reason } = run;
  const { rowsSeen, rowsNew, rowsChanged, rowsSame, rowsQuarantined } = run;
  return {
    id,
    provider,
    feed,
    datasets,
    url,
    durationMs,
    outcome,
    reason,
    rowsSeen,
    rowsNew,
    rowsChanged,
    rowsSame,
    rowsQuarantined,
    startedAt: formatInstant(run.startedAt),
  };
}

export const group: RouteGroup = {
  name: 'sources',
  describe: 'Data sources, their status, and ingestion runs.',
  routes: [sourcesRoute, runsRoute],
};
