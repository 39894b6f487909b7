import { Type } from 'typebox';
import { wasKeyOf } from '../../../accounts/keys/key-store.ts';
import {
  instant,
  integer,
  list,
  named,
  nullable,
  number,
  text,
} from '../../../endpoints/schema/fields.ts';
import { loadRequests, type RequestPage } from '../../../metering/request-log-store.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { readInstant } from '../instants.ts';
import { refusedNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';

const request = named('LoggedRequest', {
  position: integer('Unique and never changing; rises with time.'),
  at: instant('When it was answered.'),
  keyId: text('Id of the key.'),
  method: text('HTTP method.'),
  path: text('Path and query, without the key.'),
  status: integer('HTTP status of the answer.'),
  durationMs: number('How long it took, in milliseconds.'),
  requestId: text('As in `X-Request-Id`.'),
});

const optionalText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2_048, description }));

const listRoute = defineRoute({
  name: 'requests-list',
  method: 'GET',
  path: '/account/v1/requests',
  summary: 'The latest requests of the account’s keys',
  access: 'requests.read',
  query: Type.Object({
    keyId: optionalText('Requests with this key, deleted or not.'),
    path: optionalText('Those whose path begins so, such as `/v1/earnings`.'),
    status: Type.Optional(
      Type.String({
        pattern: '^[1-5](\\d\\d|xx)$',
        description: '`404`, or a class: `4xx`.',
      }),
    ),
    requestId: optionalText('The one of this id.'),
    from: optionalText('From this instant on.'),
    to: optionalText('Before this instant.'),
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The `next` of a page.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1e3,
        description: 'Rows of a page; 100 unless given.',
      }),
    ),
  }),
  status: 200,
  response: named('RequestPage', {
    requests: list(request, 'Newest first.'),
    next: nullable(integer('Give it as `before` for the page behind this one; null: no more.')),
  }),
  async handle({ deps, customerId, query }) {
    const { keyId, path: pathStart, status, requestId, before, limit = 100 } = query;
    const from = readInstant(query.from, 'from');
    if ('refused' in from) return from.refused;
    const to = readInstant(query.to, 'to');
    if ('refused' in to) return to.refused;
    if (
      keyId !== undefined &&
      !(await wasKeyOf(deps.db, {
        customerId,
        keyId,
      }))
    ) {
      return refusedNotFound();
    }
    const page = await loadRequests(deps.db, {
      customerId,
      keyId,
      pathStart,
      requestId,
      before,
      limit,
      from: from.instant,
      to: to.instant,
      ...statusBounds(status),
    });
    const requests = page.requests.map(render);
    return done({
      requests,
      next: page.next,
    });
  },
});

/** Field by field, so that nothing is shown by forgetting it. */
function render(seen: RequestPage['requests'][number]): object {
  const { position, at, keyId, method, path, status, durationMs, requestId } = seen;
  const shownAt = formatInstant(at);
  return { position, at: shownAt, keyId, method, path, status, durationMs, requestId };
}

function statusBounds(status: string | undefined): { statusMin?: number; statusMax?: number } {
  if (status === undefined) return {};
  return {
    statusMin: Number(status.replace('xx', '00')),
    statusMax: Number(status.replace('xx', '99')),
  };
}

export const group: RouteGroup = {
  name: 'requests',
  describe: 'The latest requests, one by one. They are kept for a while, not for ever.',
  routes: [listRoute],
};
