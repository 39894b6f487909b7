import { type Static, Type } from 'typebox';
import { listDeliveries } from '../../webhooks/log/delivery-log.ts';
import { wasEndpointOf } from '../../webhooks/endpoint/webhook-endpoint.ts';
import { DELIVERY_STATES, type DeliveryState, LOG_PAGE_MAX } from '../../webhooks/log/log-query.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import { choice } from '../../endpoints/schema/fields.ts';
import type { Db } from '../../storage/db.ts';
import { readInstant } from './instants.ts';
import { refusedInvalid, refusedNotFound } from './refusals.ts';
import type { Outcome } from './route.ts';

export const optionalText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

/** How the log of deliveries can be narrowed and paged, by accounts and by operators. */
export const deliveryFilters = {
  endpointId: optionalText('Those to this endpoint, deleted or not.'),
  state: Type.Optional(choice(DELIVERY_STATES, 'Those in this state.')),
  templateId: optionalText('Those of this template.'),
  symbol: optionalText('Those about this company.'),
  test: Type.Optional(Type.Boolean({ description: 'Tests alone, or all but tests.' })),
  from: optionalText('Opened at this instant or later.'),
  to: optionalText('Opened before this instant.'),
  before: optionalText('The `next` of a page.'),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LOG_PAGE_MAX,
      description: 'Rows of a page; 50 unless given.',
    }),
  ),
};

const filtersSchema = Type.Object(deliveryFilters);

/** A page of the log, newest first; `customerId` null: of all customers. */
export async function findDeliveryPage(
  db: Db,
  customerId: string | null,
  query: Static<typeof filtersSchema>,
): Promise<
  { refused: Outcome } | { found: Awaited<ReturnType<typeof listDeliveries>>; next: string | null }
> {
  const { endpointId, state, templateId, test: isTest, before, limit = 50 } = query;
  const from = readInstant(query.from, 'from');
  if ('refused' in from) return from;
  const to = readInstant(query.to, 'to');
  if ('refused' in to) return to;
  const symbol = query.symbol === undefined ? undefined : parseSymbol(query.symbol);
  if (symbol === null) {
    const detail = 'a ticker symbol';
    return { refused: refusedInvalid({ kind: 'invalid', parameter: 'symbol', detail }) };
  }
  if (endpointId !== undefined && !(await wasEndpointOf(db, { customerId, endpointId }))) {
    return { refused: refusedNotFound() };
  }
  const found = await listDeliveries(db, {
    customerId,
    endpointId,
    templateId,
    symbol,
    isTest,
    before,
    limit,
    from: from.instant,
    to: to.instant,
    states: state === undefined ? undefined : [state as DeliveryState],
  });
  return { found, next: found.length === limit ? (found.at(-1)?.id ?? null) : null };
}
