import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';

/** A listed security. Its id outlives its symbol. */
export interface Security {
  /** `sec_` and a hash of its first known symbol. Equal in every store. */
  id: string;
  /** Current or last symbol. */
  symbol: string;
  /** CIK, ten digits; null if no list names one. */
  cik: string | null;
  name: string | null;
  exchange: string | null;
  /** False if the filer's lists do not name it any more. */
  active: boolean;
  /** True if the filer's reports belong to this security: true for common shares. */
  reports: boolean;
  /** When a list first named it with its current values; null if none does. */
  listedAt: Instant | null;
  /** Symbols with the periods in which they meant this security; null is open-ended. */
  symbols: SymbolSpan[];
}

export interface SymbolSpan {
  symbol: string;
  from: LocalDate | null;
  to: LocalDate | null;
}

/**
 * Id of a security: a hash of its first known symbol, and of its CIK if another filer had that
 * symbol before.
 */
export function securityId(firstSymbol: string, laterHolderCik: string | null): string {
  const identity = laterHolderCik === null ? firstSymbol : `${firstSymbol}/${laterHolderCik}`;
  return `sec_${createHash('sha256').update(identity).digest('hex').slice(0, 20)}`;
}
