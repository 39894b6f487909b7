import { AnswerError } from '../provider.ts';
import type { Answer, BadRow, Feed, Parsed } from '../provider.ts';
import { isObject, readObject } from './answer-body.ts';
import type { JsonObject } from './answer-body.ts';
import { cameFrom, cikSubject, DATA_HOST, edgarRequest, knownCiks, parseCik } from './edgar.ts';
import { zipFilings } from './filings/filing-columns.ts';
import { readResultsFilings } from './filings/results-filing.ts';
import { readSecurities } from './securities-row.ts';
import { readProfile } from './submissions-profile.ts';

const PATH = /^\/submissions\/CIK\d{10}\.json$/;

/** A filer's own page: who it is, its tickers, and its last thousand filings or so. */
export const submissions: Feed = {
  name: 'submissions',
  datasets: ['profiles', 'securities', 'earnings'],
  claims: (answer) => cameFrom(answer, DATA_HOST, PATH),
  parse,
  plan: (context) =>
    knownCiks(context).map((cik) =>
      edgarRequest(`https://${DATA_HOST}/submissions/CIK${cik}.json`, context),
    ),
};

function parse(answer: Answer): Parsed {
  const body = readObject(answer);
  const cik = parseCik(body['cik']);
  if (cik === null) throw new AnswerError('damaged', 'bad-cik', `${answer.url}: no CIK`);
  const parts = [readProfile(body, cik), readTickers(body, cik), readFilings(body, cik)];
  return {
    rows: parts.flatMap((part) => part.rows),
    bad: parts.flatMap((part) => part.bad),
  };
}

/** Tickers and exchanges are two lists in the same order. */
function readTickers(body: JsonObject, cik: string): Parsed {
  const tickers: unknown[] = Array.isArray(body['tickers']) ? body['tickers'] : [];
  const exchanges: unknown[] = Array.isArray(body['exchanges']) ? body['exchanges'] : [];
  return readSecurities(
    tickers.map((ticker, index) => {
      const exchange = exchanges[index];
      return { ticker, cik, name: body['name'], exchange, row: { ticker, exchange } };
    }),
  );
}

/** A table of filings that cannot be read spoils the filings, not the rest of the page. */
function readFilings(body: JsonObject, cik: string): Parsed {
  const filings = isObject(body['filings']) ? body['filings'] : {};
  const recent = isObject(filings['recent']) ? filings['recent'] : {};
  const table = zipFilings(recent);
  if (Array.isArray(table)) return readResultsFilings(table, cik);
  const row = Object.keys(recent);
  const bad: BadRow = { dataset: 'earnings', subject: cikSubject(cik), ...table, row };
  return { rows: [], bad: [bad] };
}
