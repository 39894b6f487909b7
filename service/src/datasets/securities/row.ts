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
  /** Earlier filers of the same company, whose reports belong to this security. */
  formerCiks: string[];
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
  /**
   * Distinct names of the company while it held the symbol, oldest first. Absent if no
   * source gave one, and in securities that an earlier release stored.
   */
  names?: string[];
  /** True if two of the names have little in common; absent otherwise. */
  isCompanyRenamed?: true;
  /** True if another symbol had the same company name; absent otherwise. */
  hasNamesake?: true;
  /** The id of the renamed security, as long as nothing had shown the renaming to this symbol. */
  earlierId?: EarlierId;
}

export interface EarlierId {
  id: string;
  until: Instant;
}

/** Returns the filers whose reports belong to a security, the current one first. */
export function filersOf({ cik, formerCiks }: Security): string[] {
  return cik === null ? formerCiks : [cik, ...formerCiks];
}

/** Returns the earlier ids of a security by symbol. */
export function earlierIdsOf({ symbols }: Security): Map<string, EarlierId> {
  return new Map(
    symbols.flatMap(({ symbol, earlierId }) =>
      earlierId === undefined ? [] : [[symbol, earlierId]],
    ),
  );
}

/**
 * Returns the id of a security: a hash of its first known symbol, and of the company's name if
 * another company had that symbol before.
 */
export function securityId(firstSymbol: string, laterHolder: string | null): string {
  const identity = laterHolder === null ? firstSymbol : `${firstSymbol}/${laterHolder}`;
  return `sec_${createHash('sha256').update(identity).digest('hex').slice(0, 20)}`;
}
