import type { Queryable } from '../../storage/db.ts';
import { filerKey } from '../source-records/entity-keys.ts';
import { loadSecuritiesById } from './store.ts';

/**
 * The entity keys under which sources report a security: its current and former symbols, and its
 * filer.
 */
export async function entityKeysOf(db: Queryable, securityId: string): Promise<string[]> {
  const [security] = await loadSecuritiesById(db, [securityId], null);
  if (security === undefined) return [];
  const symbols = security.symbols.map(({ symbol }) => symbol);
  return security.cik === null ? symbols : [...symbols, filerKey(security.cik)];
}
