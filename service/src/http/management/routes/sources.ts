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
import { shown } from '../instants.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';

const WHY_NOT = ['not-named', 'simulated-market', 'real-data'] as const;

const source = named('Source', {
  name: text('Name, as in the setting SOURCES.'),
  title: text('What it calls itself.'),
  homepage: text('Its page.'),
  redistribution: text('Whether its terms let its data be shown to others.'),
  terms: text('Its terms in a sentence.'),
  inUse: flag('Whether this store asks it.'),
  whyNotInUse: nullable(
    choice(
      WHY_NOT,
      '`not-named`: SOURCES does not name it; `simulated-market`: this store shows a made-up market, ' +
        'so that no real source is asked; `real-data`: it is the made-up market, and this store ' +
        'holds real data; null: it is in use.',
    ),
  ),
  lacks: list(
    text('Name of a setting.'),
    'Settings, a key mostly, that it cannot be asked without and that are not given.',
  ),
  datasets: list(text('Name of a data set.'), 'What it can fill.'),
  lastSuccessAt: nullable(instant('When its newest good answer came.')),
  lastFailure: nullable(
    named('SourceFailure', {
      at: instant('When.'),
      outcome: choice(RUN_OUTCOMES, '`unavailable`: no answer; `rejected`: one of no use.'),
      reason: nullable(text('Why.')),
    }),
  ),
  nextRunAt: nullable(instant('When it is asked next by its timetable.')),
  resting: nullable(
    named('SourceCooldown', {
      reason: text('`rate-limited`, `blocked`, `breaker-open` and so on.'),
      until: instant('Until when it is left alone.'),
    }),
  ),
});

const sourcesRoute = defineRoute({
  name: 'sources-list',
  method: 'GET',
  path: '/operator/v1/sources',
  summary: 'Sources: what they said last, what failed, what comes next',
  access: 'ingest.read',
  status: 200,
  response: named('IngestStatus', {
    sources: list(source, 'Those in use first, then by name.'),
    datasets: list(
      named('DatasetFreshness', {
        dataset: text('Data set.'),
        state: choice(FRESHNESS_STATES, '`late`: older than its sources are due.'),
        lastSuccessAt: nullable(instant('When its newest good answer came.')),
        lastChangeAt: nullable(instant('When its facts changed last.')),
        targetSeconds: nullable(integer('Age at which it is late; null: no source is asked.')),
      }),
      'How fresh each data set is.',
    ),
  }),
  async handle({ deps: { db, gatherer, system } }) {
    const known = await loadSources(db);
    const fresh = await gatherer.freshness();
    const names = known.map(({ name }) => name);
    const failures = await loadLastFailures(db, names);
    const feeds = fresh.flatMap((each) => each.feeds);
    const sources = await Promise.all(
      known.map(async ({ name, title, homepage, redistribution, terms, isAsked, ...rest }) => {
        const good = feeds.filter(({ provider }) => provider === name);
        const failure = failures.find(({ provider }) => provider === name);
        const pause = gatherer.resting(name);
        return {
          name,
          title,
          homepage,
          redistribution,
          terms,
          inUse: isAsked,
          whyNotInUse: isAsked ? null : whyNot(redistribution, system.dataSource),
          lacks: gatherer.lacks(name),
          datasets: [...new Set(rest.feeds.flatMap(({ datasets }) => datasets))].toSorted(),
          lastSuccessAt: shown(newestOf(good.map(({ lastSuccessAt }) => lastSuccessAt))),
          lastFailure:
            failure === undefined
              ? null
              : {
                  at: formatInstant(failure.at),
                  outcome: failure.outcome,
                  reason: failure.reason,
                },
          nextRunAt: isAsked ? shown(await gatherer.nextRunAt(name)) : null,
          resting:
            pause === null
              ? null
              : {
                  reason: pause.reason,
                  until: formatInstant(Math.round(pause.retryAt)),
                },
        };
      }),
    );
    sources.sort((a, b) => Number(b.inUse) - Number(a.inUse) || (a.name < b.name ? -1 : 1));
    const datasets = fresh.map(({ dataset, state, targetSeconds, ...at }) => ({
      dataset,
      state,
      targetSeconds,
      lastSuccessAt: shown(at.lastSuccessAt),
      lastChangeAt: shown(at.lastChangeAt),
    }));
    return done({
      sources,
      datasets,
    });
  },
});

function whyNot(redistribution: string, dataSource: string): (typeof WHY_NOT)[number] {
  if (redistribution === 'synthetic') return 'real-data';
  return dataSource === 'synthetic' ? 'simulated-market' : 'not-named';
}

function newestOf(instants: readonly number[]): number | null {
  return instants.length === 0 ? null : Math.max(...instants);
}

const run = named('IngestRun', {
  id: integer('Counts up.'),
  provider: text('Source.'),
  feed: nullable(text('Which of its kinds of answers; null: no answer came.')),
  datasets: list(text('Name of a data set.'), 'What it fills.'),
  url: text('What was asked, without keys.'),
  startedAt: instant('When.'),
  durationMs: number('How long it took: to take the answer in, or to wait for none.'),
  outcome: choice(RUN_OUTCOMES, '`unsupported`: sound, and nothing in it is wanted.'),
  reason: nullable(text('Why it is not `ingested`.')),
  rowsSeen: integer('Rows in all.'),
  rowsNew: integer('Of things not heard of before.'),
  rowsChanged: integer('That say something else than before.'),
  rowsSame: integer('That repeat what was said.'),
  rowsQuarantined: integer('Kept out.'),
});

const runsRoute = defineRoute({
  name: 'ingest-runs-list',
  method: 'GET',
  path: '/operator/v1/runs',
  summary: 'What became of each answer, and of requests without one',
  describe: 'Kept for thirty days.',
  access: 'ingest.read',
  query: Type.Object({
    provider: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Those of this source.',
      }),
    ),
    outcome: Type.Optional(choice(RUN_OUTCOMES, 'Those that came to this.')),
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The `next` of a page.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        description: 'Rows of a page; 100 unless given.',
      }),
    ),
  }),
  status: 200,
  response: named('RunPage', {
    runs: list(run, 'Newest first.'),
    next: nullable(integer('Give it as `before` for the page behind this one; null: no more.')),
  }),
  async handle({ deps, query }) {
    const { provider, before, limit = 100 } = query;
    const outcome = query.outcome as RunOutcome | undefined;
    const found = await listRuns(deps.db, {
      provider,
      outcome,
      before,
      limit: limit + 1,
    });
    const runs = found.slice(0, limit);
    const next = found.length > limit ? (runs.at(-1)?.id ?? null) : null;
    return done({
      runs: runs.map(renderRun),
      next,
    });
  },
});

/** Field by field, so that nothing is shown by forgetting it. */
function renderRun(one: Awaited<ReturnType<typeof listRuns>>[number]): object {
  const { id, provider, feed, datasets, url, durationMs, outcome, reason } = one;
  const { rowsSeen, rowsNew, rowsChanged, rowsSame, rowsQuarantined } = one;
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
    startedAt: formatInstant(one.startedAt),
  };
}

export const group: RouteGroup = {
  name: 'sources',
  describe: 'Where facts come from, and how gathering goes.',
  routes: [sourcesRoute, runsRoute],
};
