import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';

/** A symbol to subscribe an endpoint to. */
export interface NewSubscription {
  templateId: string;
  symbol: string;
  /** Current data as returned by `serializeData`, or null if there is none. */
  data: string | null;
}

/**
 * Adds subscriptions to a locked or new endpoint. Existing subscriptions stay unchanged, except that
 * a member of a company set becomes one that the endpoint has named. Nothing is sent
 * immediately: later deliveries report changes relative to the given data. A concurrent change
 * that the data does not include is still delivered, because each symbol is compared again after
 * the commit. Returns the number of new subscriptions.
 */
export async function addSubscriptions(
  tx: Transaction,
  endpointId: string,
  subscriptions: readonly NewSubscription[],
  { now, kind = 'symbol' }: { now: Instant; kind?: 'symbol' | 'member' },
): Promise<number> {
  if (subscriptions.length === 0) return 0;
  const payload = JSON.stringify(subscriptions);
  // Returns one row per new subscription.
  const added = await tx.query<{ template_id: string; symbol: string }>(
    `insert into webhook_subscription
       (template_id, symbol, endpoint_id, created_at, answered_data, kind)
     select n."templateId", n.symbol, $2, to_timestamp($3 / 1000.0), n.data, $4
       from jsonb_to_recordset($1::jsonb) as n("templateId" text, symbol text, data text)
     on conflict (template_id, symbol, endpoint_id) do update
       set kind = excluded.kind
     where webhook_subscription.kind = 'member' and excluded.kind = 'symbol'
     returning template_id, symbol`,
    [payload, endpointId, now, kind],
  );
  // Queues each symbol for this endpoint only.
  await tx.query(
    `insert into webhook_fan_out (template_id, symbol, only_endpoint, changed_at)
     select n.template_id, n.symbol, $2, to_timestamp($3 / 1000.0)
       from jsonb_to_recordset($1::jsonb) as n(template_id text, symbol text)
     on conflict do nothing`,
    [JSON.stringify(added), endpointId, now],
  );
  return added.length;
}

/**
 * Removes an endpoint's subscriptions and returns their number. The caller must cancel pending
 * deliveries.
 */
export async function removeSubscriptions(
  tx: Transaction,
  endpointId: string,
  templateId: string,
  symbols: readonly string[],
): Promise<number> {
  // Returns at most one row per symbol.
  const removed = await tx.query(
    removing(`endpoint_id = $1 and template_id = $2 and symbol = any($3::text[])`),
    [endpointId, templateId, symbols],
  );
  return removed.length;
}

/**
 * Ends subscriptions to symbols, but keeps what is stored about them, for companies that a
 * set of the endpoint may have. Returns their number.
 */
export async function releaseSymbols(
  tx: Transaction,
  endpointId: string,
  templateId: string,
  symbols: readonly string[],
): Promise<number> {
  const released = await tx.query(
    `update webhook_subscription s set kind = 'member'
       from (select symbol from webhook_subscription
              where endpoint_id = $1 and template_id = $2 and symbol = any($3::text[])
                and kind = 'symbol'
              order by symbol collate "C" for update) n
      where s.template_id = $2 and s.symbol = n.symbol and s.endpoint_id = $1
      returning s.symbol`,
    [endpointId, templateId, symbols],
  );
  return released.length;
}

export async function removeAllSubscriptions(tx: Transaction, endpointId: string): Promise<void> {
  // Uses index `webhook_subscription_by_endpoint`.
  await tx.query(removing('endpoint_id = $1'), [endpointId]);
}

/**
 * Builds the statement that removes subscriptions. Recording 2xx responses updates subscriptions of
 * endpoints that other transactions may have locked. To avoid deadlocks, all code locks the
 * subscriptions of an endpoint in order of template and symbol.
 */
function removing(those: string): string {
  return `delete from webhook_subscription s using (
       select template_id, symbol, endpoint_id from webhook_subscription where ${those}
        order by template_id collate "C", symbol collate "C" for update) gone
     where s.template_id = gone.template_id and s.symbol = gone.symbol
       and s.endpoint_id = gone.endpoint_id
     returning s.symbol`;
}
