import { type Static, Type } from 'typebox';
import { listDeliveries } from '../../webhooks/log/delivery-log.ts';
import { endpointExisted } from '../../webhooks/endpoint/webhook-endpoint.ts';
import { DELIVERY_STATES, type DeliveryState, LOG_PAGE_MAX } from '../../webhooks/log/log-query.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import { choice } from '../../endpoints/schema/fields.ts';
import type { Db } from '../../storage/db.ts';
import { readInstant } from './instants.ts';
import { rejectInvalid, rejectNotFound } from './refusals.ts';
import type { CallResult } from './route.ts';
import { instantText, symbolText } from './described-text.ts';

export const optionalText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

/** Filters and pagination for the delivery log, used by both account and operator calls. */
export const deliveryFilters = {
  endpointId: optionalText('Only deliveries to this endpoint, which may be deleted.'),
  state: Type.Optional(choice(DELIVERY_STATES, 'Only deliveries in this state.')),
  templateId: optionalText('Only deliveries of this template.'),
  symbol: Type.Optional(symbolText('Only deliveries about this symbol.')),
  test: Type.Optional(
    Type.Boolean({ description: '`true` for test deliveries only, `false` to exclude them.' }),
  ),
  from: Type.Optional(instantText('Only deliveries created at or after this time.')),
  to: Type.Optional(instantText('Only deliveries created before this time.')),
  before: optionalText('The `next` value of the previous page.'),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LOG_PAGE_MAX,
      description: 'Page size; 50 by default.',
    }),
  ),
};

const filtersSchema = Type.Object(deliveryFilters);

/**
 * Returns a page of the delivery log, newest first. If `customerId` is null, the page covers all
 * customers.
 */
export async function findDeliveryPage(
  db: Db,
  customerId: string | null,
  query: Static<typeof filtersSchema>,
): Promise<
  | { rejected: CallResult }
  | { deliveries: Awaited<ReturnType<typeof listDeliveries>>; next: string | null }
> {
  const { endpointId, state, templateId, test: isTest, before, limit = 50 } = query;
  const from = readInstant(query.from, 'from');
  if ('rejected' in from) return from;
  const to = readInstant(query.to, 'to');
  if ('rejected' in to) return to;
  const symbol = query.symbol === undefined ? undefined : parseSymbol(query.symbol);
  if (symbol === null) {
    const detail = 'must be a ticker symbol';
    return { rejected: rejectInvalid('symbol', detail) };
  }
  if (endpointId !== undefined && !(await endpointExisted(db, { customerId, endpointId }))) {
    return { rejected: rejectNotFound() };
  }
  const deliveries = await listDeliveries(db, {
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
  return { deliveries, next: deliveries.length === limit ? (deliveries.at(-1)?.id ?? null) : null };
}
