import { topics } from '../topics.gen.ts';
import { emptyMergeResult, type MergeContext, type MergeResult } from '../dataset.ts';
import { loadHistories } from '../source-records/load.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { loadRelated, loadSymbolsNamed } from './company-names.ts';
import { deriveSecurities } from './derive.ts';
import { listingsOf } from './listing.ts';
import type { FormerName } from './moved-names.ts';
import type { SecurityObservation } from './observation.ts';
import { filersOf, type Security } from './row.ts';
import { loadSizes } from './sizes.ts';
import { replaceSecurities } from './store.ts';
import { boundariesOf } from './succession.ts';
import { loadSymbolNames, oldestFirst, type SymbolName } from './symbol-names.ts';

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
  const connected = await loadConnected(context, symbols);
  const { histories, names, formerNames } = connected;
  const sizes = await loadSizes(context.tx, boundariesOf(listingsOf(histories), connected));
  const all = [...connected.symbols];
  const derived = deriveSecurities(histories, all, { names, formerNames, sizes });
  const { changed, removed } = await replaceSecurities(context.tx, derived, all, context.now);
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
  result.topics.add(topics.securities.any);
  for (const { symbol } of security.symbols) {
    result.affectedSymbols.add(symbol);
    result.topics.add(topics.securities.symbol(symbol));
  }
  for (const cik of filersOf(security)) result.affectedCiks.add(cik);
}

interface Connected {
  symbols: Set<string>;
  histories: ObservationHistory<SecurityObservation>[];
  /** Oldest first. */
  names: SymbolName[];
  formerNames: FormerName[];
}

/**
 * Loads the list rows and company names for these symbols, their filers and namesakes, the filers'
 * other symbols and former names, and so on until no more are found.
 */
async function loadConnected({ tx }: MergeContext, symbols: Iterable<string>): Promise<Connected> {
  const seen = new Set<string>();
  const histories: ObservationHistory<SecurityObservation>[] = [];
  const names: SymbolName[] = [];
  const formerNames: FormerName[] = [];
  const seenFilers = new Set<string>();
  let frontier = [...new Set(symbols)];
  while (frontier.length > 0) {
    for (const symbol of frontier) seen.add(symbol);
    const rows = await loadHistories<SecurityObservation>(tx, 'securities', frontier);
    const ownNames = await loadSymbolNames(tx, frontier);
    const listed = rows
      .flatMap((history) => history.observations)
      .flatMap(({ fields }) => fields.cik ?? []);
    const filers = [...new Set(listed)].filter((cik) => !seenFilers.has(cik));
    const related = await loadRelated(tx, ownNames, filers);
    const former = related.formerNames.filter(({ cik }) => !seenFilers.has(cik));
    histories.push(...rows);
    names.push(...ownNames);
    formerNames.push(...former);
    for (const filer of [...filers, ...former.map(({ cik }) => cik)]) seenFilers.add(filer);
    const others = [...related.symbols, ...(await loadSymbolsNamed(tx, former))];
    frontier = [...new Set(others)].filter((symbol) => !seen.has(symbol));
  }
  return { symbols: seen, histories, names: names.toSorted(oldestFirst), formerNames };
}
