import { Type } from 'typebox';
import { belongedToCustomer } from '../../../accounts/keys/key-store.ts';
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
import { rejectNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { instantText, nextNumber } from '../described-text.ts';

const requestSchema = named('LoggedRequest', {
  position: integer('Unique, stable position; increases over time.'),
  at: instant('Time of the response.'),
  keyId: text('ID of the API key.'),
  method: text('HTTP method.'),
  path: text('Path and query, without the API key.'),
  status: integer('HTTP status of the response.'),
  durationMs: number('Duration in milliseconds.'),
  requestId: text('Request ID, as in `X-Request-Id`.'),
});

const optionalText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 400, description }));

const listRoute = defineRoute({
  name: 'requests-list',
  method: 'GET',
  path: '/account/v1/requests',
  summary: 'List API requests',
  access: 'requests.read',
  query: Type.Object({
    keyId: optionalText('Only requests with this key, which may be deleted.'),
    path: optionalText('Only requests whose path starts with this, such as `/v1/earnings`.'),
    status: Type.Optional(
      Type.String({
        pattern: '^[1-5](\\d\\d|xx)$',
        description:
          'Only responses with this status, such as `404`, or status class, such as `4xx`.',
      }),
    ),
    requestId: optionalText('Only the request with this ID.'),
    from: Type.Optional(instantText('Only requests at or after this time.')),
    to: Type.Optional(instantText('Only requests before this time.')),
    before: Type.Optional(nextNumber()),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1e3,
        description: 'Page size; 100 by default.',
      }),
    ),
  }),
  status: 200,
  response: named('RequestPage', {
    requests: list(requestSchema, 'Newest first.'),
    next: nullable(integer('Pass as `before` to get the next page; null on the last page.')),
  }),
  async handle({ deps, customerId, query }) {
    const { keyId, path: pathStart, status, requestId, before, limit = 100 } = query;
    const from = readInstant(query.from, 'from');
    if ('rejected' in from) return from.rejected;
    const to = readInstant(query.to, 'to');
    if ('rejected' in to) return to.rejected;
    if (keyId !== undefined && !(await belongedToCustomer(deps.db, { customerId, keyId }))) {
      return rejectNotFound();
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
    return done({ requests, next: page.next });
  },
});

/** Lists fields explicitly so that new fields are not exposed by accident. */
function render(request: RequestPage['requests'][number]): object {
  const { position, at, keyId, method, path, status, durationMs, requestId } = request;
  const formattedAt = formatInstant(at);
  return { position, at: formattedAt, keyId, method, path, status, durationMs, requestId };
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
  describe: 'The log of recent API requests. Older entries are deleted.',
  routes: [listRoute],
};
