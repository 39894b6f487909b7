import { createHash } from 'node:crypto';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { IpoStatus, OfferingType } from './observation.ts';

/** The canonical facts of one offering. Amounts and shares are decimal text in whole units. */
export interface Ipo {
  /** `ipo_` and a hash of the deal's first reported key. */
  id: string;
  /** Folded company name under which the deal was first reported. */
  subject: string;
  symbol: string | null;
  companyName: string;
  exchange: string | null;
  mic: string | null;
  /** Pricing date, expected or actual; null until a source provides one. */
  date: LocalDate | null;
  dateStatus: IpoDateStatus;
  status: IpoStatus;
  offeringType: OfferingType | null;
  priceLow: string | null;
  priceHigh: string | null;
  /** Final price; null until priced. */
  price: string | null;
  shares: string | null;
  dealSize: string | null;
  currency: string;
  filedDate: LocalDate | null;
  pricedDate: LocalDate | null;
  withdrawnDate: LocalDate | null;
  underwriters: string[];
  lockupExpiration: LocalDate | null;
  cik: string | null;
  filingUrl: string | null;
  provenance: Record<string, { provider: string; feed: string; seenAt: Instant }>;
  /** Time of the observation that last changed any field above. */
  updatedAt: Instant;
}

export const IPO_DATE_STATUSES = ['expected', 'confirmed', 'week-of', 'unknown'] as const;
export type IpoDateStatus = (typeof IPO_DATE_STATUSES)[number];

export function ipoId(dealName: string): string {
  return `ipo_${createHash('sha256').update(dealName).digest('hex').slice(0, 20)}`;
}
