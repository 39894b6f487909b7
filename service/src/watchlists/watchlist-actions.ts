import { type Actor, type AuditAction, recordAuditEvent } from '../accounts/audit-log.ts';
import { type Customer, lockCustomer } from '../accounts/customers/customer-store.ts';
import {
  type AccountsDeps,
  generateId,
  invalid,
  type Invalid,
  notFound,
  type NotFound,
} from '../accounts/deps.ts';
import {
  changeWatchlistMembers,
  deleteWatchlist,
  findWatchlist,
  insertWatchlist,
  listWatchlists,
  loadWatchlistMembers,
  moveMembers,
  type Watchlist,
  type WatchlistMember,
} from '../accounts/watchlists/watchlist-store.ts';
import { lastHolder } from '../datasets/securities/last-holder.ts';
import { loadSecuritiesBySymbol } from '../datasets/securities/store.ts';
import { parseWatchlistName, WATCHLIST_NAME_RULE } from '../domain/watchlist-name.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable, Transaction } from '../storage/db.ts';
import { checkActionRate, type RateLimited } from '../accounts/action-rate.ts';
import { parseSymbols } from '../webhooks/subscription/parse-symbols.ts';
import {
  followWatchlist,
  loadWatchlistSubscribers,
} from '../webhooks/subscription/set-subscriptions.ts';
import type { Conflict, LimitReached, WebhookContext } from '../webhooks/webhook-deps.ts';

const CHANGES_PER_MINUTE = 60;
/** Number of symbols that the audit log keeps of a long change. */
const AUDIT_SYMBOLS_MAX = 50;

export type WatchlistDeps = AccountsDeps & { webhooks: WebhookContext };

export interface WatchlistKey {
  customerId: string;
  name: string;
}

type Symbols = string | readonly string[];

export type SaveOutcome =
  | { kind: 'saved'; watchlist: Watchlist; members: readonly WatchlistMember[] }
  /** Nothing was saved, because some words name no company. */
  | { kind: 'invalid-symbols'; parameter: string; unknown: string[]; invalid: string[] }
  | Invalid
  | NotFound
  | Conflict
  | LimitReached
  | RateLimited;

/** Creates a watchlist of these companies, or replaces the companies on an existing one. */
export function putWatchlist(
  deps: WatchlistDeps,
  { symbols, ...key }: WatchlistKey & { symbols: Symbols },
  actor: Actor,
): Promise<SaveOutcome> {
  return withWatchlist(deps, key, actor, async (tx, context) => {
    const listed = await resolveCompanies(tx, 'symbols', symbols);
    if ('kind' in listed) return listed;
    // The transaction is committed even if the change is rejected, so nothing may be written before.
    const refusal = companyLimitReached(context, listed);
    if (refusal !== null) return refusal;
    const watchlist = context.watchlist ?? (await createWatchlist(tx, deps, context));
    if ('kind' in watchlist) return watchlist;
    return saveMembers(tx, deps, { ...context, watchlist }, listed);
  });
}

/**
 * Adds companies to a watchlist and removes others. Removing a company that is not on the list has
 * no effect.
 */
export function patchWatchlist(
  deps: WatchlistDeps,
  { add = [], remove = [], ...key }: WatchlistKey & { add?: Symbols; remove?: Symbols },
  actor: Actor,
): Promise<SaveOutcome> {
  return withWatchlist(deps, key, actor, async (tx, context) => {
    const { watchlist } = context;
    if (watchlist === null) return notFound;
    const added = await resolveCompanies(tx, 'add', add);
    if ('kind' in added) return added;
    const removed = await resolveCompanies(tx, 'remove', remove, { ignoresUnknown: true });
    if ('kind' in removed) return removed;
    const gone = new Set(removed.flatMap(({ securityId, symbol }) => [securityId, symbol]));
    const kept = context.members.filter(
      ({ securityId, symbol }) => !gone.has(securityId) && !gone.has(symbol),
    );
    return saveMembers(tx, deps, { ...context, watchlist }, distinct([...kept, ...added]));
  });
}

/** Deletes a watchlist, unless webhook endpoints subscribe to it. */
export function removeWatchlist(
  deps: WatchlistDeps,
  key: WatchlistKey,
  actor: Actor,
): Promise<{ kind: 'removed' } | Exclude<SaveOutcome, { kind: 'saved' }>> {
  return withWatchlist(deps, key, actor, async (tx, { watchlist, record }) => {
    if (watchlist === null) return notFound;
    const subscribers = await loadWatchlistSubscribers(tx, deps.webhooks, watchlist.id);
    if (subscribers.length > 0) return STILL_SUBSCRIBED;
    await deleteWatchlist(tx, watchlist.id);
    await record('watchlist.delete', watchlist.id, { size: watchlist.size });
    return { kind: 'removed' as const };
  });
}

/** A watchlist that no other transaction changes until the end of this one. */
interface Context {
  customer: Customer;
  name: string;
  /** Null if the customer has no watchlist of this name. */
  watchlist: Watchlist | null;
  members: readonly WatchlistMember[];
  now: Instant;
  record(
    action: AuditAction,
    watchlistId: string,
    details: Readonly<Record<string, number | readonly string[]>>,
  ): Promise<void>;
}

