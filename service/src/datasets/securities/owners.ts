import type { Queryable } from '../../storage/db.ts';
import { filerOf, filerKey } from '../source-records/entity-keys.ts';
import { filersOf, type Security } from './row.ts';
import { loadSecuritiesByCik, loadSecuritiesById, loadSecuritiesBySymbol } from './store.ts';

/** Loads the distinct securities for these entity keys (symbols and filers, also former ones). */
export async function loadOwners(
  db: Queryable,
  entityKeys: readonly string[],
): Promise<Security[]> {
  const filers = entityKeys.flatMap((key) => filerOf(key) ?? []);
  const symbols = entityKeys.filter((key) => filerOf(key) === null);
  return distinct([
    ...(await loadSecuritiesBySymbol(db, symbols)),
    ...(await loadSecuritiesByCik(db, filers)),
  ]);
}

/** Like `loadOwners`, but also includes all other securities of their filers. */
export async function loadOwnersWithClasses(
  db: Queryable,
  entityKeys: readonly string[],
): Promise<Security[]> {
  const owners = await loadOwners(db, entityKeys);
  const filers = new Set(owners.flatMap(filersOf));
  return distinct([...owners, ...(await loadSecuritiesByCik(db, filers))]);
}

/**
 * Returns the symbols together with the entity keys of their filers, because either may have
 * records.
 */
export async function withFilerKeys(db: Queryable, symbols: readonly string[]): Promise<string[]> {
  const owners = await loadSecuritiesBySymbol(db, symbols);
  const filers = owners.flatMap(filersOf).map(filerKey);
  return [...new Set([...symbols, ...filers])];
}

/**
 * Returns the entity keys under which sources report a security: its current and former symbols,
 * and its filer.
 */
export async function entityKeysOf(db: Queryable, securityId: string): Promise<string[]> {
  const [security] = await loadSecuritiesById(db, [securityId], null);
  if (security === undefined) return [];
  const symbols = security.symbols.map(({ symbol }) => symbol);
  return [...symbols, ...filersOf(security).map(filerKey)];
}

function distinct(securities: readonly Security[]): Security[] {
  return [...new Map(securities.map((security) => [security.id, security])).values()];
}
