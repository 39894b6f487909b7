import { earlierIdsOf, type Security } from '../../datasets/securities/row.ts';
import { lastHolder } from '../../datasets/securities/last-holder.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import { loadSectors } from '../../datasets/profiles/store.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { cancelPending } from '../endpoint/endpoint-states.ts';
import { ALL_COMPANIES, slugOf } from './selectors.ts';
import { removeSubscriptions } from './subscription-store.ts';

/** The sets of companies that a company belongs to. */
export interface Coverage {
  /** Selectors for all companies, its exchange and its sector. */
  selectors: readonly string[];
  /** Its security id and earlier ones, to find its watchlists. */
  securityIds: readonly string[];
}

/** Coverage of a symbol that is no company's current symbol. */
export const NOT_COVERED: Coverage = { selectors: [], securityIds: [] };

/** Returns the coverage of each security by id. */
export async function loadCoverage(
  db: Queryable,
  securities: readonly Security[],
): Promise<Map<string, Coverage>> {
  const sectors = await loadSectors(
    db,
    securities.map(({ id }) => id),
  );
  return new Map(
    securities.map((security) => {
      const { id, exchange } = security;
      const sector = sectors.get(id) ?? null;
      const selectors = [
        ALL_COMPANIES,
        ...(exchange === null ? [] : [`exchange:${slugOf(exchange)}`]),
        ...(sector === null ? [] : [`sector:${slugOf(sector)}`]),
      ];
      const earlier = [...earlierIdsOf(security).values()].map((each) => each.id);
      return [id, { selectors, securityIds: [id, ...earlier] }];
    }),
  );
}

/**
 * Removes what is stored about companies that none of a locked endpoint's selectors covers any
 * longer, and cancels their pending deliveries.
 */
export async function removeUncovered(
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
  const selectors = new Set(
    rows.flatMap(({ symbol, kind }) => (kind === 'selector' ? [symbol] : [])),
  );
  const covered = rows.flatMap(({ symbol, kind }) => (kind === 'covered' ? [symbol] : []));
  const symbols = await withoutCoverage(tx, covered, selectors);
  if (symbols.length === 0) return;
  await removeSubscriptions(tx, endpointId, templateId, symbols);
  await cancelPending(tx, endpointId, { now, symbols: { templateId, symbols } });
}

async function withoutCoverage(
  db: Queryable,
  symbols: readonly string[],
  selectors: ReadonlySet<string>,
): Promise<string[]> {
  if (selectors.size === 0) return [...symbols];
  if (selectors.has(ALL_COMPANIES)) return [];
  const securities = await loadSecuritiesBySymbol(db, symbols);
  const bySymbol = Map.groupBy(
    securities.flatMap((security) => security.symbols.map(({ symbol }) => ({ symbol, security }))),
    ({ symbol }) => symbol,
  );
  const coverage = await loadCoverage(db, securities);
  const listed = await loadListed(db, selectors);
  return symbols.filter((symbol) => {
    const holders = (bySymbol.get(symbol) ?? []).map(({ security }) => security);
    const holder = lastHolder(symbol, holders);
    const company = holder === null ? NOT_COVERED : (coverage.get(holder.id) ?? NOT_COVERED);
    return (
      !company.selectors.some((selector) => selectors.has(selector)) &&
      !company.securityIds.some((id) => listed.has(id))
    );
  });
}

/** Returns the ids of the securities on the watchlists among the selectors. */
async function loadListed(db: Queryable, selectors: ReadonlySet<string>): Promise<Set<string>> {
  const ids = [...selectors].flatMap((text) => (text.startsWith('@') ? [text.slice(1)] : []));
  if (ids.length === 0) return new Set();
  const rows = await db.query<{ id: string }>(
    `select distinct security_id as id from watchlist_member where watchlist_id = any($1::text[])`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
