import { type Static, Type } from 'typebox';
import { type AuditEvent, listAuditEvents } from '../../../accounts/audit-log.ts';
import {
  choice,
  instant,
  integer,
  list,
  named,
  nullable,
  text,
} from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import type { Queryable } from '../../../storage/db.ts';
import { readInstant } from '../instants.ts';
import { type CallResult, defineRoute, done, type RouteGroup } from '../route.ts';
import { instantText, nextNumber } from '../described-text.ts';

const actor = named('Actor', {
  kind: choice(
    ['person', 'key', 'cli', 'system'],
    'The kind of actor. `system` is the service itself.',
  ),
  id: nullable(text('ID of the person or key.')),
  label: text('Email address of the person, or prefix and last characters of the key.'),
  address: nullable(text('IP address of the client.')),
});

const event = named('AuditEvent', {
  id: integer('Increasing ID.'),
  at: instant('Time of the action.'),
  by: actor,
  act: text('The action, such as `key.revoke`.'),
  subject: nullable(text('ID of the affected object.')),
  customerId: nullable(text('The customer the object belongs to; null for service-wide actions.')),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Details of the action. Never contains secrets.',
  }),
});

const auditPage = named('AuditPage', {
  events: list(event, 'Newest first.'),
  next: nullable(integer('Pass as `before` to get the next page; null on the last page.')),
});

const auditQuery = Type.Object({
  by: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only actions of this person or key, by ID.',
    }),
  ),
  act: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'Only actions with this prefix, such as `key.` or `key.revoke`.',
    }),
  ),
  from: Type.Optional(instantText('Only events at or after this time.')),
  to: Type.Optional(instantText('Only events before this time.')),
  before: Type.Optional(nextNumber()),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'Page size; 100 by default.' }),
  ),
});

const listRoute = defineRoute({
  name: 'audit-list',
  method: 'GET',
  path: '/account/v1/audit',
  summary: 'List audit events for the account',
  access: 'audit.read',
  query: auditQuery,
  status: 200,
  response: auditPage,
  handle: ({ deps, customerId, query }) => auditPageOf(deps.db, customerId, query),
});

const systemListRoute = defineRoute({
  name: 'system-audit-list',
  method: 'GET',
  path: '/operator/v1/audit',
  summary: 'List audit events for all customers',
  access: 'system-audit.read',
  query: auditQuery,
  status: 200,
  response: auditPage,
  handle: ({ deps, query }) => auditPageOf(deps.db, null, query),
});

export const group: RouteGroup = {
  name: 'audit',
  describe:
    'A record of every administrative action, written in the same transaction as the change.',
  routes: [listRoute, systemListRoute],
};

/**
 * Returns a page of audit events for one customer, or for all customers if `customerId` is null.
 */
async function auditPageOf(
  db: Queryable,
  customerId: string | null,
  query: Static<typeof auditQuery>,
): Promise<CallResult> {
  const { by, act, before, limit = 100 } = query;
  const from = readInstant(query.from, 'from');
  if ('rejected' in from) return from.rejected;
  const to = readInstant(query.to, 'to');
  if ('rejected' in to) return to.rejected;
  const page = await listAuditEvents(db, {
    customerId,
    actorId: by,
    actionPrefix: act,
    beforeId: before,
    limit: limit + 1,
    from: from.instant,
    to: to.instant,
  });
  const events = page.slice(0, limit);
  const next = page.length > limit ? (events.at(-1)?.id ?? null) : null;
  return done({ events: events.map(render), next });
}

function render({
  id,
  at,
  actor: by,
  action: act,
  subject,
  customerId,
  details,
}: AuditEvent): object {
  return { id, at: formatInstant(at), by, act, subject, customerId, details };
}
