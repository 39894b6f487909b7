import { loadWatchlistMembers } from '../../accounts/watchlists/watchlist-store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { lockEndpoints } from '../endpoint/lock-endpoints.ts';
import type { WebhookContext } from '../webhook-deps.ts';
import { loadUnsettled } from './baseline.ts';
import { removeFormerMembers } from './membership.ts';
import { isOpenEnded } from './company-sets.ts';
import { addSubscriptions } from './subscription-store.ts';

interface Target {
  endpointId: string;
  templateId: string;
  now: Instant;
}

/**
 * Subscribes a locked endpoint to company sets in their stored form. Nothing is sent
 * immediately. Returns the number of new subscriptions.
 */
export async function addSets(
  tx: Transaction,
  webhooks: WebhookContext,
  { endpointId, templateId, now, sets }: Target & { sets: readonly string[] },
): Promise<number> {
  if (sets.length === 0) return 0;
  const added = await tx.query<{ companySet: string }>(
    `insert into webhook_subscription (template_id, symbol, endpoint_id, created_at, kind)
     select $1, n.company_set, $2, to_timestamp($3 / 1000.0), 'set'
       from unnest($4::text[]) as n(company_set)
     on conflict do nothing returning symbol as "companySet"`,
    [templateId, endpointId, now, sets],
  );
  const symbols = new Set<string>();
  for (const { companySet } of added) {
    // The baseline has the data of all other companies at this moment.
    const listed = isOpenEnded(companySet)
      ? await loadUnsettled(tx, { templateId, endpointId })
      : (await loadWatchlistMembers(tx, companySet.slice(1))).map(({ symbol }) => symbol);
    for (const symbol of listed) symbols.add(symbol);
  }
  const target = { templateId, now, endpointIds: [endpointId] };
  await addMembers(tx, webhooks, { ...target, symbols: [...symbols] });
  return added.length;
}

/**
 * Applies a change of a watchlist to the endpoints that subscribe to it. Deliveries about added
 * companies report changes from the current data. Pending deliveries about removed companies are
 * cancelled. Locks the endpoints.
 */
export async function followWatchlist(
  tx: Transaction,
  webhooks: WebhookContext,
  change: {
    watchlistId: string;
    addedSymbols: readonly string[];
    hasRemoved: boolean;
    now: Instant;
  },
): Promise<void> {
  const { watchlistId, addedSymbols, hasRemoved, now } = change;
  const subscribers = await loadWatchlistSubscribers(tx, webhooks, watchlistId);
  await lockEndpoints(
    tx,
    subscribers.map(({ endpointId }) => endpointId),
  );
  for (const [templateId, group] of Map.groupBy(subscribers, (each) => each.templateId)) {
    const endpointIds = group.map(({ endpointId }) => endpointId);
    await addMembers(tx, webhooks, { templateId, endpointIds, symbols: addedSymbols, now });
  }
  if (!hasRemoved) return;
  for (const subscriber of subscribers) await removeFormerMembers(tx, { ...subscriber, now });
}

/** Returns the subscriptions to a watchlist, in endpoint order. */
export async function loadWatchlistSubscribers(
  db: Queryable,
  { templates }: WebhookContext,
  watchlistId: string,
): Promise<{ endpointId: string; templateId: string }[]> {
  return db.query<{ endpointId: string; templateId: string }>(
    `select endpoint_id as "endpointId", template_id as "templateId" from webhook_subscription
      where template_id = any($1::text[]) and symbol = '@' || $2::text
      order by endpoint_id, template_id`,
    [templates.map(({ templateId }) => templateId), watchlistId],
  );
}

/** Stores the current data as acknowledged by locked endpoints that have no row about a company. */
async function addMembers(
  tx: Transaction,
  webhooks: WebhookContext,
  target: {
    templateId: string;
    endpointIds: readonly string[];
    symbols: readonly string[];
    now: Instant;
  },
): Promise<void> {
  const { templateId, endpointIds, symbols, now } = target;
  if (symbols.length === 0) return;
  const keys = symbols.map((symbol) => ({ templateId, symbol }));
  const dataOf = await webhooks.loadSourceData(tx, keys, now);
  const rows = keys.map((key) => ({ ...key, data: dataOf(key) }));
  for (const id of endpointIds) await addSubscriptions(tx, id, rows, { now, kind: 'member' });
}
