import { onTradingDays, seasonal } from '../../domain/market/due-times.ts';
import { toStorableText } from '../kit/clean-text.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { joinParsed } from '../kit/read-rows.ts';
import {
  type BadRow,
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readObject } from './response-body.ts';
import {
  cikSubject,
  DATA_HOST,
  edgarRequest,
  isResponseFrom,
  knownCiks,
  parseCik,
} from './edgar.ts';
import { zipFilings } from './filings/filing-columns.ts';
import { readPeriodicReports } from './filings/periodic-reports.ts';
import { readResultsFilings } from './filings/results-filing.ts';
import { readSecurities } from './filer/securities-row.ts';
import { readProfile } from './filer/profile.ts';

/**
 * Filings are published before the open and after the close. They are fetched twice as often in
 * earnings season.
 */
const FILINGS = seasonal(
  onTradingDays(
    '06:45',
    '07:15',
    '07:45',
    '08:15',
    '08:45',
    'open+5',
    '12:00',
    'close+20',
    'close+45',
    'close+75',
    'close+105',
    'close+165',
    '22:05',
  ),
  onTradingDays('open+5', '12:00', 'close+45', 'close+165', '22:05'),
);

const PATH = /^\/submissions\/CIK\d{10}\.json$/;

/**
 * A filer's submissions page, with its profile, its tickers and about the last thousand filings.
 */
export const submissions: Feed = {
  name: 'submissions',
  isProbe: true,
  datasets: ['profiles', 'securities', 'earnings'],
  schedule: [{ name: 'day', times: FILINGS, scope: 'reporters', priority: 'prompt' }],
  claims: (response) => isResponseFrom(response, DATA_HOST, PATH),
  parse,
  plan: (context) =>
    knownCiks(context).map((cik) =>
      edgarRequest(`https://${DATA_HOST}/submissions/CIK${cik}.json`, context),
    ),
};

function parse(response: SourceResponse): ParseResult {
  const body = readObject(response);
  const cik = parseCik(body['cik']);
  if (cik === null) throw new SourceResponseError('damaged', 'bad-cik', `${response.url}: no CIK`);
  return joinParsed([readProfile(body, cik), readTickers(body, cik), readFilings(body, cik)]);
}

/** Reads the tickers and exchanges, which are two lists in the same order. */
function readTickers(body: JsonObject, cik: string): ParseResult {
  const tickers: unknown[] = Array.isArray(body['tickers']) ? body['tickers'] : [];
  const exchanges: unknown[] = Array.isArray(body['exchanges']) ? body['exchanges'] : [];
  return readSecurities(
    tickers.map((ticker, index) => {
      return { ticker, cik, name: body['name'], exchange: exchanges[index] };
    }),
  );
}

/** Reads the filings. An unreadable filings table does not affect the other parts of the page. */
function readFilings(body: JsonObject, cik: string): ParseResult {
  const filings = isJsonObject(body['filings']) ? body['filings'] : {};
  const recent = isJsonObject(filings['recent']) ? filings['recent'] : {};
  const table = zipFilings(recent);
  if (Array.isArray(table)) {
    return joinParsed([readResultsFilings(table, cik), readPeriodicReports(table, cik, 'recent')]);
  }
  const row = Object.keys(recent).map(toStorableText);
  const bad: BadRow = { dataset: 'earnings', entityKey: cikSubject(cik), ...table, row };
  return { rows: [], bad: [bad] };
}
