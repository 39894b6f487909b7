import type { DatasetName } from '../provider.ts';
import { foldWord } from './cells.ts';

/** The columns of one kind of file, and how to recognize such a file. */
interface KindSpec {
  /** Other spellings of the columns, folded by `foldWord`. */
  spellings: Readonly<Record<string, readonly string[]>>;
  /** Columns without which a file is not recognized as this kind. */
  required: readonly string[];
  /** Columns of which a file must have at least one to be recognized as this kind. */
  distinctive: readonly string[];
  /** Columns that files of this kind often have and that are not used, folded. */
  unused?: readonly string[];
}

const SYMBOL = ['ticker', 'tickersymbol', 'stock', 'act_symbol', 'actsymbol'];
const COMPANY = ['company', 'companyname', 'issuer', 'securityname'];

/** The kinds in the order in which a file is compared with them. */
const KINDS: Readonly<Record<DatasetName, KindSpec>> = {
  earnings: {
    spellings: {
      symbol: SYMBOL,
      name: COMPANY,
      date: ['reportdate', 'earningsdate', 'announcementdate', 'releasedate', 'reportingdate'],
      time: ['reporttime', 'session', 'timing', 'when', 'releasetime', 'earningstime', 'hour'],
      dateStatus: ['status'],
      fiscalPeriodEnd: [
        'periodend',
        'periodending',
        'fiscalperiod',
        'fiscalquarterending',
        'fiscalquarterend',
        'fiscaldateending',
        'quarterend',
        'quarterending',
        'period',
      ],
      fiscalYear: ['fy', 'year'],
      fiscalQuarter: ['fq', 'quarter', 'qtr'],
      epsEstimate: [
        'epsest',
        'epsestimated',
        'estimatedeps',
        'epsconsensus',
        'consensuseps',
        'consensusepsforecast',
        'epsforecast',
        'epsexpected',
        'expectedeps',
        'epsmean',
      ],
      eps: ['epsactual', 'actualeps', 'reportedeps', 'epsreported'],
      epsYearAgo: ['epslastyear', 'lastyeareps', 'lastyearseps', 'yearagoeps', 'epsprioryear'],
      epsBasis: ['basis'],
      estimateCount: [
        'analysts',
        'analystcount',
        'numberofanalysts',
        'numanalysts',
        'numberofestimates',
        'noofests',
        'numestimates',
      ],
      revenueEstimate: [
        'revest',
        'revenueest',
        'revenueestimated',
        'estimatedrevenue',
        'revenueconsensus',
        'consensusrevenue',
        'revenueforecast',
        'expectedrevenue',
        'salesestimate',
      ],
      revenue: ['actualrevenue', 'revenueactual', 'reportedrevenue', 'revenuereported', 'sales'],
      reportedAt: ['releasedat', 'publishedat'],
      lastYearReportDate: ['lastyearrptdt', 'lastyeardate'],
      sourceUrl: ['url', 'link'],
    },
    required: ['symbol'],
    distinctive: [
      'epsEstimate',
      'eps',
      'epsYearAgo',
      'revenueEstimate',
      'revenue',
      'fiscalPeriodEnd',
      'reportedAt',
    ],
    unused: ['surprise', 'epssurprise', 'surprisepercent', 'surprisepct', 'revenuesurprise'],
  },
  profiles: {
    spellings: {
      symbol: SYMBOL,
      companyName: ['company', 'name', 'issuer', 'securityname', 'legalname'],
      sharesOutstanding: ['shares', 'sharesout', 'shareoutstanding'],
      sicCode: ['sic'],
      fiscalYearEnd: ['fye', 'yearend'],
      ipoYear: [],
      marketCap: ['marketcapitalization', 'mktcap'],
      price: ['lastsale', 'lastprice'],
      stateOrCountry: ['state'],
    },
    required: ['symbol'],
    distinctive: [
      'companyName',
      'sector',
      'industry',
      'sharesOutstanding',
      'sicCode',
      'fiscalYearEnd',
    ],
  },
  bars: {
    spellings: {
      symbol: SYMBOL,
      date: ['day', 'tradedate', 'tradingday', 'timestamp', 'datetime'],
      open: ['openprice', 'o'],
      high: ['highprice', 'h'],
      low: ['lowprice', 'l'],
      close: ['closeprice', 'closelast', 'c'],
      volume: ['vol', 'v', 'sharevolume'],
      basisDate: ['adjustedthrough'],
    },
    required: ['symbol'],
    distinctive: ['close'],
    unused: [
      'adjclose',
      'adjustedclose',
      'change',
      'changepercent',
      'changepct',
      'vwap',
      'vw',
      'n',
      'transactions',
      'openint',
      'openinterest',
      'dividends',
      'stocksplits',
    ],
  },
  splits: {
    spellings: {
      symbol: SYMBOL,
      date: ['splitdate', 'exdate', 'executiondate', 'effectivedate'],
      numerator: ['splitto', 'to'],
      denominator: ['splitfrom', 'from'],
      ratio: ['splitratio', 'stocksplits', 'split'],
    },
    required: ['symbol', 'date'],
    distinctive: ['numerator', 'ratio'],
  },
  'economic-events': {
    spellings: {
      eventName: ['event', 'name', 'release', 'indicator'],
      consensus: ['forecast', 'estimate', 'expected'],
      previous: ['prior'],
      importance: ['impact'],
      country: ['region'],
      sourceUrl: ['url', 'link'],
    },
    required: ['eventName', 'country', 'date'],
    distinctive: ['actual', 'consensus', 'previous', 'importance', 'measure'],
  },
  dividends: {
    spellings: {
      symbol: SYMBOL,
      name: COMPANY,
      exDate: ['exdividenddate', 'exdivdate', 'exeffdate', 'exdividend', 'exday'],
      recordDate: ['daterecord'],
      paymentDate: ['paydate', 'payabledate', 'paymentday'],
      declarationDate: ['declareddate', 'announcementdate', 'announceddate'],
      amount: ['dividend', 'dividendamount', 'cashamount', 'dividendrate'],
      indicatedAnnualAmount: ['annualdividend', 'indicatedannualdividend'],
      type: ['dividendtype'],
    },
    required: ['symbol', 'exDate'],
    distinctive: ['exDate'],
  },
  ipos: {
    spellings: {
      symbol: ['ticker', 'proposedtickersymbol', 'proposedsymbol'],
      companyName: ['company', 'name', 'issuer'],
      exchange: ['proposedexchange'],
      expectedDate: ['expectedpricedate', 'ipodate', 'date'],
      shares: ['sharesoffered', 'numberofshares'],
      price: ['offerprice', 'ipoprice'],
      dealSize: ['offeramount', 'dollarvalueofsharesoffered'],
      filedDate: ['filingdate', 'datefiled'],
    },
    required: ['companyName', 'status'],
    distinctive: [
      'expectedDate',
      'priceLow',
      'dealSize',
      'offeringType',
      'pricedDate',
      'filedDate',
    ],
  },
  securities: {
    spellings: {
      symbol: SYMBOL,
      name: ['company', 'companyname', 'title', 'securityname'],
      cik: ['cikstr', 'ciknumber'],
      exchange: ['listingexchange'],
    },
    required: ['symbol'],
    distinctive: ['cik', 'exchange', 'name'],
  },
};

