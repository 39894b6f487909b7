import type { Actor } from '../../accounts/audit-log.ts';
import { invalid } from '../../accounts/deps.ts';
import { unknownSymbols } from '../../datasets/securities/store.ts';
import type { Queryable } from '../../storage/db.ts';
import { unknownTemplate } from '../queue/delivery-actions.ts';
import { cancelPending } from '../endpoint/endpoint-states.ts';
import { parseSymbols } from './parse-symbols.ts';
import { addSubscriptions, removeSubscriptions } from './subscription-store.ts';
import type { EndpointIds, LimitReached, WebhookDeps } from '../webhook-deps.ts';
import { withEndpoint } from '../endpoint/endpoint-action.ts';

/** Companies that an endpoint may be told of, by whatever templates. */
export const SYMBOLS_MAX = 5_000;

export interface SymbolList extends EndpointIds {
  templateId: string;
  symbols: string | readonly string[];
}

/**
 * Subscribes an endpoint to companies. Nothing is sent by it: what is told later is what differs from
 * the data of this moment. A symbol that nobody knows yet is taken too, and named: it may come.
 * `isPreview`: says what it would do, and does nothing.
 */
export function subscribe(
  deps: WebhookDeps,
  { templateId, symbols, isPreview = false, ...of }: SymbolList & { isPreview?: boolean },
  actor: Actor,
) {
  const { webhooks, clock } = deps;
  return withEndpoint(deps, of, { by: actor, act: 'webhook.subscribe' }, async (tx, { id }) => {
    if (!isKnownTemplate(deps, templateId)) return unknownTemplate(deps);
    const read = parseSymbols(symbols);
    if (read.symbols.length === 0) return NO_SYMBOLS;
    if ((await countSymbolsAfterAdding(tx, id, read.symbols)) > SYMBOLS_MAX)
      return TOO_MANY_SYMBOLS;
    const { repeated, invalid: refused } = read;
    const told = { repeated, refused, kind: 'subscribed' as const };
    const unknown = (await unknownSymbols(tx, read.symbols)).toSorted();
    const asked = read.symbols.length;
    if (isPreview) {
      const standing = await countExisting(tx, id, { templateId, symbols: read.symbols });
      return { ...told, unknown, standing, added: asked - standing };
    }
    const now = clock.now();
    const subjects = read.symbols.map((symbol) => ({ templateId, symbol }));
    const dataOf = await webhooks.loadSourceData(tx, subjects, now);
    const rows = subjects.map((subject) => ({ ...subject, data: dataOf(subject) }));
    const added = await addSubscriptions(tx, id, rows, now);
    return {
      ...told,
      unknown,
      standing: asked - added,
      added,
      ...(added === 0
        ? {}
        : {
            details: {
              templateId,
              added,
              ...shortList(read.symbols),
            },
          }),
    };
  });
}

/** Ends subscriptions; what waits of them is not sent any more. */
export function unsubscribe(
  deps: WebhookDeps,
  { templateId, symbols, ...of }: SymbolList,
  actor: Actor,
) {
  return withEndpoint(deps, of, { by: actor, act: 'webhook.unsubscribe' }, async (tx, { id }) => {
    if (!isKnownTemplate(deps, templateId)) return unknownTemplate(deps);
    const read = parseSymbols(symbols);
    if (read.symbols.length === 0) return NO_SYMBOLS;
    const removed = await removeSubscriptions(tx, id, templateId, read.symbols);
    const ended = { templateId, symbols: read.symbols };
    await cancelPending(tx, id, { now: deps.clock.now(), symbols: ended });
    return {
      kind: 'unsubscribed' as const,
      removed,
      refused: read.invalid,
      ...(removed === 0
        ? {}
        : {
            details: {
              templateId,
              removed,
              ...shortList(read.symbols),
            },
          }),
    };
  });
}

/** The audit holds the symbols of a short list, and of a long one the first. */
function shortList(symbols: readonly string[]): { symbols: string[] } {
  return { symbols: symbols.slice(0, 50) };
}

const NO_SYMBOLS = invalid('symbols', 'name at least one ticker symbol');
const TOO_MANY_SYMBOLS: LimitReached = {
  kind: 'over-limit',
  detail: `An endpoint is told of at most ${SYMBOLS_MAX} symbols.`,
};

function isKnownTemplate({ webhooks }: WebhookDeps, templateId: string): boolean {
  return webhooks.templates.some((template) => template.templateId === templateId);
}

async function countSymbolsAfterAdding(
  db: Queryable,
  endpointId: string,
  symbols: readonly string[],
): Promise<number> {
  // One number over at most some thousand rows, by index webhook_subscription_by_endpoint.
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
  // One number over at most some thousand rows, by index webhook_subscription_by_endpoint.
  const [row] = await db.query<{ n: number }>(
    `select count(*) as n from webhook_subscription
      where endpoint_id = $1 and template_id = $2 and symbol = any($3::text[])`,
    [endpointId, templateId, symbols],
  );
  return row?.n ?? 0;
}
