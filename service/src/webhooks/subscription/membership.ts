import { earlierIdsOf, type Security } from '../../datasets/securities/row.ts';
import { lastHolder } from '../../datasets/securities/last-holder.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import { loadSectors } from '../../datasets/profiles/store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { cancelPending } from '../endpoint/endpoint-states.ts';
import { ALL_COMPANIES, slugOf } from './company-sets.ts';
import { removeSubscriptions } from './subscription-store.ts';

/** The company sets that have a company. */
export interface Membership {
  /** All companies, its exchange and its sector, in stored form. */
  sets: readonly string[];
  /** Its security id and earlier ones, to find its watchlists. */
  securityIds: readonly string[];
}

/** Membership of a symbol that is no company's current symbol. */
export const NO_MEMBERSHIP: Membership = { sets: [], securityIds: [] };

/** Returns the membership of each security by id. */
export async function loadMemberships(
  db: Queryable,
  securities: readonly Security[],
): Promise<Map<string, Membership>> {
  const sectors = await loadSectors(
    db,
    securities.map(({ id }) => id),
  );
  return new Map(
    securities.map((security) => {
      const { id, exchange } = security;
      const sector = sectors.get(id) ?? null;
      const sets = [
        ALL_COMPANIES,
        ...(exchange === null ? [] : [`exchange:${slugOf(exchange)}`]),
        ...(sector === null ? [] : [`sector:${slugOf(sector)}`]),
      ];
      const earlier = [...earlierIdsOf(security).values()].map((each) => each.id);
      return [id, { sets, securityIds: [id, ...earlier] }];
    }),
  );
}

/**
 * Removes what is stored about companies that none of a locked endpoint's sets has any longer, and cancels their pending deliveries.
 */
export async function removeFormerMembers(
  tx: Transaction,
  { endpointId, templateId, now }: { endpointId: string; templateId: string; now: Instant },
): Promise<void> {
  // Returns at most one row per company with a delivery. Uses index
  // `webhook_subscription_by_endpoint`.
  const rows = await tx.query<{ symbol: string; kind: string }>(
    `select symbol, kind from webhook_subscription
      where endpoint_id = $1 and template_id = $2 and kind <> 'symbol'`,
    [endpointId, templateId],
  );
  const sets = new Set(rows.flatMap(({ symbol, kind }) => (kind === 'set' ? [symbol] : [])));
  const members = rows.flatMap(({ symbol, kind }) => (kind === 'member' ? [symbol] : []));
  const symbols = await outsideSets(tx, members, sets);
  if (symbols.length === 0) return;
  await removeSubscriptions(tx, endpointId, templateId, symbols);
  await cancelPending(tx, endpointId, { now, symbols: { templateId, symbols } });
}

/** Returns the symbols whose companies are in none of the sets. */
export async function outsideSets(
  db: Queryable,
  symbols: readonly string[],
  sets: ReadonlySet<string>,
): Promise<string[]> {
  if (sets.size === 0) return [...symbols];
  if (sets.has(ALL_COMPANIES)) return [];
  const securities = await loadSecuritiesBySymbol(db, symbols);
  const bySymbol = Map.groupBy(
    securities.flatMap((security) => security.symbols.map(({ symbol }) => ({ symbol, security }))),
    ({ symbol }) => symbol,
  );
  const memberships = await loadMemberships(db, securities);
  const listed = await loadListed(db, sets);
  return symbols.filter((symbol) => {
    const holders = (bySymbol.get(symbol) ?? []).map(({ security }) => security);
    const holder = lastHolder(symbol, holders);
    const company = holder === null ? NO_MEMBERSHIP : (memberships.get(holder.id) ?? NO_MEMBERSHIP);
    return (
      !company.sets.some((each) => sets.has(each)) &&
      !company.securityIds.some((id) => listed.has(id))
    );
  });
}

/** Returns the ids of the securities on the watchlists among the sets. */
async function loadListed(db: Queryable, sets: ReadonlySet<string>): Promise<Set<string>> {
  const ids = [...sets].flatMap((text) => (text.startsWith('@') ? [text.slice(1)] : []));
  if (ids.length === 0) return new Set();
  const rows = await db.query<{ id: string }>(
    `select distinct security_id as id from watchlist_member where watchlist_id = any($1::text[])`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
