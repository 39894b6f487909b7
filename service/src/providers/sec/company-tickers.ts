import { isJsonObject } from '../kit/json.ts';
import { type Answer, AnswerError, type Feed, type Parsed } from '../provider.ts';
import { readObject } from './response-body.ts';
import { cameFrom, edgarRequest, WWW_HOST } from './edgar.ts';
import { readSecurities } from './filer/securities-row.ts';

const PATH = /^\/files\/company_tickers\.json$/;

/** Every ticker with its filer: `{"0": {cik_str, ticker, title}, "1": …}`, largest first. */
export const companyTickers: Feed = {
  name: 'company-tickers',
  datasets: ['securities'],
  claims: (answer) => cameFrom(answer, WWW_HOST, PATH),
  parse,
  plan: (context) => [edgarRequest(`https://${WWW_HOST}/files/company_tickers.json`, context)],
};

function parse(answer: Answer): Parsed {
  const rows = Object.values(readObject(answer));
  if (rows.length === 0) throw new AnswerError('damaged', 'no-rows', 'the list is empty');
  return readSecurities(rows.map(nameColumns));
}

function nameColumns(row: unknown): unknown {
  if (!isJsonObject(row)) return row;
  return { ticker: row['ticker'], cik: row['cik_str'], name: row['title'], exchange: null };
}
