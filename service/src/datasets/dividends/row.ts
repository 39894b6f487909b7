import { createHash } from 'node:crypto';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { DividendFrequency, DividendStatus, DividendType } from './observation.ts';

/** The canonical facts of one dividend. Amounts are decimal text in whole units. */
export interface Dividend {
  /**
   * `div_` and a hash of the security and the first reported ex-date. Stays the same when dates are
   * corrected.
   */
  id: string;
  securityId: string;
  symbol: string;
  name: string | null;
  exDate: LocalDate;
  recordDate: LocalDate | null;
  paymentDate: LocalDate | null;
  declarationDate: LocalDate | null;
  /** Declared amount per share. */
  amount: string | null;
  /** The amount on today's share basis. */
  splitAdjustedAmount: string | null;
  currency: string;
  type: DividendType;
  frequency: DividendFrequency | null;
  annualizedAmount: string | null;
  status: DividendStatus;
  flags: DividendFlag[];
  provenance: Record<string, { provider: string; feed: string; seenAt: Instant }>;
  /** Time of the observation that last changed any field above. */
  updatedAt: Instant;
}

/**
 * Reason why the usual order of dates does not apply. `due-bill`: a large dividend that goes ex on
 * the trading day after its payment. `foreign`: paid under another market's rules.
 */
export const DIVIDEND_FLAGS = ['due-bill', 'foreign'] as const;
export type DividendFlag = (typeof DIVIDEND_FLAGS)[number];

export function dividendId(securityId: string, anchor: string): string {
  const hash = createHash('sha256').update(`${securityId}/${anchor}`).digest('hex');
  return `div_${hash.slice(0, 20)}`;
}