export const FILE_KINDS = Object.keys(KINDS) as DatasetName[];

/** Column headers that number the rows. */
const ROW_NUMBERS: ReadonlySet<string> = new Set(['', 'index', 'rownumber', 'unnamed0']);

/** Returns the required columns that are not among those present. */
export function missingColumns(kind: DatasetName, present: readonly string[]): string[] {
  return KINDS[kind].required.filter((column) => !present.includes(column));
}

/** Headers that files of several kinds have. */
const GENERIC_HEADERS: ReadonlySet<string> = new Set([
  'name',
  'date',
  'title',
  'company',
  'issuer',
  'securityname',
]);

/** The columns of a file, by header as written. */
export interface ColumnMap {
  /** Column name by header; null for a header that is not used. Unknown headers are absent. */
  names: ReadonlyMap<string, string | null>;
  unknown: readonly string[];
}

/**
 * Assigns the headers of a file to the columns of a kind. A header with the column's own name takes
 * precedence over other spellings; case and punctuation do not matter. A second header for a column
 * is unknown, because nothing shows which one is meant.
 */
export function mapColumns(
  kind: DatasetName,
  headers: readonly string[],
  columns: readonly string[],
  overrides: ReadonlyMap<string, string | null>,
): ColumnMap {
  const names = new Map<string, string | null>();
  const isTaken = (column: string) => [...names.values()].includes(column);
  for (const header of headers) {
    const override = overrides.get(foldWord(header));
    if (override !== undefined) names.set(header, override);
  }
  for (const columnOf of [ownName(columns), spelling(kind, columns)]) {
    for (const header of headers) {
      const column = columnOf(foldWord(header));
      if (column !== undefined && !names.has(header) && !isTaken(column)) names.set(header, column);
    }
  }
  const unused = new Set(KINDS[kind].unused ?? []);
  for (const header of headers) {
    const folded = foldWord(header);
    if (names.has(header)) continue;
    if (unused.has(folded) || ROW_NUMBERS.has(folded)) names.set(header, null);
  }
  return { names, unknown: headers.filter((header) => !names.has(header)) };
}

/**
 * Returns the kind of a file with these headers, or null if it cannot be recognized. `constants`
 * are columns with the same value in every row.
 */
export function kindOfColumns(
  headers: readonly string[],
  constants: readonly string[],
): DatasetName | null {
  const names = new Set([...headers, ...constants].map(foldWord));
  const kind = FILE_KINDS.find((candidate) => {
    const { required, distinctive, spellings } = KINDS[candidate];
    const spellingsOf = (column: string) => [foldWord(column), ...(spellings[column] ?? [])];
    return (
      required.every((column) => spellingsOf(column).some((name) => names.has(name))) &&
      distinctive.flatMap(spellingsOf).some((name) => names.has(name) && !GENERIC_HEADERS.has(name))
    );
  });
  return kind ?? (names.has('symbol') && names.has('name') ? 'securities' : null);
}

type ColumnOf = (folded: string) => string | undefined;

function ownName(columns: readonly string[]): ColumnOf {
  const byName = new Map(columns.map((column) => [foldWord(column), column]));
  return (folded) => byName.get(folded);
}

function spelling(kind: DatasetName, columns: readonly string[]): ColumnOf {
  const { spellings } = KINDS[kind];
  const bySpelling = new Map(
    columns.flatMap((column) => (spellings[column] ?? []).map((other) => [other, column] as const)),
  );
  return (folded) => bySpelling.get(folded);
}