/** Runs a change of one watchlist. Counts toward the customer's limit of changes per minute. */
function withWatchlist<Outcome extends { kind: string }>(
  { db, clock }: WatchlistDeps,
  { customerId, name: text }: WatchlistKey,
  actor: Actor,
  work: (tx: Transaction, context: Context) => Promise<Outcome>,
): Promise<Outcome | Invalid | NotFound | RateLimited> {
  return db.transaction(async (tx) => {
    const name = parseWatchlistName(text);
    if (name === null) return invalid('name', WATCHLIST_NAME_RULE);
    // Serializes all changes to a customer's watchlists and webhook endpoints.
    const customer = await lockCustomer(tx, customerId);
    if (customer === null) return notFound;
    const now = clock.now();
    const limit = { customerId, now, prefix: 'watchlist.', perMinute: CHANGES_PER_MINUTE };
    const rateLimited = await checkActionRate(tx, limit);
    if (rateLimited !== null) return rateLimited;
    const watchlist = await findWatchlist(tx, customerId, name);
    if (watchlist !== null) await moveMembers(tx, watchlist.id);
    const members = watchlist === null ? [] : await loadWatchlistMembers(tx, watchlist.id);
    return work(tx, {
      customer,
      name,
      watchlist,
      members,
      now,
      record: (action, subject, details) =>
        recordAuditEvent(tx, {
          actor,
          at: now,
          action,
          subject,
          customerId,
          details: { name, ...details },
        }),
    });
  });
}

async function createWatchlist(
  tx: Transaction,
  { random }: WatchlistDeps,
  { customer, name, now, record }: Context,
): Promise<Watchlist | LimitReached> {
  const { watchlistsMax } = customer.plan;
  if ((await listWatchlists(tx, customer.id)).length >= watchlistsMax) {
    const detail = `Your plan allows at most ${watchlistsMax} watchlists. Delete one first.`;
    return { kind: 'over-limit', detail };
  }
  const id = generateId('wl', random);
  await insertWatchlist(tx, { id, customerId: customer.id, name, now });
  await record('watchlist.create', id, {});
  return { id, name, size: 0, createdAt: now, updatedAt: now };
}

/** A list above the limit of a smaller plan may shrink in steps and swap companies, but not grow. */
function companyLimitReached(
  { customer, members: previous }: Context,
  members: readonly WatchlistMember[],
): LimitReached | null {
  const { watchlistCompaniesMax } = customer.plan;
  if (members.length <= watchlistCompaniesMax || members.length <= previous.length) return null;
  const detail = `Your plan allows at most ${watchlistCompaniesMax} companies on a watchlist.`;
  return { kind: 'over-limit', detail };
}

async function saveMembers(
  tx: Transaction,
  { webhooks }: WatchlistDeps,
  context: Context & { watchlist: Watchlist },
  members: readonly WatchlistMember[],
): Promise<SaveOutcome> {
  const { watchlist, members: previous, now, record } = context;
  const refusal = companyLimitReached(context, members);
  if (refusal !== null) return refusal;
  const change = { added: without(members, previous), removed: without(previous, members) };
  if (change.added.length + change.removed.length > 0) {
    await changeWatchlistMembers(tx, watchlist.id, { ...change, now });
    await followWatchlist(tx, webhooks, {
      watchlistId: watchlist.id,
      addedSymbols: change.added.map(({ symbol }) => symbol),
      hasRemoved: change.removed.length > 0,
      now,
    });
    await record('watchlist.change', watchlist.id, {
      added: change.added.length,
      removed: change.removed.length,
      symbolsAdded: forAudit(change.added),
      symbolsRemoved: forAudit(change.removed),
    });
  }
  const updatedAt = change.added.length + change.removed.length > 0 ? now : watchlist.updatedAt;
  return {
    kind: 'saved',
    watchlist: { ...watchlist, size: members.length, updatedAt },
    members: await loadWatchlistMembers(tx, watchlist.id),
  };
}

/**
 * Returns the companies that have or last had the symbols. A former symbol names its company. With
 * `ignoresUnknown`, words that name no company are ignored.
 */
async function resolveCompanies(
  db: Queryable,
  parameter: string,
  input: Symbols,
  { ignoresUnknown = false } = {},
): Promise<WatchlistMember[] | Extract<SaveOutcome, { kind: 'invalid-symbols' }>> {
  const { symbols, invalid: invalidWords } = parseSymbols(input);
  const securities = await loadSecuritiesBySymbol(db, symbols);
  const unknown: string[] = [];
  const members: WatchlistMember[] = [];
  for (const symbol of symbols) {
    const security = lastHolder(symbol, securities);
    if (security === null) unknown.push(symbol);
    else members.push({ securityId: security.id, symbol: security.symbol });
  }
  if (!ignoresUnknown && unknown.length + invalidWords.length > 0) {
    return { kind: 'invalid-symbols', parameter, unknown, invalid: invalidWords };
  }
  return distinct(members);
}

function distinct(members: readonly WatchlistMember[]): WatchlistMember[] {
  return [...new Map(members.map((member) => [member.securityId, member])).values()];
}

function without(
  members: readonly WatchlistMember[],
  others: readonly WatchlistMember[],
): WatchlistMember[] {
  const ids = new Set(others.map(({ securityId }) => securityId));
  return members.filter(({ securityId }) => !ids.has(securityId));
}

function forAudit(members: readonly WatchlistMember[]): string[] {
  return members.slice(0, AUDIT_SYMBOLS_MAX).map(({ symbol }) => symbol);
}

const STILL_SUBSCRIBED: Conflict = {
  kind: 'conflict',
  detail: 'Webhook endpoints subscribe to the watchlist. Unsubscribe them first.',
};
