import { AnswerError } from '../provider.ts';
import type { Answer, Feed, Parsed } from '../provider.ts';
import { readObject } from './answer-body.ts';
import { cameFrom, edgarRequest, WWW_HOST } from './edgar.ts';
import { readSecurities } from './securities-row.ts';

const PATH = /^\/files\/company_tickers_exchange\.json$/;

/** Tickers with filer and exchange: `{fields: ["cik", …], data: [[320193, …], …]}`. */
export const companyTickersExchange: Feed = {
  name: 'company-tickers-exchange',
  datasets: ['securities'],
  claims: (answer) => cameFrom(answer, WWW_HOST, PATH),
  parse,
  plan: (context) => [
    edgarRequest(`https://${WWW_HOST}/files/company_tickers_exchange.json`, context),
  ],
};

/** Columns are found by name, so that a new or moved one does no harm; exchange may be null. */
function parse(answer: Answer): Parsed {
  const { fields, data } = readObject(answer);
  if (!Array.isArray(fields) || !Array.isArray(data)) {
    throw new AnswerError('damaged', 'unexpected-shape', 'no fields or no data');
  }
  if (data.length === 0) throw new AnswerError('damaged', 'no-rows', 'the list is empty');
  const at = (row: unknown, name: string): unknown =>
    Array.isArray(row) ? row[columnOf(fields, name)] : undefined;
  return readSecurities(
    data.map((row: unknown) => ({
      ticker: at(row, 'ticker'),
      cik: at(row, 'cik'),
      name: at(row, 'name'),
      exchange: at(row, 'exchange'),
      row,
    })),
  );
}

function columnOf(fields: unknown[], name: string): number {
  const index = fields.indexOf(name);
  if (index >= 0) return index;
  throw new AnswerError('damaged', 'missing-column', `no column named ${name}`);
}
