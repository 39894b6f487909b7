import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';

/** A listed security. Its id stays the same when its symbol changes. */
export interface Security {
  /** `sec_` and a hash of the first known symbol. The same in every store. */
  id: string;
  /** Current or last symbol. */
  symbol: string;
  /** CIK, ten digits; null if no list gives one. */
  cik: string | null;
  name: string | null;
  exchange: string | null;
  /** False if the filer's lists no longer contain the security. */
  active: boolean;
  /** True if the filer's reports belong to this security, as for common shares. */
  reports: boolean;
  /**
   * Time when a list first showed the security with its current values; null if no list contains
   * it.
   */
  listedAt: Instant | null;
  /** Symbols with the periods in which they referred to this security; null is open-ended. */
  symbols: SymbolSpan[];
}

export interface SymbolSpan {
  symbol: string;
  from: LocalDate | null;
  to: LocalDate | null;
}

/**
 * Returns the id of a security: a hash of its first known symbol, and of its CIK if another filer
 * had that symbol before.
 */
export function securityId(firstSymbol: string, laterHolderCik: string | null): string {
  const identity = laterHolderCik === null ? firstSymbol : `${firstSymbol}/${laterHolderCik}`;
  return `sec_${createHash('sha256').update(identity).digest('hex').slice(0, 20)}`;
}
