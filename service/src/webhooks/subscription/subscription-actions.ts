import type { Actor } from '../../accounts/audit-log.ts';
import { invalid } from '../../accounts/deps.ts';
import { unknownSymbols } from '../../datasets/securities/store.ts';
import type { Queryable } from '../../storage/db.ts';
import { unknownTemplate } from '../queue/delivery-actions.ts';
import { cancelPending } from '../endpoint/endpoint-states.ts';
import { parseSymbols } from './parse-symbols.ts';
import { addSubscriptions, removeSubscriptions } from './subscription-store.ts';
import type { EndpointIds, LimitReached, WebhookDeps } from '../webhook-deps.ts';
import { changed, unchanged, withEndpoint } from '../endpoint/endpoint-action.ts';

/** Maximum number of distinct symbols per endpoint, across all templates. */
export const SYMBOLS_MAX = 5_000;

export interface SymbolList extends EndpointIds {
  templateId: string;
  symbols: string | readonly string[];
}

/**
 * Subscribes an endpoint to symbols. Nothing is sent immediately: later deliveries report changes
 * relative to the current data. Symbols without a company are also subscribed and reported as
 * unknown. With `isPreview`, only reports what would happen.
 */
export function subscribe(
  deps: WebhookDeps,
  { templateId, symbols, isPreview = false, ...ids }: SymbolList & { isPreview?: boolean },
  actor: Actor,
) {
  const { webhooks, clock } = deps;
  return withEndpoint(deps, ids, { actor, action: 'webhook.subscribe' }, async (tx, { id }) => {
    if (!isKnownTemplate(deps, templateId)) return unchanged(unknownTemplate(deps));
    const list = parseSymbols(symbols);
    const requested = list.symbols.length;
    if (requested === 0) return unchanged(NO_SYMBOLS);
    if ((await countSymbolsAfterAdding(tx, id, list.symbols)) > SYMBOLS_MAX) {
      return unchanged(SYMBOL_LIMIT_REACHED);
    }
    const report = {
      kind: 'subscribed' as const,
      repeated: list.repeated,
      refused: list.invalid,
      unknown: (await unknownSymbols(tx, list.symbols)).toSorted(),
    };
    if (isPreview) {
      const existingCount = await countExisting(tx, id, { templateId, symbols: list.symbols });
      return unchanged({ ...report, standing: existingCount, added: requested - existingCount });
    }
    const now = clock.now();
    const keys = list.symbols.map((symbol) => ({ templateId, symbol }));
    const dataOf = await webhooks.loadSourceData(tx, keys, now);
    const rows = keys.map((key) => ({ ...key, data: dataOf(key) }));
    const added = await addSubscriptions(tx, id, rows, now);
    const outcome = { ...report, standing: requested - added, added };
    if (added === 0) return unchanged(outcome);
    return changed(outcome, { templateId, added, symbols: forAudit(list.symbols) });
  });
}

/** Ends subscriptions and cancels their pending deliveries. */
export function unsubscribe(
  deps: WebhookDeps,
  { templateId, symbols, ...ids }: SymbolList,
  actor: Actor,
) {
  return withEndpoint(deps, ids, { actor, action: 'webhook.unsubscribe' }, async (tx, { id }) => {
    if (!isKnownTemplate(deps, templateId)) return unchanged(unknownTemplate(deps));
    const list = parseSymbols(symbols);
    if (list.symbols.length === 0) return unchanged(NO_SYMBOLS);
    const removed = await removeSubscriptions(tx, id, templateId, list.symbols);
    const now = deps.clock.now();
    await cancelPending(tx, id, { now, symbols: { templateId, symbols: list.symbols } });
    const outcome = { kind: 'unsubscribed' as const, removed, refused: list.invalid };
    if (removed === 0) return unchanged(outcome);
    return changed(outcome, { templateId, removed, symbols: forAudit(list.symbols) });
  });
}

/** Keeps only the first symbols of a long list for the audit log. */
function forAudit(symbols: readonly string[]): readonly string[] {
  return symbols.slice(0, 50);
}

const NO_SYMBOLS = invalid('symbols', 'name at least one ticker symbol');
const SYMBOL_LIMIT_REACHED: LimitReached = {
  kind: 'over-limit',
  detail: `An endpoint can have at most ${SYMBOLS_MAX} symbols.`,
};

function isKnownTemplate({ webhooks }: WebhookDeps, templateId: string): boolean {
  return webhooks.templates.some((template) => template.templateId === templateId);
}

async function countSymbolsAfterAdding(
  db: Queryable,
  endpointId: string,
  symbols: readonly string[],
): Promise<number> {
  // Returns one row; counts at most a few thousand. Uses index `webhook_subscription_by_endpoint`.
  const [row] = await db.query<{ n: number }>(
    `select count(*) as n from (
       select symbol from webhook_subscription where endpoint_id = $1
       union select unnest($2::text[])) as watched`,
    [endpointId, symbols],
  );
  return row?.n ?? 0;
}

async function countExisting(
  db: Queryable,
  endpointId: string,
  { templateId, symbols }: { templateId: string; symbols: readonly string[] },
): Promise<number> {
  // Returns one row; counts at most a few thousand. Uses index `webhook_subscription_by_endpoint`.
  const [row] = await db.query<{ n: number }>(
    `select count(*) as n from webhook_subscription
      where endpoint_id = $1 and template_id = $2 and symbol = any($3::text[])`,
    [endpointId, templateId, symbols],
  );
  return row?.n ?? 0;
}
