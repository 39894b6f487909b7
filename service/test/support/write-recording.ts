import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A recorded response to write into a folder. Missing properties have defaults. */
export interface Recording {
  /** Folder for `meta.json` and the body, relative to the root. */
  path: string;
  url: string;
  /** Text, bytes, or a value to write as JSON. */
  body: unknown;
  recordedAt?: string | null;
  status?: number;
  contentType?: string;
  gzip?: boolean;
  /** Overwrites properties of `meta.json`. */
  meta?: object;
}

export function writeRecording(root: string, recording: Recording): void {
  const { body, gzip = false } = recording;
  const bytes =
    typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const folder = join(root, recording.path);
  const file = gzip ? 'body.gz' : 'body';
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), gzip ? gzipSync(bytes) : bytes);
  const meta = {
    method: 'GET',
    url: recording.url,
    status: recording.status ?? 200,
    content_type: recording.contentType ?? 'application/json',
    recorded_at: recording.recordedAt === undefined ? '2026-02-10T12:00:00Z' : recording.recordedAt,
    body_file: file,
    body_stored_encoding: gzip ? 'gzip' : 'identity',
    ...recording.meta,
  };
  writeFileSync(join(folder, 'meta.json'), JSON.stringify(meta, null, 1));
}

export function calendarUrl(date: string): string {
  return `https://api.nasdaq.com/api/calendar/earnings?date=${date}`;
}

/** Returns a calendar row for an upcoming report. */
export function upcomingRow(symbol: string, fields: object = {}): object {
  return {
    lastYearRptDt: '2/20/2025',
    lastYearEPS: '$1.10',
    time: 'time-after-hours',
    symbol,
    name: `${symbol} Tools, Inc.`,
    marketCap: '$4,076,153,012',
    fiscalQuarterEnding: 'Dec/2025',
    epsForecast: '$1.25',
    noOfEsts: '7',
    ...fields,
  };
}

/** Returns a calendar row for a past report. */
export function pastRow(symbol: string, fields: object = {}): object {
  return {
    eps: '$1.30',
    surprise: '4',
    time: 'time-not-supplied',
    symbol,
    name: `${symbol} Tools, Inc.`,
    marketCap: '$4,100,000,000',
    fiscalQuarterEnding: 'Dec/2025',
    epsForecast: '$1.25',
    noOfEsts: '7',
    ...fields,
  };
}

export function screenerUrl(exchange: string): string {
  const query = `tableonly=true&limit=25&offset=0&exchange=${exchange}&download=true`;
  return `https://api.nasdaq.com/api/screener/stocks?${query}`;
}

export function screenerRow(symbol: string, fields: object = {}): object {
  return {
    symbol,
    name: `${symbol} Tools Inc. Common Stock`,
    lastsale: '$30.35',
    netchange: '0.88',
    pctchange: '1.938%',
    volume: '526308',
    marketCap: '4076153012.00',
    country: 'United States',
    ipoyear: '1999',
    industry: 'Industrial Machinery',
    sector: 'Industrials',
    url: `/market-activity/stocks/${symbol.toLowerCase()}`,
    ...fields,
  };
}

/** Returns the JSON envelope around calendar and screener rows. */
export function envelope(rows: unknown): object {
  return {
    data: { asOf: null, headers: {}, rows },
    message: null,
    status: { rCode: 200, bCodeMessage: null, developerMessage: null },
  };
}

export const TICKERS_URL = 'https://www.sec.gov/files/company_tickers_exchange.json';

export function tickers(...rows: [cik: number, name: string, ticker: string][]): object {
  return {
    fields: ['cik', 'name', 'ticker', 'exchange'],
    data: rows.map((row) => [...row, 'NYSE']),
  };
}

export function submissionsUrl(cik: string): string {
  return `https://data.sec.gov/submissions/CIK${cik}.json`;
}

/**
 * Returns a filer's submissions with an 8-K that reports results at each of these instants. The
 * fiscal year is the calendar year.
 */
export function submissions(cik: string, ticker: string, acceptedAt: readonly string[]): object {
  const days = acceptedAt.map((instant) => instant.slice(0, 10));
  return {
    cik,
    entityType: 'operating',
    sic: '3423',
    sicDescription: 'Cutlery & Handtools',
    name: `${ticker} Tools Inc`,
    tickers: [ticker],
    exchanges: ['NYSE'],
    fiscalYearEnd: '1231',
    addresses: { business: { stateOrCountry: 'OR', stateOrCountryDescription: 'OR' } },
    formerNames: [],
    filings: {
      recent: {
        accessionNumber: days.map((_, index) => `${cik}-26-${String(index + 1).padStart(6, '0')}`),
        filingDate: days,
        reportDate: days,
        acceptanceDateTime: acceptedAt,
        form: days.map(() => '8-K'),
        items: days.map(() => '2.02,9.01'),
      },
      files: [],
    },
  };
}

export function companyfactsUrl(cik: string): string {
  return `https://data.sec.gov/api/xbrl/companyfacts/CIK${cik}.json`;
}

/** Returns quarterly revenue in whole dollars, as facts from 10-Q filings. */
export function companyfacts(
  cik: string,
  quarters: readonly { start: string; end: string; fp: string; revenue: number }[],
): object {
  const usd = quarters.map(({ start, end, fp, revenue }, index) => {
    const fy = Number(end.slice(0, 4));
    const accn = `${cik}-26-${String(index + 100).padStart(6, '0')}`;
    return { start, end, val: revenue, accn, fy, fp, form: '10-Q', filed: end };
  });
  return {
    cik: Number(cik),
    entityName: 'Tools Inc',
    facts: { 'us-gaap': { Revenues: { label: 'x', description: 'x', units: { USD: usd } } } },
  };
}
