import { Type } from 'typebox';
import { recordAuditEvent } from '../../../accounts/audit-log.ts';
import type { Decision, DecisionResult } from '../../../datasets/quarantine/decisions.ts';
import { loadEvidence } from '../../../datasets/quarantine/evidence.ts';
import { countOpen } from '../../../datasets/quarantine/counts.ts';
import { findQuarantined, listQuarantine } from '../../../datasets/quarantine/list.ts';
import { choice, integer, list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { optionalText } from '../delivery-page.ts';
import { loadStatedIn } from '../document-view.ts';
import {
  formatQuarantineId,
  parseQuarantineId,
  QUARANTINE_ID,
  quarantinedDetailFields,
  quarantinedSchema,
  renderQuarantined,
  renderSourceAnswer,
  STATES,
} from '../quarantine-view.ts';
import { reject, rejectInvalid, rejectNotFound } from '../refusals.ts';
import {
  type Call,
  defineRoute,
  done,
  type CallResult,
  type Route,
  type RouteGroup,
} from '../route.ts';
import { nextText } from '../described-text.ts';

const PATH = '/operator/v1/quarantine';
const ROW_PATH = `${PATH}/{quarantineId}`;

const listRoute = defineRoute({
  name: 'quarantine-list',
  method: 'GET',
  path: PATH,
  summary: 'List quarantined rows',
  access: 'ingest.read',
  query: Type.Object({
    state: Type.Optional(choice(STATES, 'Review state; `open` by default.')),
    provider: optionalText('Only rows of this source.'),
    dataset: optionalText('Only rows of this data set.'),
    reason: optionalText('Only rows that violate this rule.'),
    before: Type.Optional(nextText(QUARANTINE_ID)),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        description: 'Page size; 50 by default.',
      }),
    ),
  }),
  status: 200,
  response: named('QuarantinePage', {
    rows: list(
      quarantinedSchema,
      'Parsed rows first, then rows rejected before they were recorded; each newest first.',
    ),
    next: nullable(text('Pass as `before` to get the next page; null on the last page.')),
  }),
  async handle({ deps, query }) {
    const { state = 'open', provider, dataset, reason, limit = 50 } = query;
    const before = query.before === undefined ? undefined : parseQuarantineId(query.before);
    if (before === null) {
      return rejectInvalid('before', 'must be the `next` value of a page');
    }
    const rows = await listQuarantine(deps.db, {
      state: state as 'open' | Decision,
      provider,
      dataset,
      reason,
      before,
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const next = rows.length > limit && last !== undefined ? formatQuarantineId(last.id) : null;
    return done({ rows: page.map(renderQuarantined), next });
  },
});

const countsRoute = defineRoute({
  name: 'quarantine-counts-read',
  method: 'GET',
  path: `${PATH}/counts`,
  summary: 'Count quarantined rows awaiting review',
  access: 'ingest.read',
  status: 200,
  response: named('QuarantineCounts', {
    open: integer('Total number of open rows.'),
    counts: list(
      named('QuarantineCount', {
        dataset: text('Name of the data set.'),
        provider: text('Name of the source.'),
        reason: text('Code of the violated rule.'),
        rows: integer('Number of open rows.'),
      }),
      'Most frequent first.',
    ),
  }),
  async handle({ deps }) {
    const counts = await countOpen(deps.db);
    return done({
      open: counts.reduce((sum, { rows }) => sum + rows, 0),
      counts,
    });
  },
});

const readRoute = defineRoute({
  name: 'quarantine-read',
  method: 'GET',
  path: ROW_PATH,
  summary: 'Retrieve a quarantined row',
  access: 'ingest.read',
  status: 200,
  response: named('QuarantinedRowDetail', quarantinedDetailFields),
  async handle(call) {
    const id = parseQuarantineId(call.param('quarantineId'));
    if (id === null) return rejectNotFound();
    const { db } = call.deps;
    const [item, evidence] = [await findQuarantined(db, id), await loadEvidence(db, id)];
    if (item === null || evidence === null) return rejectNotFound();
    const others = evidence.others.map(({ row, at }) => ({ row, at: formatInstant(at) }));
    const { row, isReadable, response } = evidence;
    const formattedAnswer = renderSourceAnswer(response);
    const document = await loadStatedIn(db, item, evidence);
    return done({
      ...renderQuarantined(item),
      isReadable,
      row,
      answer: formattedAnswer,
      others,
      document,
    });
  },
});

function decideRoute(verb: 'accept' | 'reject', decision: Decision, texts: RouteTexts): Route {
  return defineRoute({
    name: `quarantine-${verb}`,
    method: 'POST',
    path: `${ROW_PATH}/${verb}`,
    ...texts,
    access: 'quarantine.decide',
    body: Type.Object({
      why: Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Reason for the decision, stored with it.',
      }),
    }),
    status: 204,
    response: null,
    handle: (call) => decide(call, decision),
  });
}

interface RouteTexts {
  summary: string;
  describe: string;
}

async function decide(
  call: Call<unknown, { why: string }>,
  decision: Decision,
): Promise<CallResult> {
  const { deps, actor, now } = call;
  const id = parseQuarantineId(call.param('quarantineId'));
  if (id === null) return rejectNotFound();
  const why = call.body.why.trim();
  if (why === '') {
    return rejectInvalid('why', 'must not be empty');
  }
  const entry = { id, decision, reason: why, at: now, by: actor.label };
  const outcome = await deps.decideQuarantined(entry, (tx) =>
    recordAuditEvent(tx, {
      actor,
      at: now,
      action: `quarantine.${decision === 'accepted' ? 'accept' : 'reject'}`,
      subject: call.param('quarantineId'),
      customerId: null,
      details: { why },
    }),
  );
  return outcome.kind === 'decided' ? done() : rejectDecision(outcome);
}

function rejectDecision(outcome: Exclude<DecisionResult, { kind: 'decided' }>): CallResult {
  switch (outcome.kind) {
    case 'not-found':
      return rejectNotFound();
    case 'already-accepted':
      return reject('conflict', 'The row was already accepted.');
    case 'already-recorded':
      return reject('conflict', 'The row was already accepted and is part of the facts.');
    case 'unreadable':
      return reject(
        'conflict',
        `The row cannot be accepted because it cannot be parsed: ${outcome.detail}.`,
      );
    case 'not-merged':
      return reject(
        'conflict',
        `The row cannot be accepted because no fact can include it: ${outcome.detail}.`,
      );
  }
}

export const group: RouteGroup = {
  name: 'quarantine',
  describe: 'Source rows that violate a rule and are excluded until an operator reviews them.',
  routes: [
    listRoute,
    countsRoute,
    readRoute,
    decideRoute('accept', 'accepted', {
      summary: 'Accept a quarantined row',
      describe:
        'Includes the row in the facts from now on, also when the source repeats it. Rows that ' +
        'cannot be parsed, or that no fact can include, are rejected with `conflict`.',
    }),
    decideRoute('reject', 'rejected', {
      summary: 'Reject a quarantined row',
      describe:
        'Removes the row from the open list, also when the source repeats it. If the row was ' +
        'accepted before, it is removed from the facts.',
    }),
  ],
};
