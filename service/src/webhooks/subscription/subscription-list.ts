import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';

/** A company that an endpoint is told of. */
export interface Subscription {
  templateId: string;
  symbol: string;
  createdAt: Instant;
  /** When data were last answered 2xx; null: never since it was subscribed. */
  answeredAt: Instant | null;
}

/** Subscriptions of an endpoint by template and symbol, at most `limit`, those behind `after`. */
export async function listSubscriptions(
  db: Queryable,
  options: {
    endpointId: string;
    after?: { templateId: string; symbol: string } | undefined;
    limit: number;
  },
): Promise<Subscription[]> {
  const { endpointId, after = { templateId: '', symbol: '' }, limit } = options;
  // A page in the order of index webhook_subscription_by_endpoint, from a place on.
  return db.query<Subscription & Row>(
    `select template_id as "templateId", symbol, created_at as "createdAt",
            answered_at as "answeredAt"
       from webhook_subscription
      where endpoint_id = $1 and (template_id, symbol) > ($2, $3)
      order by template_id, symbol limit $4`,
    [endpointId, after.templateId, after.symbol, limit],
  );
}
