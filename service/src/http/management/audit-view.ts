import { Type } from 'typebox';
import { type AuditEvent, type AuditQuestion, listAudit } from '../../accounts/audit/list.ts';
import {
  choice,
  instant,
  integer,
  list,
  named,
  nullable,
  text,
} from '../../endpoints/schema/fields.ts';
import { formatInstant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { readInstant } from './instants.ts';
import { done, type Outcome } from './route.ts';

const actor = named('Actor', {
  kind: choice(['person', 'key', 'cli', 'system'], 'A person, a key, the command line, or nobody.'),
  id: nullable(text('Of the person or key.')),
  label: text('E-mail address of a person, ends of a key.'),
  address: nullable(text('Network address it came from.')),
});

const event = named('AuditEvent', {
  id: integer('Counts up.'),
  at: instant('When.'),
  by: actor,
  act: text('What was done, as `key.revoke`.'),
  subject: nullable(text('Id of what it was done to.')),
  customerId: nullable(text('Whose thing it is; null of the service.')),
  details: Type.Record(Type.String(), Type.Unknown(), { description: 'Facts, without secrets.' }),
});

export const auditPage = named('AuditPage', {
  events: list(event, 'Newest first.'),
  next: nullable(integer('Give it as `before` for the page behind this one; null: no more.')),
});

export const auditQuery = Type.Object({
  by: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What this person or key did.',
    }),
  ),
  act: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'Acts that begin so: `key.`, or `key.revoke`.',
    }),
  ),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'At this instant or later.' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'Before this instant.' })),
  before: Type.Optional(Type.Integer({ minimum: 1, description: 'The `next` of a page.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'Events of a page; 100 unless given.' }),
  ),
});

/** A page of what was done: of one customer, or of all with null. */
export async function auditAnswer(
  db: Queryable,
  customerId: string | null,
  query: Omit<Partial<AuditQuestion>, 'from' | 'to' | 'customerId'> & {
    from?: string;
    to?: string;
  },
): Promise<Outcome> {
  const { by, act, before, limit = 100 } = query;
  const from = readInstant(query.from, 'from');
  if ('refused' in from) return from.refused;
  const to = readInstant(query.to, 'to');
  if ('refused' in to) return to.refused;
  const found = await listAudit(db, {
    customerId,
    by,
    act,
    before,
    limit: limit + 1,
    from: from.instant,
    to: to.instant,
  });
  const events = found.slice(0, limit);
  const next = found.length > limit ? (events.at(-1)?.id ?? null) : null;
  return done({ events: events.map(render), next });
}

function render({ id, at, by, act, subject, customerId, details }: AuditEvent): object {
  return { id, at: formatInstant(at), by, act, subject, customerId, details };
}
