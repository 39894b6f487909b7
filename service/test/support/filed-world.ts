import { addDays, addMonths, type LocalDate, localDate } from '../../src/domain/local-date.ts';
import { newYorkInstant } from '../../src/domain/new-york.ts';
import { formatInstant, type Instant } from '../../src/platform/instant.ts';
import type { Random } from '../../src/platform/random.ts';
import type { SourceResponse } from '../../src/providers/provider.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import { companyfactsUrl, submissionsUrl, tickers, TICKERS_URL } from './write-recording.ts';

/** Made-up companies with years of filings, all of them fetched long after they were filed. */
export interface FiledWorld {
  symbols: string[];
  /** One list of filers, and each filer's submissions and XBRL facts. */
  responses: SourceResponse[];
  /** Acceptance times of the results filings, by symbol. */
  acceptedAt: Map<string, Instant[]>;
  /**
   * The first instant at which a figure was public, by symbol, period end and value: `NRTH
   * 2011-03-31 1234000`.
   */
  publicAt: Map<string, Instant>;
}

const FIRST_YEAR = 2009;
const YEARS = 5;
const DAY_MINUTES = { from: 6 * 60, to: 22 * 60 - 1 };
const EVENING_MINUTE = 17 * 60 + 30;
/** One in this number of comparative figures is restated. */
const RESTATED_ONE_IN = 3;

interface Fact {
  start: LocalDate;
  end: LocalDate;
  val: number;
  accn: string;
  fy: number;
  fp: string;
  form: string;
  filed: LocalDate;
  /** Acceptance time of the filing, which is not part of the facts. */
  acceptedAt: Instant;
}

interface Company {
  symbol: string;
  cik: string;
  filings: { accession: string; acceptedAt: Instant; date: LocalDate; cover: LocalDate }[];
  revenue: Fact[];
  eps: Fact[];
}

/** Every figure has a value of its own, so that a value shows the filing it was read from. */
export function filedWorld(
  random: Random,
  { symbols, fetchedAt }: { symbols: string[]; fetchedAt: Instant },
): FiledWorld {
  let count = 1000;
  const nextValue = (): number => (count += 1 + random.int(3));
  const companies = symbols.map((symbol, index) => {
    const cik = String(9_990_100 + index).padStart(10, '0');
    return companyOf(random, nextValue, symbol, cik);
  });
  const publicAt = new Map<string, Instant>();
  for (const company of companies) addFigures(publicAt, company);
  const respond = (url: string, body: object, minutes: number): SourceResponse =>
    createSourceResponse({
      url,
      status: 200,
      contentType: 'application/json',
      observedAt: fetchedAt + minutes * 60_000,
      text: JSON.stringify(body),
    });
  const list = tickers(
    ...companies.map(({ symbol, cik }): [number, string, string] => [Number(cik), symbol, symbol]),
  );
  return {
    symbols,
    responses: [
      respond(TICKERS_URL, list, 0),
      ...companies.flatMap((company, index) => [
        respond(submissionsUrl(company.cik), submissionsOf(company), 1 + index),
        respond(companyfactsUrl(company.cik), factsOf(company), 30 + index),
      ]),
    ],
    acceptedAt: new Map(
      companies.map(({ symbol, filings }) => [symbol, filings.map((filing) => filing.acceptedAt)]),
    ),
    publicAt,
  };
}

