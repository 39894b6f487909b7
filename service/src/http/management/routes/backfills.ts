import { Type } from 'typebox';
import { recordAuditEvent } from '../../../accounts/audit-log.ts';
import { type Batch, listBatches } from '../../../datasets/jobs/batch-store.ts';
import type { BatchResult, BatchRequest } from '../../../datasets/jobs/ingestion-control.ts';
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
import { readInstant, formatOptional } from '../instants.ts';
import { reject, rejectInvalid, rejectNotFound } from '../refusals.ts';
import { type Call, defineRoute, done, type CallResult, type RouteGroup } from '../route.ts';
import { dayText, instantText } from '../described-text.ts';

const PATH = '/operator/v1/backfills';
const FEED = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Only this feed of the source; all feeds by default.',
});

const startedBatch = named('StartedIngestBatch', {
  id: text('Batch ID, `bat_…`.'),
  requests: integer('Number of requests in the batch.'),
});

const runRoute = defineRoute({
  name: 'sources-run',
  method: 'POST',
  path: '/operator/v1/sources/{provider}/run',
  summary: 'Trigger ingestion for a source',
  describe:
    'Fetches every feed of the source once, ahead of its schedule and within its rate limit. A ' +
    'source can have one run at a time.',
  access: 'ingest.run',
  body: Type.Object({ feed: Type.Optional(FEED) }),
  status: 201,
  response: startedBatch,
  handle(call) {
    const { feed = null } = call.body;
    return startBatch(call, {
      kind: 'run',
      provider: call.param('provider'),
      feed,
      requestedBy: call.actor.label,
    });
  },
});

const createRoute = defineRoute({
  name: 'backfills-create',
  method: 'POST',
  path: PATH,
  summary: 'Create a backfill',
  describe:
    'Fetches past days from a source while it is otherwise idle, newest day first. Days already ' +
    'in the store are skipped unless `again` is set. Only one backfill runs at a time; it ' +
    'resumes after a restart.',
  access: 'ingest.run',
  body: Type.Object({
    provider: Type.String({ minLength: 1, maxLength: 100 }),
    feed: Type.Optional(FEED),
    from: dayText('First day.'),
    to: Type.Optional(dayText('Last day; yesterday by default.')),
    again: Type.Optional(
      Type.Boolean({ description: 'Fetch days that are already in the store.' }),
    ),
  }),
  status: 201,
  response: startedBatch,
  async handle(call) {
    const { provider, feed = null, again = false } = call.body;
    const yesterday = addDays(newYorkDate(call.now), -1);
    const from = parseLocalDate(call.body.from);
    const to = call.body.to === undefined ? yesterday : parseLocalDate(call.body.to);
    if (from === null) return rejectInvalid('from', 'must be a date such as 2026-11-20');
    if (to === null) return rejectInvalid('to', 'must be a date such as 2026-11-20');
    if (from > to) return rejectInvalid('from', 'must not be after `to`');
    const span = { from, to, isRefetch: again };
    return startBatch(call, {
      kind: 'backfill',
      provider,
      feed,
      requestedBy: call.actor.label,
      ...span,
    });
  },
});

async function startBatch({ deps, actor, now }: Call, batch: BatchRequest): Promise<CallResult> {
  const { kind, provider, feed } = batch;
  const days = batch.kind === 'run' ? {} : { from: batch.from, to: batch.to };
  const outcome = await deps.gatherer.startBatch(batch, (tx) =>
    recordAuditEvent(tx, {
      actor,
      at: now,
      action: `ingest.${kind}`,
      subject: provider,
      customerId: null,
      details: { feed, ...days },
    }),
  );
  if (outcome.kind !== 'started') return rejectBatch(outcome);
  return done({ id: outcome.id, requests: outcome.requests });
}

function rejectBatch(outcome: Exclude<BatchResult, { kind: 'started' }>): CallResult {
  switch (outcome.kind) {
    case 'not-in-use':
      return rejectNotFound();
    case 'no-feed':
      return rejectInvalid('feed', 'must be a feed of this source');
    case 'nothing-to-ask':
      return reject('conflict', 'Nothing to fetch: all requested data is already in the store.');
    case 'busy':
      return reject('conflict', `Batch ${outcome.id} is still running.`);
  }
}

const batchSchema = named('IngestBatch', {
  id: text('Batch ID, `bat_…`.'),
  kind: choice(['run', 'backfill'], '`run`: every feed once; `backfill`: past days.'),
  provider: text('Name of the source.'),
  feed: nullable(text('The requested feed; null for all feeds.')),
  from: nullable(date('First day of a backfill; null for a run.')),
  to: nullable(date('Last day of a backfill; null for a run.')),
  state: choice(['running', 'finished'], '`finished` when no requests are pending.'),
  total: integer('Total number of requests.'),
  done: integer('Requests completed, or moved to a later batch.'),
  unavailable: integer('Completed requests that got no response after three attempts.'),
  rows: integer('Rows ingested.'),
  startedAt: instant('Time the batch was requested.'),
  startedBy: text('Who requested the batch.'),
  finishedAt: nullable(instant('Time the last request completed.')),
});

const listRoute = defineRoute({
  name: 'backfills-list',
  method: 'GET',
  path: PATH,
  summary: 'List backfills and their runs',
  access: 'ingest.read',
  query: Type.Object({
    kind: Type.Optional(choice(['run', 'backfill'], 'Only batches of this kind.')),
    before: Type.Optional(instantText('The `next` value of the previous page.')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Page size; 20 by default.',
      }),
    ),
  }),
  status: 200,
  response: named('IngestBatchPage', {
    batches: list(batchSchema, 'Newest first.'),
    next: nullable(instant('Pass as `before` to get the next page; null on the last page.')),
  }),
  async handle({ deps, query }) {
    const { limit = 20 } = query;
    const before = readInstant(query.before, 'before');
    if ('rejected' in before) return before.rejected;
    const batches = await listBatches(deps.db, {
      kind: (query.kind as Batch['kind'] | undefined) ?? null,
      limit: limit + 1,
      before: before.instant ?? null,
    });
    const page = batches.slice(0, limit);
    const next = batches.length > limit ? formatOptional(page.at(-1)?.startedAt ?? null) : null;
    return done({ batches: page.map(render), next });
  },
});

function render(batch: Batch): object {
  const { id, kind, provider, feed, from, to, unavailable, rows, startedBy, open } = batch;
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
    total: batch.requests,
    done: batch.requests - open,
    startedAt: formatInstant(batch.startedAt),
    finishedAt: open > 0 ? null : formatOptional(batch.lastDoneAt),
  };
}

export const group: RouteGroup = {
  name: 'batches',
  describe: 'Ingestion outside the schedule: backfills and manual runs.',
  routes: [runRoute, createRoute, listRoute],
};
