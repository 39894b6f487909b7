import type { Queryable } from '../../storage/db.ts';
import { filerKey } from '../source-records/entity-keys.ts';
import { loadSecuritiesById } from './store.ts';

/** Under which subjects sources speak of a security: its symbols, present and former, and its filer. */
export async function entityKeysOf(db: Queryable, securityId: string): Promise<string[]> {
  const [security] = await loadSecuritiesById(db, [securityId], null);
  if (security === undefined) return [];
  const symbols = security.symbols.map(({ symbol }) => symbol);
  return security.cik === null ? symbols : [...symbols, filerKey(security.cik)];
}