function companyOf(random: Random, nextValue: () => number, symbol: string, cik: string): Company {
  const company: Company = { symbol, cik, filings: [], revenue: [], eps: [] };
  const known = new Map<string, number>();
  const lagDays = 18 + random.int(14);
  for (let index = 0; index < YEARS * 4; index += 1) {
    const [year, quarter] = [FIRST_YEAR + Math.floor(index / 4), (index % 4) + 1];
    const yearStart = localDate(`${year}-01-01`);
    const start = addMonths(yearStart, (quarter - 1) * 3);
    const end = addDays(addMonths(start, 3), -1);
    const number = String(index + 1).padStart(6, '0');
    const cover = weekday(addDays(end, lagDays + random.int(5)));
    const minute = DAY_MINUTES.from + random.int(DAY_MINUTES.to - DAY_MINUTES.from);
    company.filings.push({
      accession: `${cik}-${String(year).slice(2)}-${number}`,
      acceptedAt: newYorkInstant(cover, minute) + random.int(60_000),
      date: minute >= EVENING_MINUTE ? weekday(addDays(cover, 1)) : cover,
      cover,
    });
    const filed = weekday(addDays(cover, random.int(12)));
    const isAnnual = quarter === 4;
    const about = {
      accn: `${cik}-${String(year).slice(2)}-1${number.slice(1)}`,
      fy: year,
      fp: isAnnual ? 'FY' : `Q${quarter}`,
      form: isAnnual ? '10-K' : '10-Q',
      filed,
      acceptedAt: newYorkInstant(
        filed,
        DAY_MINUTES.from + random.int(EVENING_MINUTE - DAY_MINUTES.from),
      ),
    };
    const add = (kind: 'revenue' | 'eps', from: LocalDate, to: LocalDate, val: number): void => {
      known.set(`${kind} ${from} ${to}`, val);
      company[kind].push({ start: from, end: to, val, ...about });
    };
    const repeat = (from: LocalDate, to: LocalDate): void => {
      const earlier = known.get(`revenue ${from} ${to}`);
      if (earlier === undefined) return;
      add('revenue', from, to, random.int(RESTATED_ONE_IN) === 0 ? nextValue() * 1000 : earlier);
    };
    const before = addMonths(yearStart, -12);
    if (isAnnual) {
      add('revenue', yearStart, end, nextValue() * 10_000);
      repeat(before, addDays(yearStart, -1));
    } else {
      add('revenue', start, end, nextValue() * 1000);
      add('eps', start, end, nextValue() / 100);
      repeat(addMonths(start, -12), addDays(addMonths(start, -9), -1));
    }
    if (quarter === 3) {
      add('revenue', yearStart, end, nextValue() * 3000);
      repeat(before, addDays(addMonths(before, 9), -1));
    }
  }
  return company;
}

/** Moves a weekend to Monday. */
function weekday(day: LocalDate): LocalDate {
  const index = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, index === 6 ? 2 : index === 0 ? 1 : 0);
}

/** Adds when each figure was filed, and when a fourth quarter could be computed. */
function addFigures(publicAt: Map<string, Instant>, { symbol, revenue, eps }: Company): void {
  const add = (end: LocalDate, value: number, at: Instant): void => {
    const key = `${symbol} ${end} ${value}`;
    publicAt.set(key, Math.min(publicAt.get(key) ?? Infinity, at));
  };
  for (const { end, val, acceptedAt } of [...revenue, ...eps]) add(end, val, acceptedAt);
  for (const year of revenue.filter(({ fp }) => fp === 'FY')) {
    for (const part of revenue) {
      if (part.start !== year.start || part.end >= year.end) continue;
      add(year.end, year.val - part.val, Math.max(part.acceptedAt, year.acceptedAt));
    }
  }
}

function submissionsOf({ symbol, cik, filings, revenue }: Company): object {
  const results = filings.map((filing) => {
    return { ...filing, filed: filing.date, form: '8-K', items: '2.02,9.01' };
  });
  const reports = [...new Map(revenue.map((fact) => [fact.accn, fact])).values()].map((fact) => {
    return { ...fact, accession: fact.accn, cover: fact.end, items: '' };
  });
  const rows = [...results, ...reports];
  return {
    cik,
    entityType: 'operating',
    sic: '3423',
    sicDescription: 'Cutlery & Handtools',
    name: `${symbol} Tools Inc`,
    tickers: [symbol],
    exchanges: ['NYSE'],
    fiscalYearEnd: '1231',
    addresses: { business: { stateOrCountry: 'OR', stateOrCountryDescription: 'OR' } },
    formerNames: [],
    filings: {
      recent: {
        accessionNumber: rows.map(({ accession }) => accession),
        filingDate: rows.map(({ filed }) => filed),
        reportDate: rows.map(({ cover }) => cover),
        acceptanceDateTime: rows.map(({ acceptedAt }) =>
          formatInstant(acceptedAt).replace('Z', '+00:00'),
        ),
        form: rows.map(({ form }) => form),
        items: rows.map(({ items }) => items),
      },
      files: [],
    },
  };
}

function factsOf({ cik, revenue, eps }: Company): object {
  const concept = (unit: string, facts: readonly Fact[]): object => ({
    label: 'x',
    description: 'x',
    units: { [unit]: facts.map(({ acceptedAt: _at, ...fact }) => fact) },
  });
  return {
    cik: Number(cik),
    entityName: 'Tools Inc',
    facts: {
      'us-gaap': {
        Revenues: concept('USD', revenue),
        EarningsPerShareDiluted: concept('USD/shares', eps),
      },
    },
  };
}
