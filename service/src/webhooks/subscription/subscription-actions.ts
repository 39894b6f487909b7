import type { Actor } from '../../accounts/audit-log.ts';
import { invalid } from '../../accounts/deps.ts';
import { unknownSymbols } from '../../datasets/securities/store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { unknownTemplate } from '../queue/delivery-actions.ts';
import { ensureBaseline } from './baseline.ts';
import { removeFormerMembers } from './membership.ts';
import { parseSymbols } from './parse-symbols.ts';
import { isOpenEnded, resolveSets, splitSets } from './company-sets.ts';
import { addSets } from './set-subscriptions.ts';
import { addSubscriptions, releaseSymbols, removeSubscriptions } from './subscription-store.ts';
import type { EndpointIds, LimitReached, WebhookDeps } from '../webhook-deps.ts';
import { changed, unchanged, withEndpoint } from '../endpoint/endpoint-action.ts';

/** Maximum number of distinct symbols per endpoint, across all templates. */
export const SYMBOLS_MAX = 5_000;
/** Maximum number of distinct company sets per endpoint, across all templates. */
const SETS_MAX = 100;

export interface SymbolList extends EndpointIds {
  templateId: string;
  symbols: string | readonly string[];
}

/**
 * Subscribes an endpoint to symbols and to company sets. Nothing is sent immediately: later
 * deliveries report changes relative to the current data. Symbols without a company are also
 * subscribed and reported as unknown. With `isPreview`, only reports what would happen.
 */
export async function subscribe(
  deps: WebhookDeps,
  { templateId, symbols: input, isPreview = false, ...ids }: SymbolList & { isPreview?: boolean },
  actor: Actor,
) {
  const { sets, symbols } = splitSets(input);
  const needsBaseline = !isPreview && sets.some(isOpenEnded);
  if (needsBaseline && isKnownTemplate(deps, templateId)) await ensureBaseline(deps, templateId);
  const action = { actor, action: 'webhook.subscribe' } as const;
  return withEndpoint(deps, ids, action, async (tx, { id }) => {
    if (!isKnownTemplate(deps, templateId)) return unchanged(unknownTemplate(deps));
    const list = parseSymbols(symbols);
    if (list.symbols.length + sets.length === 0) return unchanged(NO_SYMBOLS);
    const stored = await resolveSets(tx, ids.customerId, { sets, isNew: true });
    if ('kind' in stored) return unchanged(stored);
    const refusal = await limitReached(tx, id, { symbols: list.symbols, sets: stored });
    if (refusal !== null) return unchanged(refusal);
    const report = {
      kind: 'subscribed' as const,
      repeated: list.repeated,
      refused: list.invalid,
      unknown: (await unknownSymbols(tx, list.symbols)).toSorted(),
    };
    const requested = [...stored, ...list.symbols];
    if (isPreview) {
      const standing = await countExisting(tx, id, { templateId, symbols: requested });
      return unchanged({ ...report, standing, added: requested.length - standing });
    }
    const target = { endpointId: id, templateId, now: deps.clock.now() };
    const addedSymbols = await addSymbols(tx, deps, { ...target, symbols: list.symbols });
    const addedSets = await addSets(tx, deps.webhooks, { ...target, sets: stored });
    const added = addedSymbols + addedSets;
    const outcome = { ...report, standing: requested.length - added, added };
    if (added === 0) return unchanged(outcome);
    const audited = forAudit([...sets, ...list.symbols]);
    return changed(outcome, { templateId, added, symbols: audited });
  });
}

async function addSymbols(
  tx: Transaction,
  { webhooks }: WebhookDeps,
  target: { endpointId: string; templateId: string; symbols: readonly string[]; now: Instant },
): Promise<number> {
  const { endpointId, templateId, symbols, now } = target;
  const keys = symbols.map((symbol) => ({ templateId, symbol }));
  const dataOf = await webhooks.loadSourceData(tx, keys, now);
  const rows = keys.map((key) => ({ ...key, data: dataOf(key) }));
  return addSubscriptions(tx, endpointId, rows, { now });
}

/**
 * Ends subscriptions and cancels their pending deliveries. A company stays subscribed if a set of
 * the endpoint has it.
 */
export function unsubscribe(
  deps: WebhookDeps,
  { templateId, symbols: input, ...ids }: SymbolList,
  actor: Actor,
) {
  const { sets, symbols } = splitSets(input);
  const action = { actor, action: 'webhook.unsubscribe' } as const;
  return withEndpoint(deps, ids, action, async (tx, { id }) => {
    if (!isKnownTemplate(deps, templateId)) return unchanged(unknownTemplate(deps));
    const list = parseSymbols(symbols);
    if (list.symbols.length + sets.length === 0) return unchanged(NO_SYMBOLS);
    const stored = await resolveSets(tx, ids.customerId, { sets, isNew: false });
    if ('kind' in stored) return unchanged(stored);
    const now = deps.clock.now();
    const released = await releaseSymbols(tx, id, templateId, list.symbols);
    const ended = await removeSubscriptions(tx, id, templateId, stored);
    await removeFormerMembers(tx, { endpointId: id, templateId, now });
    const removed = released + ended;
    const outcome = { kind: 'unsubscribed' as const, removed, refused: list.invalid };
    if (removed === 0) return unchanged(outcome);
    const audited = forAudit([...sets, ...list.symbols]);
    return changed(outcome, { templateId, removed, symbols: audited });
  });
}

/** Keeps only the first symbols of a long list for the audit log. */
function forAudit(symbols: readonly string[]): readonly string[] {
  return symbols.slice(0, 50);
}

const NO_SYMBOLS = invalid('symbols', 'name at least one ticker symbol or company set');
const SYMBOL_LIMIT_REACHED: LimitReached = {
  kind: 'over-limit',
  detail: `An endpoint can have at most ${SYMBOLS_MAX} symbols. Subscribe to a company set instead.`,
};
const SET_LIMIT_REACHED: LimitReached = {
  kind: 'over-limit',
  detail: `An endpoint can have at most ${SETS_MAX} company sets.`,
};

function isKnownTemplate({ webhooks }: WebhookDeps, templateId: string): boolean {
  return webhooks.templates.some((template) => template.templateId === templateId);
}

async function limitReached(
  db: Queryable,
  endpointId: string,
  added: { symbols: readonly string[]; sets: readonly string[] },
): Promise<LimitReached | null> {
  const symbolCount = await countAfterAdding(db, endpointId, 'symbol', added.symbols);
  if (symbolCount > SYMBOLS_MAX) return SYMBOL_LIMIT_REACHED;
  const setCount = await countAfterAdding(db, endpointId, 'set', added.sets);
  return setCount > SETS_MAX ? SET_LIMIT_REACHED : null;
}

async function countAfterAdding(
  db: Queryable,
  endpointId: string,
  kind: 'symbol' | 'set',
  symbols: readonly string[],
): Promise<number> {
  // Returns one row; counts at most a few thousand. Uses index `webhook_subscription_by_endpoint`.
  const [row] = await db.query<{ n: number }>(
    `select count(*) as n from (
       select symbol from webhook_subscription where endpoint_id = $1 and kind = $2
       union select unnest($3::text[])) as watched`,
    [endpointId, kind, symbols],
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
      where endpoint_id = $1 and template_id = $2 and symbol = any($3::text[])
        and kind <> 'member'`,
    [endpointId, templateId, symbols],
  );
  return row?.n ?? 0;
}
