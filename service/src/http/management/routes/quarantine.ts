import { Type } from 'typebox';
import { recordAct } from '../../../accounts/audit-log.ts';
import type { Decision } from '../../../datasets/quarantine/decisions.ts';
import type { Decided } from '../../../datasets/quarantine/decide.ts';
import { loadEvidence } from '../../../datasets/quarantine/evidence.ts';
import { countOpen } from '../../../datasets/quarantine/counts.ts';
import { findQuarantined, listQuarantine } from '../../../datasets/quarantine/list.ts';
import { choice, integer, list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { optionalText } from '../delivery-page.ts';
import {
  formatQuarantineId,
  parseQuarantineId,
  quarantinedDetailFields,
  quarantinedSchema,
  renderQuarantined,
  renderSourceAnswer,
  STATES,
} from '../quarantine-view.ts';
import { refused, refusedInvalid, refusedNotFound } from '../refusals.ts';
import {
  type Call,
  defineRoute,
  done,
  type Outcome,
  type Route,
  type RouteGroup,
} from '../route.ts';

const PATH = '/operator/v1/quarantine';
const ONE = `${PATH}/{quarantineId}`;

const listRoute = defineRoute({
  name: 'quarantine-list',
  method: 'GET',
  path: PATH,
  summary: 'Rows that are kept out',
  access: 'ingest.read',
  query: Type.Object({
    state: Type.Optional(choice(STATES, '`open` unless given.')),
    provider: optionalText('Those of this source.'),
    dataset: optionalText('Those of this data set.'),
    reason: optionalText('Those that break this rule.'),
    before: optionalText('The `next` of a page.'),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        description: 'Rows of a page; 50 unless given.',
      }),
    ),
  }),
  status: 200,
  response: named('QuarantinePage', {
    rows: list(
      quarantinedSchema,
      'Rows that were read before rows kept out earlier; of each kind the newest first.',
    ),
    next: nullable(text('Give it as `before` for the page behind this one; null: no more.')),
  }),
  async handle({ deps, query }) {
    const { state = 'open', provider, dataset, reason, limit = 50 } = query;
    const before = query.before === undefined ? undefined : parseQuarantineId(query.before);
    if (before === null) {
      return refusedInvalid({
        kind: 'invalid',
        parameter: 'before',
        detail: '`next` of a page',
      });
    }
    const found = await listQuarantine(deps.db, {
      state: state as 'open' | Decision,
      provider,
      dataset,
      reason,
      before,
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = found.length > limit && last !== undefined ? formatQuarantineId(last.id) : null;
    return done({
      rows: page.map(renderQuarantined),
      next,
    });
  },
});

const countsRoute = defineRoute({
  name: 'quarantine-counts-read',
  method: 'GET',
  path: `${PATH}/counts`,
  summary: 'How many rows wait for a decision, and for which reasons',
  access: 'ingest.read',
  status: 200,
  response: named('QuarantineCounts', {
    open: integer('All that wait.'),
    counts: list(
      named('QuarantineCount', {
        dataset: text('Data set.'),
        provider: text('Source.'),
        reason: text('The rule that they break.'),
        rows: integer('How many wait.'),
      }),
      'The most frequent first.',
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
  path: ONE,
  summary: 'A row that is kept out, and what lies behind it',
  access: 'ingest.read',
  status: 200,
  response: named('QuarantinedRowDetail', quarantinedDetailFields),
  async handle(call) {
    const id = parseQuarantineId(call.param('quarantineId'));
    if (id === null) return refusedNotFound();
    const { db } = call.deps;
    const [item, evidence] = [await findQuarantined(db, id), await loadEvidence(db, id)];
    if (item === null || evidence === null) return refusedNotFound();
    const others = evidence.others.map(({ row, at }) => ({
      row,
      at: formatInstant(at),
    }));
    const { row, isReadable, answer } = evidence;
    const shownAnswer = renderSourceAnswer(answer);
    return done({
      ...renderQuarantined(item),
      isReadable,
      row,
      answer: shownAnswer,
      others,
    });
  },
});

function decideRoute(verb: 'accept' | 'reject', decision: Decision, told: Told): Route {
  return defineRoute({
    name: `quarantine-${verb}`,
    method: 'POST',
    path: `${ONE}/${verb}`,
    ...told,
    access: 'quarantine.decide',
    body: Type.Object({
      why: Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Kept with the decision.',
      }),
    }),
    status: 204,
    response: null,
    handle: (call) => decide(call, decision),
  });
}

interface Told {
  summary: string;
  describe: string;
}

async function decide(call: Call<unknown, { why: string }>, decision: Decision): Promise<Outcome> {
  const { deps, by, now } = call;
  const id = parseQuarantineId(call.param('quarantineId'));
  if (id === null) return refusedNotFound();
  const why = call.body.why.trim();
  if (why === '') {
    return refusedInvalid({ kind: 'invalid', parameter: 'why', detail: 'a reason in words' });
  }
  const entry = { id, decision, why, at: now, by: by.label };
  const outcome = await deps.decideQuarantined(entry, (tx) =>
    recordAct(tx, {
      by,
      at: now,
      act: `quarantine.${decision === 'accepted' ? 'accept' : 'reject'}`,
      subject: call.param('quarantineId'),
      customerId: null,
      details: { why },
    }),
  );
  return outcome.kind === 'decided' ? done() : refusal(outcome);
}

function refusal(outcome: Exclude<Decided, { kind: 'decided' }>): Outcome {
  switch (outcome.kind) {
    case 'not-found':
      return refusedNotFound();
    case 'accepted-already':
      return refused('conflict', 'It was accepted before.');
    case 'taken-in':
      return refused('conflict', 'It was accepted before, and is part of the facts by now.');
    case 'unreadable':
      return refused(
        'conflict',
        `It cannot be accepted, since it is no row that can be read: ${outcome.detail}.`,
      );
    case 'no-place':
      return refused(
        'conflict',
        `It cannot be accepted, since it has no place: ${outcome.detail}.`,
      );
  }
}

export const group: RouteGroup = {
  name: 'quarantine',
  describe: 'Rows of sources that are not shown, since they break a rule.',
  routes: [
    listRoute,
    countsRoute,
    readRoute,
    decideRoute('accept', 'accepted', {
      summary: 'Let a row in',
      describe:
        'It counts as the word of its source from now on, and is let in whenever the source repeats ' +
        'it. A row that cannot be read, or that no fact could take in, is refused with `conflict`.',
    }),
    decideRoute('reject', 'rejected', {
      summary: 'Keep a row out',
      describe:
        'It is not shown as open any more, also when the source repeats it. An accepted record is ' +
        'taken out of the facts again.',
    }),
  ],
};
