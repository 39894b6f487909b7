import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';

/** A symbol or a company set that an endpoint is subscribed to through a template. */
export interface Subscription {
  templateId: string;
  /** A symbol, or a company set: `*`, `exchange:…`, `sector:…`, or `@` and the name of a watchlist. */
  symbol: string;
  /** The symbol or company set as stored, by which the list is ordered. */
  position: string;
  createdAt: Instant;
  /**
   * Time of the last 2xx response to a delivery for the symbol. Null if there has been none since
   * subscribing.
   */
  answeredAt: Instant | null;
}

/** Returns an endpoint's subscriptions after a position, ordered by template and symbol. */
export async function listSubscriptions(
  db: Queryable,
  options: {
    endpointId: string;
    after?: { templateId: string; symbol: string } | undefined;
    limit: number;
  },
): Promise<Subscription[]> {
  const { endpointId, after = { templateId: '', symbol: '' }, limit } = options;
  // Returns one page. Uses index `webhook_subscription_by_endpoint`.
  return db.query<Subscription & Row>(
    `select template_id as "templateId", symbol as position, created_at as "createdAt",
            answered_at as "answeredAt",
            coalesce((select '@' || w.name from watchlist w
                       where symbol like '@%' and w.id = substr(symbol, 2)), symbol) as symbol
       from webhook_subscription
      where endpoint_id = $1 and (template_id, symbol) > ($2, $3) and kind <> 'member'
      order by template_id, webhook_subscription.symbol limit $4`,
    [endpointId, after.templateId, after.symbol, limit],
  );
}
