import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';

/** A company that an endpoint is to be told of by a template. */
export interface NewSubscription {
  templateId: string;
  symbol: string;
  /** The data of this moment as `serialiseData` writes them; null when there are none. */
  data: string | null;
}

/**
 * Subscribes an endpoint, which is locked or new; what it watches already stays as it is. Nothing is
 * sent for it: what is told later is what differs from the data given. A change that is committed at
 * this very moment, and was not in them, is still told, since each company is looked at once more
 * after the commit. Returns how many are new.
 */
export async function addSubscriptions(
  tx: Transaction,
  endpointId: string,
  subscriptions: readonly NewSubscription[],
  now: Instant,
): Promise<number> {
  if (subscriptions.length === 0) return 0;
  const payload = JSON.stringify(subscriptions);
  // Adds one row each unless it stands, by the primary key.
  const added = await tx.query<{ template_id: string; symbol: string }>(
    `insert into webhook_subscription
       (template_id, symbol, endpoint_id, created_at, answered_data)
     select n."templateId", n.symbol, $2, to_timestamp($3 / 1000.0), n.data
       from jsonb_to_recordset($1::jsonb) as n("templateId" text, symbol text, data text)
     on conflict do nothing returning template_id, symbol`,
    [payload, endpointId, now],
  );
  // Adds one row each, for this endpoint alone.
  await tx.query(
    `insert into webhook_fan_out (template_id, symbol, only_endpoint, changed_at)
     select n.template_id, n.symbol, $2, to_timestamp($3 / 1000.0)
       from jsonb_to_recordset($1::jsonb) as n(template_id text, symbol text)
     on conflict do nothing`,
    [JSON.stringify(added), endpointId, now],
  );
  return added.length;
}

/** Takes subscriptions of an endpoint away; returns how many there were. Cancel what waits as well. */
export async function removeSubscriptions(
  tx: Transaction,
  endpointId: string,
  templateId: string,
  symbols: readonly string[],
): Promise<number> {
  // Removes at most one row a symbol, by the primary key.
  const removed = await tx.query(
    removing(`endpoint_id = $1 and template_id = $2 and symbol = any($3::text[])`),
    [endpointId, templateId, symbols],
  );
  return removed.length;
}

/** Takes all subscriptions of an endpoint away. */
export async function removeAllSubscriptions(tx: Transaction, endpointId: string): Promise<void> {
  // Its rows, by index webhook_subscription_by_endpoint.
  await tx.query(removing('endpoint_id = $1'), [endpointId]);
}

/**
 * Who is answered 2xx writes to subscriptions of endpoints that others may hold: all lock the rows of
 * an endpoint by template and company, so that no two wait for each other.
 */
function removing(those: string): string {
  return `delete from webhook_subscription s using (
       select template_id, symbol, endpoint_id from webhook_subscription where ${those}
        order by template_id collate "C", symbol collate "C" for update) gone
     where s.template_id = gone.template_id and s.symbol = gone.symbol
       and s.endpoint_id = gone.endpoint_id
     returning s.symbol`;
}
