import { createHash } from 'node:crypto';
import type { Instant } from '../../platform/instant.ts';
import type { LocalDate } from '../../domain/local-date.ts';

/** One listed security. Its id outlives its symbol. */
export interface Security {
  /** `sec_` and a hash of the first symbol it was known by; equal in every store. */
  id: string;
  /** The symbol it trades under, or traded under last. */
  symbol: string;
  /** Filer number at the SEC, ten digits; null when no list names it. */
  cik: string | null;
  name: string | null;
  exchange: string | null;
  /** False when lists of its filer have stopped naming it. */
  active: boolean;
  /** Whether the filer's reports are this security's: true for common shares. */
  reports: boolean;
  /** When a list first named it as it stands; null when no list does. */
  listedAt: Instant | null;
  /** Symbols with the days on which they meant this security; null is open. */
  symbols: SymbolSpan[];
}

export interface SymbolSpan {
  symbol: string;
  from: LocalDate | null;
  to: LocalDate | null;
}

/**
 * The id of a security: a hash of its first known symbol, and of its filer when an earlier filer
 * had held that symbol before.
 */
export function securityId(firstSymbol: string, laterHolderCik: string | null): string {
  const identity = laterHolderCik === null ? firstSymbol : `${firstSymbol}/${laterHolderCik}`;
  return `sec_${createHash('sha256').update(identity).digest('hex').slice(0, 20)}`;
}
