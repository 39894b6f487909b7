import { emptyMergeResult, type MergeContext, type MergeResult } from '../dataset.ts';
import { loadHistories } from '../source-records/load.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { deriveSecurities } from './derive.ts';
import { listingsOf } from './listing.ts';
import type { SecurityObservation } from './observation.ts';
import { filersOf, type Security } from './row.ts';
import { loadFilersOf, replaceSecurities } from './store.ts';
import { boundariesOf } from './succession.ts';
import { loadSizes, loadSymbolNames } from './symbol-names.ts';

export interface SecuritiesMerge extends MergeResult {
  /** Symbols and filers whose security is new or changed. Their other facts are merged again. */
  affectedSymbols: Set<string>;
  affectedCiks: Set<string>;
  /** Ids of removed securities, whose current versions are closed. */
  removedIds: Set<string>;
}

/** Derives the securities for these symbols and for everything connected to them by a filer. */
export async function mergeSecurities(
  context: MergeContext,
  symbols: Iterable<string>,
): Promise<SecuritiesMerge> {
  const { histories, implied } = await loadConnected(context, symbols);
  const previous = [...new Set([...implied, ...histories.map((history) => history.entityKey)])];
  const names = await loadSymbolNames(context.tx, previous);
  const sizes = await loadSizes(context.tx, boundariesOf(listingsOf(histories), names));
  const derived = deriveSecurities(histories, implied, { names, sizes });
  const { changed, removed } = await replaceSecurities(context.tx, derived, previous, context.now);
  const result: SecuritiesMerge = {
    ...emptyMergeResult(),
    affectedSymbols: new Set(),
    affectedCiks: new Set(),
    removedIds: new Set(removed.map(({ id }) => id)),
  };
  for (const security of [...changed, ...removed]) markAffected(result, security);
  return result;
}

function markAffected(result: SecuritiesMerge, security: Security): void {
  for (const { symbol } of security.symbols) {
    result.affectedSymbols.add(symbol);
    result.topics.add(`security:${symbol}`);
  }
  for (const cik of filersOf(security)) result.affectedCiks.add(cik);
}

/**
 * Loads the list rows for these symbols, their filers, the filers' other symbols, and so on until
 * no more are found.
 */
async function loadConnected(
  { tx }: MergeContext,
  symbols: Iterable<string>,
): Promise<{ histories: ObservationHistory<SecurityObservation>[]; implied: Set<string> }> {
  const implied = new Set(symbols);
  const histories: ObservationHistory<SecurityObservation>[] = [];
  const seenFilers = new Set<string>();
  const seenSymbols = new Set<string>();
  let frontier = [...implied];
  while (frontier.length > 0) {
    for (const symbol of frontier) seenSymbols.add(symbol);
    const rows = await loadHistories<SecurityObservation>(tx, 'securities', frontier);
    histories.push(...rows);
    const filers = rows
      .flatMap((history) => history.observations.flatMap(({ fields }) => fields.cik ?? []))
      .filter((cik) => !seenFilers.has(cik));
    for (const filer of filers) seenFilers.add(filer);
    const others = await loadFilersOf(tx, [...new Set(filers)]);
    frontier = others.filter((symbol) => !seenSymbols.has(symbol));
  }
  return { histories, implied };
}
