import { Type } from 'typebox';
import { recordAct } from '../../../accounts/audit-log.ts';
import { type Batch, listBatches } from '../../../datasets/jobs/batch-store.ts';
import type { Gathering, WantedBatch } from '../../../datasets/jobs/gatherer.ts';
import { addDays, parseLocalDate } from '../../../domain/local-date.ts';
import { newYorkDate } from '../../../domain/new-york.ts';
import {
  choice,
  date,
  instant,
  integer,
  list,
  named,
  nullable,
  text,
} from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { readInstant, shown } from '../instants.ts';
import { refused, refusedInvalid, refusedNotFound } from '../refusals.ts';
import { type Call, defineRoute, done, type Outcome, type RouteGroup } from '../route.ts';

const PATH = '/operator/v1/backfills';
const FEED = Type.String({ minLength: 1, maxLength: 100, description: 'Only this feed of it.' });

const started = named('StartedIngestBatch', {
  id: text('Id, `bat_…`.'),
  requests: integer('How many requests are to be made.'),
});

const runRoute = defineRoute({
  name: 'sources-run',
  method: 'POST',
  path: '/operator/v1/sources/{provider}/run',
  summary: 'Ask a source for everything once, before its time',
  describe:
    'The requests go before the timetable, at the pace of the source. One at a time for a source.',
  access: 'ingest.run',
  body: Type.Object({ feed: Type.Optional(FEED) }),
  status: 201,
  response: started,
  handle(call) {
    const { feed = null } = call.body;
    return gather(call, {
      kind: 'run',
      provider: call.param('provider'),
      feed,
      by: call.by.label,
    });
  },
});

const addRoute = defineRoute({
  name: 'backfills-create',
  method: 'POST',
  path: PATH,
  summary: 'Ask a source for days gone by',
  describe:
    'In idle time, the newest day first; what is in the store is not asked again unless `again`. ' +
    'One at a time. It goes on after a restart.',
  access: 'ingest.run',
  body: Type.Object({
    provider: Type.String({
      minLength: 1,
      maxLength: 100,
    }),
    feed: Type.Optional(FEED),
    from: date('The first day.'),
    to: Type.Optional(date('The last day; yesterday when left out.')),
    again: Type.Optional(Type.Boolean()),
  }),
  status: 201,
  response: started,
  async handle(call) {
    const { provider, feed = null, again = false } = call.body;
    const yesterday = addDays(newYorkDate(call.now), -1);
    const from = parseLocalDate(call.body.from);
    const to = call.body.to === undefined ? yesterday : parseLocalDate(call.body.to);
    if (from === null) return invalid('from', 'a day such as 2026-11-20');
    if (to === null) return invalid('to', 'a day such as 2026-11-20');
    if (from > to) return invalid('from', 'not after `to`');
    const span = {
      from,
      to,
      isAgain: again,
    };
    return gather(call, {
      kind: 'backfill',
      provider,
      feed,
      by: call.by.label,
      ...span,
    });
  },
});

async function gather({ deps, by, now }: Call, wanted: WantedBatch): Promise<Outcome> {
  const { kind, provider, feed } = wanted;
  const days = wanted.kind === 'run' ? {} : { from: wanted.from, to: wanted.to };
  const outcome = await deps.gatherer.gather(wanted, (tx) =>
    recordAct(tx, {
      by,
      at: now,
      act: `ingest.${kind}`,
      subject: provider,
      customerId: null,
      details: {
        feed,
        ...days,
      },
    }),
  );
  if (outcome.kind !== 'started') return refusal(outcome);
  return done({ id: outcome.id, requests: outcome.requests });
}

function refusal(outcome: Exclude<Gathering, { kind: 'started' }>): Outcome {
  switch (outcome.kind) {
    case 'not-in-use':
      return refusedNotFound();
    case 'no-feed':
      return invalid('feed', 'a feed of this source');
    case 'nothing-to-ask':
      return refused('conflict', 'There is nothing to ask: what there is, is in the store.');
    case 'busy':
      return refused('conflict', `Another one, ${outcome.id}, is under way.`);
  }
}

function invalid(parameter: string, detail: string): Outcome {
  return refusedInvalid({ kind: 'invalid', parameter, detail });
}

const batch = named('IngestBatch', {
  id: text('Id, `bat_…`.'),
  kind: choice(['run', 'backfill'], 'Everything once, or days gone by.'),
  provider: text('Source.'),
  feed: nullable(text('Only this feed of it; null: all.')),
  from: nullable(date('The first day of a back-fill.')),
  to: nullable(date('The last day of it.')),
  state: choice(['running', 'finished'], 'Finished when no request is open.'),
  total: integer('Requests in all.'),
  done: integer('Requests made, or given to a later batch.'),
  unavailable: integer('Of them those without an answer after three tries.'),
  rows: integer('Rows that came of it.'),
  startedAt: instant('When it was asked for.'),
  startedBy: text('By whom.'),
  finishedAt: nullable(instant('When its last request was made.')),
});

const listRoute = defineRoute({
  name: 'backfills-list',
  method: 'GET',
  path: PATH,
  summary: 'Back-fills and runs that operators asked for',
  access: 'ingest.read',
  query: Type.Object({
    kind: Type.Optional(choice(['run', 'backfill'], 'Only these.')),
    before: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'The `next` of a page.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Rows of a page; 20 unless given.',
      }),
    ),
  }),
  status: 200,
  response: named('IngestBatchPage', {
    batches: list(batch, 'Newest first.'),
    next: nullable(instant('Give it as `before` for the page behind this one; null: no more.')),
  }),
  async handle({ deps, query }) {
    const { limit = 20 } = query;
    const before = readInstant(query.before, 'before');
    if ('refused' in before) return before.refused;
    const found = await listBatches(deps.db, {
      kind: (query.kind as Batch['kind'] | undefined) ?? null,
      limit: limit + 1,
      before: before.instant ?? null,
    });
    const page = found.slice(0, limit);
    const next = found.length > limit ? shown(page.at(-1)?.startedAt ?? null) : null;
    return done({
      batches: page.map(render),
      next,
    });
  },
});

function render(one: Batch): object {
  const { id, kind, provider, feed, from, to, unavailable, rows, startedBy, open } = one;
  return {
    id,
    kind,
    provider,
    feed,
    from,
    to,
    unavailable,
    rows,
    startedBy,
    state: open > 0 ? 'running' : 'finished',
    total: one.requests,
    done: one.requests - open,
    startedAt: formatInstant(one.startedAt),
    finishedAt: open > 0 ? null : shown(one.lastDoneAt),
  };
}

export const group: RouteGroup = {
  name: 'batches',
  describe: 'Gathering beyond the timetable.',
  routes: [runRoute, addRoute, listRoute],
};
