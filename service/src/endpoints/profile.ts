import { loadBars } from '../datasets/bars/load.ts';
import { ALL_BARS_TOPIC, barsTopicOf } from '../datasets/bars/topics.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadMarketOverrides, MARKET_OVERRIDES_TOPIC } from '../datasets/market-overrides/store.ts';
import { loadPublicProfile } from '../datasets/profiles/load-public.ts';
import { loadProfiles } from '../datasets/profiles/store.ts';
import type { Profile } from '../datasets/profiles/row.ts';
import { datasets } from '../datasets/registry.gen.ts';
import { isMissingFromLists } from '../datasets/quotes/store.ts';
import { isMissingFromFilerList } from '../datasets/securities/filer-list.ts';
import { publicIdentity } from '../datasets/securities/public-identity.ts';
import type { Security } from '../datasets/securities/row.ts';
import { firstSeenAt } from '../datasets/source-records/first-seen.ts';
import { meanVolume } from '../domain/average-volume.ts';
import { type Decimal, decimalToNumber, wholeToNumber } from '../domain/decimal.ts';
import { roundFraction } from '../domain/fraction.ts';
import { issuerOf } from '../domain/issuer-name.ts';
import type { LocalDate } from '../domain/local-date.ts';
import { marketCalendar, type MarketCalendar } from '../domain/market/calendar.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import { compareText } from '../platform/compare.ts';
import { formatInstant, type Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import type { Endpoint } from './endpoint.ts';
import { maybe, SESSION_MARKERS } from './rows/earnings-row.ts';
import { findSecurity } from './rows/find-security.ts';
import { type LastClose, loadLastCloses, SESSIONS_BACK } from './rows/last-closes.ts';
import { earningsGaps, loadKnownEarnings } from './rows/known-earnings.ts';
import {
  gapsAt,
  isPublic,
  pointInTimeOf,
  storeInstantOf,
  withPastReads,
} from './rows/past-reads.ts';
import {
  includeParameter,
  provenanceField,
  securityEntityKeys,
  withProvenance,
} from './rows/provenance.ts';
import { profileExample } from './rows/profile-example.ts';
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
} from './schema/fields.ts';

