import { SESSION_MARKERS } from '../../datasets/earnings/observation.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import type { Profile } from '../../datasets/profiles/row.ts';
import type { Security } from '../../datasets/securities/row.ts';
import { type Decimal, decimalToNumber, wholeToNumber } from '../../domain/decimal.ts';
import { issuerOf } from '../../domain/issuer-name.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import {
  type BodyOf,
  choice,
  date,
  flag,
  instant,
  integer,
  list,
  named,
  nullable,
  number,
  symbol,
  text,
} from '../schema/fields.ts';
import { maybe } from './earnings-row.ts';
import type { LastClose } from './last-closes.ts';
import { provenanceField } from './provenance.ts';

export const SECURITY_TAGS = [
  'adr',
  'etf',
  'etn',
  'reit',
  'preferred',
  'warrant',
  'right',
  'unit',
  'spac',
] as const;

export const SECURITY_TYPES = ['equity', 'fund', 'non_equity', 'other'] as const;

/**
 * Maps provenance names to the response fields they cover, for names that differ from their fields.
 */
export const PROFILE_SOURCES = {
  exchange: ['exchange', 'mic'],
  country: ['country', 'countryCode', 'countryEmoji'],
  countryCode: ['country', 'countryCode', 'countryEmoji'],
  sicDescription: ['industry'],
  sharesOutstanding: ['outstandingShares', 'outstandingSharesAllClasses'],
};

export const formerSymbol = named('FormerSymbol', {
  symbol: symbol(),
  until: date('Last day under that symbol.'),
});

export const companyProfile = named('CompanyProfile', {
  symbol: symbol(),
  companyName: text('Issuer; the symbol if no source names it.'),
  cik: nullable(text('SEC filer number, ten digits.')),
  figi: nullable(text('Financial Instrument Global Identifier.')),
  exchange: nullable(text('Listing exchange.')),
  mic: nullable(text('ISO 10383 market identifier of the exchange.')),
  sector: nullable(text('Sector, in the terms of `classification`.')),
  industry: nullable(text('Industry.')),
  sicCode: nullable(text('Standard Industrial Classification code at the SEC.')),
  classification: choice(['sic', 'provider', 'operator'], 'Source of sector and industry.'),
  country: nullable(text('Country name in English.')),
  countryCode: nullable(text('ISO 3166-1 alpha-2.')),
  countryEmoji: nullable(text('Flag emoji.')),
  type: choice(SECURITY_TYPES, 'Kind of security.'),
  tags: list(choice(SECURITY_TAGS, 'Tag.'), 'Further properties of the security.'),
  currency: text('ISO 4217.'),
  price: nullable(number('Last official close in `currency`; null unless `priceDate` is known.')),
  priceDate: nullable(date('Date of that close; null if `price` is.')),
  outstandingShares: nullable(
    integer('Shares of this class; null if the source does not separate classes.'),
  ),
  outstandingSharesAllClasses: nullable(integer('Shares of all classes combined.')),
  sharesAsOf: nullable(date('Date of the share count.')),
  marketCap: nullable(
    number(
      'Market capitalization of all classes: the figure of a list since the last close, else ' +
        '`price` times all shares, or an older figure of a list if these are unknown.',
    ),
  ),
  averageVolume: nullable(integer('Mean volume of the last 20 sessions.')),
  active: nullable(
    flag('True if it is still listed; null with `asOf` if only price lists could confirm it.'),
  ),
  listDate: nullable(date('First day of trading.')),
  delistDate: nullable(date('Last day of trading.')),
  formerSymbols: list(formerSymbol, 'Former symbols.'),
  fiscalYearEnd: nullable(text('`MM-DD`.')),
  nextEarnings: nullable(
    named('NextEarnings', {
      date: date('New York day.'),
      time: choice(SESSION_MARKERS, 'Session.'),
      dateStatus: choice(['projected', 'confirmed', 'reported'], 'Certainty of the date.'),
    }),
  ),
  updatedAt: instant(
    'Time of the last observed change of any field except price and market capitalization.',
  ),
  provenance: provenanceField,
});

export type CompanyProfile = BodyOf<typeof companyProfile>;

export interface ProfileFacts {
  security: Pick<Security, 'symbol' | 'name' | 'cik'>;
  active: boolean | null;
  stored: Profile | null;
  prices: Prices;
  events: readonly EarningsEvent[];
  /** The next report; null if it is unknown. */
  next: EarningsEvent | null;
  updatedAt: Instant;
}

export function renderProfile({
  security,
  active,
  stored,
  prices,
  events,
  next,
  updatedAt,
}: ProfileFacts): CompanyProfile {
  const { price, priceDate, marketCap, averageVolume } = prices;
  const fields = stored?.fields;
  const named = events.find(({ name }) => name !== null)?.name ?? null;
  return {
    symbol: security.symbol,
    companyName: fields?.companyName ?? issuerOf(security.name) ?? named ?? security.symbol,
    cik: fields?.cik ?? security.cik,
    figi: null,
    exchange: fields?.exchange ?? null,
    mic: fields?.mic ?? null,
    sector: fields?.sector ?? null,
    industry: fields?.industry ?? null,
    sicCode: fields?.sicCode ?? null,
    classification: fields?.classification ?? 'provider',
    country: fields?.country ?? null,
    countryCode: fields?.countryCode ?? null,
    countryEmoji: fields?.countryEmoji ?? null,
    type: fields?.type ?? 'equity',
    tags: fields?.tags ?? [],
    currency: 'USD',
    price: maybe(price, decimalToNumber),
    priceDate,
    outstandingShares: maybe(fields?.outstandingShares ?? null, wholeToNumber),
    outstandingSharesAllClasses: maybe(fields?.outstandingSharesAllClasses ?? null, wholeToNumber),
    sharesAsOf: fields?.sharesAsOf ?? null,
    marketCap: maybe(marketCap, decimalToNumber),
    averageVolume: maybe(averageVolume, wholeToNumber),
    active,
    listDate: fields?.listDate ?? null,
    delistDate: fields?.delistDate ?? null,
    formerSymbols: fields?.formerSymbols ?? [],
    fiscalYearEnd: fields?.fiscalYearEnd ?? null,
    nextEarnings:
      next === null ? null : { date: next.date, time: next.time, dateStatus: next.dateStatus },
    updatedAt: formatInstant(updatedAt),
  };
}

export interface Prices extends LastClose {
  averageVolume: Decimal | null;
}

export const NO_PRICES: Prices = {
  price: null,
  priceDate: null,
  marketCap: null,
  averageVolume: null,
};
