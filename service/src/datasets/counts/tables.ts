/** How the coverage of one data set is counted. */
export interface CoverageTable {
  dataset: string;
  table: string;
  /** Which rows count: those that stand. */
  counted: string;
  /** The day that rows are of; its index serves the first and the last one. */
  dateColumn: string | null;
  /**
   * Answers one row with how many symbols there are as `symbols`, by one look into an index for each
   * security; null where rows are about no symbols.
   */
  symbols: string | null;
  /** Fields of which the filled share is told: name and column or expression. */
  fields: readonly (readonly [name: string, expression: string])[];
}

const STANDING = 'known_to is null';

/** A look-up for each security, which the planner cannot turn into a scan. */
function securitiesIn(table: string): string {
  return `select count(*) as symbols from security s cross join lateral
            (select 1 from ${table} t where t.security_id = s.id and t.known_to is null limit 1) one`;
}

export const COVERAGE_TABLES: readonly CoverageTable[] = [
  {
    dataset: 'earnings',
    table: 'earnings_event',
    counted: STANDING,
    dateColumn: 'date',
    // By index earnings_event_by_security.
    symbols: securitiesIn('earnings_event'),
    fields: [
      ['time', `nullif("time", 'time-not-supplied')`],
      ['epsEstimate', 'eps_estimate'],
      ['eps', 'eps'],
      ['revenueEstimate', 'revenue_estimate'],
      ['revenue', 'revenue'],
      ['estimateCount', 'estimate_count'],
      ['epsYearAgo', 'eps_year_ago'],
      ['fiscalQuarter', 'fiscal_quarter'],
      ['reportedAt', 'reported_at'],
    ],
  },
  {
    dataset: 'economic-events',
    table: 'economic_event',
    counted: STANDING,
    dateColumn: 'date',
    symbols: null,
    fields: [
      ['scheduledAt', 'scheduled_at'],
      ['actual', 'actual'],
      ['consensus', 'consensus'],
      ['previous', 'previous'],
    ],
  },
  {
    dataset: 'ipos',
    table: 'ipo',
    counted: STANDING,
    dateColumn: 'date',
    // A scan of what stands: some thousands of rows.
    symbols: `select count(distinct symbol) as symbols from ipo where ${STANDING}`,
    fields: [
      ['symbol', 'symbol'],
      ['priceLow', 'price_low'],
      ['price', 'price'],
      ['shares', 'shares'],
      ['lockupExpiration', 'lockup_expiration'],
    ],
  },
  {
    dataset: 'dividends',
    table: 'dividend',
    counted: STANDING,
    dateColumn: 'ex_date',
    // By index dividend_by_security.
    symbols: securitiesIn('dividend'),
    fields: [
      ['amount', 'amount'],
      ['recordDate', 'record_date'],
      ['paymentDate', 'payment_date'],
      ['declarationDate', 'declaration_date'],
      ['frequency', 'frequency'],
    ],
  },
  {
    dataset: 'profiles',
    table: 'profile',
    counted: STANDING,
    dateColumn: null,
    // By index profile_current.
    symbols: securitiesIn('profile'),
    fields: [
      ['sector', `fields->>'sector'`],
      ['industry', `fields->>'industry'`],
      ['country', `fields->>'country'`],
      ['outstandingShares', `fields->>'outstandingShares'`],
      ['fiscalYearEnd', `fields->>'fiscalYearEnd'`],
    ],
  },
  {
    dataset: 'bars',
    table: 'price_bar',
    counted: 'held is null',
    dateColumn: 'date',
    // By the primary key, which begins with the symbol.
    symbols: `select count(distinct y.security_id) as symbols from security_symbol y
               cross join lateral
                 (select 1 from price_bar b where b.symbol = y.symbol limit 1) one`,
    fields: [['volume', 'volume']],
  },
  {
    dataset: 'splits',
    table: 'share_split',
    counted: 'true',
    dateColumn: 'date',
    // A scan of some thousands of rows.
    symbols: `select count(distinct symbol) as symbols from share_split`,
    fields: [],
  },
  {
    dataset: 'securities',
    table: 'security',
    counted: 'true',
    dateColumn: null,
    // A scan of one row a symbol, current or former.
    symbols: `select count(distinct symbol) as symbols from security_symbol`,
    fields: [
      ['cik', 'cik'],
      ['exchange', 'exchange'],
    ],
  },
];