const TAGS = [
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

/**
 * Maps provenance names to the response fields they cover, for names that differ from their fields.
 */
const SOURCES = {
  exchange: ['exchange', 'mic'],
  country: ['country', 'countryCode', 'countryEmoji'],
  countryCode: ['country', 'countryCode', 'countryEmoji'],
  sicDescription: ['industry'],
  sharesOutstanding: ['outstandingShares', 'outstandingSharesAllClasses'],
};

const profile = named('CompanyProfile', {
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
  type: choice(['equity', 'fund', 'non_equity', 'other'], 'Kind of security.'),
  tags: list(choice(TAGS, 'Tag.'), 'Further properties of the security.'),
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
  formerSymbols: list(
    named('FormerSymbol', { symbol: symbol(), until: date('Last day under that symbol.') }),
    'Former symbols.',
  ),
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

type ProfileBody = BodyOf<typeof profile>;

export const endpoint: Endpoint = withPastReads({
  name: 'profile',
  path: '/v1/profile/{symbol}',
  summary: 'Company profile',
  describe:
    'The company behind a symbol: sector, industry, country, type, price, shares, market ' +
    'capitalization, next report. A former symbol returns 404 with `successorSymbol`. With ' +
    '`asOf`, price, market capitalization and average volume are null, because their history ' +
    'is not kept.',
  tag: 'companies',
  parameters: [
    {
      name: 'symbol',
      in: 'path',
      kind: 'symbol',
      required: true,
      describe: 'Ticker symbol, such as `AAPL` or `BRK.B`.',
    },
    includeParameter,
  ],
  response: profile,
  example: profileExample satisfies ProfileBody,
  datasets: ['profiles', 'securities', 'bars'],
  historicalAccess: false,
  topics: (values) => [
    `profile:${values.symbol('symbol')}`,
    `security:${values.symbol('symbol')}`,
    barsTopicOf(values.symbol('symbol')),
    ALL_BARS_TOPIC,
    MARKET_OVERRIDES_TOPIC,
  ],
  validUntil: (_, now) => nextNewYorkMidnight(now),
  maxAgeSeconds: () => 3600,
  async handle(values, { db, now }) {
    const point = pointInTimeOf(values, now);
    const { at, today } = point;
    const holder = await findSecurity(db, values.symbol('symbol'), point);
    if ('kind' in holder) return holder;
    const security = isPublic(point) ? publicIdentity(holder, today) : holder;
    const stored = isPublic(point)
      ? await loadPublicProfile(db, holder, point.at)
      : ((await loadProfiles(db, [security.id], at))[0] ?? null);
    const market = marketCalendar((await loadMarketOverrides(db, at)).overrides);
    const known = await loadKnownEarnings(db, holder, point, market);
    const { events } = known;
    if (isPublic(point) && stored === null && events.length === 0) {
      const { symbol: ticker } = security;
      return { kind: 'unknown-symbol', symbol: ticker, suggestions: [], successorSymbol: null };
    }
    const prices = at === null ? await loadPrices(db, security, { today, market }) : NO_PRICES;
    const next = nextReport(events, today);
    // Includes released reports, because a release changes which report is the next one.
    const newest = Math.max(stored?.updatedAt ?? 0, ...events.map((event) => event.updatedAt));
    const updatedAt = newest > 0 ? newest : await firstKnownAt(db, security, at);
    const active = isPublic(point) ? null : await isActive(db, security, at);
    const base = render({ security, active, stored, prices, events, next, updatedAt });
    const rows = stored === null ? [] : [stored];
    const entityKeysOf = securityEntityKeys(db, rows, storeInstantOf(point));
    const query = { dataset: 'profiles', rows, fields: SOURCES, entityKeysOf };
    const [body] = await withProvenance(db, values, query, [base]);
    const profileGaps = gapsAt(point, ['profiles'], stored === null ? null : stored.updatedAt);
    const knownGaps = [...profileGaps, ...earningsGaps(point, known)];
    return { kind: 'body', body, asOf: updatedAt, knownGaps };
  },
});

/**
 * Checks whether a security is still listed. Price lists have no history, so the result for a symbol
 * that appears only in these is null at a past instant. `isListed` has the same rules in SQL.
 */
async function isActive(
  db: Queryable,
  security: Security,
  at: Instant | null,
): Promise<boolean | null> {
  const { symbol, cik, active } = security;
  if (!active || (cik !== null && at !== null)) return active;
  if (cik !== null) return !(await isMissingFromFilerList(db, { symbol, cik }));
  return at === null ? !(await isMissingFromLists(db, symbol)) : null;
}

/**
 * Returns the time of the first observation of a company, used if neither lists nor reports have
 * one.
 */
async function firstKnownAt(
  db: Queryable,
  { symbols }: Security,
  at: Instant | null,
): Promise<Instant> {
  const subjects = symbols.map(({ symbol }) => symbol);
  const names = datasets.map(({ name }) => name);
  return (await firstSeenAt(db, { datasets: names, entityKeys: subjects }, at)) ?? 0;
}

interface ProfileFacts {
  security: Security;
  active: boolean | null;
  stored: Profile | null;
  prices: Prices;
  events: readonly EarningsEvent[];
  /** The next report; null if it is unknown. */
  next: EarningsEvent | null;
  updatedAt: Instant;
}

function render({
  security,
  active,
  stored,
  prices,
  events,
  next,
  updatedAt,
}: ProfileFacts): ProfileBody {
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

interface Prices extends LastClose {
  averageVolume: Decimal | null;
}

const NO_PRICES: Prices = { price: null, priceDate: null, marketCap: null, averageVolume: null };

async function loadPrices(
  db: Queryable,
  { id, symbol: ticker }: Security,
  { today, market }: { today: LocalDate; market: MarketCalendar },
): Promise<Prices> {
  const securities = [{ securityId: id, symbol: ticker }];
  const closes = await loadLastCloses(db, securities, { today, market });
  const from = market.addTradingDays(today, -SESSIONS_BACK);
  const bars = (await loadBars(db, [id], { from, to: today, basis: today })).get(id)?.bars ?? [];
  const last = bars.at(-1);
  const mean = last === undefined ? null : meanVolume(bars, market, last.date);
  const averageVolume = maybe(mean, (volume) => roundFraction(volume, 0));
  return { ...NO_PRICES, ...closes.get(id), averageVolume };
}

/** Returns the earliest unreleased report dated today or later, or null if there is none. */
function nextReport(events: readonly EarningsEvent[], today: LocalDate): EarningsEvent | null {
  const ahead = events
    .filter(({ date: day, dateStatus }) => day >= today && dateStatus !== 'reported')
    .toSorted((a, b) => compareText(a.date, b.date) || compareText(a.id, b.id));
  return ahead[0] ?? null;
}
