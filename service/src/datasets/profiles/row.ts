import type { SecurityTag, SecurityType } from '../../domain/security-type.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';

/** The versioned facts of a listed company. Prices and market caps are stored separately. */
export interface Profile {
  securityId: string;
  symbol: string;
  fields: ProfileFields;
  provenance: Record<string, { provider: string; feed: string; seenAt: Instant }>;
  updatedAt: Instant;
}

export interface ProfileFields {
  companyName: string | null;
  cik: string | null;
  exchange: string | null;
  mic: string | null;
  sector: string | null;
  industry: string | null;
  sicCode: string | null;
  classification: 'sic' | 'provider' | 'operator';
  country: string | null;
  countryCode: string | null;
  countryEmoji: string | null;
  type: SecurityType;
  tags: SecurityTag[];
  /**
   * Decimal text; null for a company with several classes, because its cover page counts them
   * together.
   */
  outstandingShares: string | null;
  outstandingSharesAllClasses: string | null;
  sharesAsOf: LocalDate | null;
  active: boolean;
  listDate: LocalDate | null;
  delistDate: LocalDate | null;
  formerSymbols: { symbol: string; until: LocalDate }[];
  /** `MM-DD`. */
  fiscalYearEnd: string | null;
}
