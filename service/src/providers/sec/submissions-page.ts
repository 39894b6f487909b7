import { type Answer, AnswerError, type Feed, type Parsed } from '../provider.ts';
import { readObject } from './response-body.ts';
import { cameFrom, DATA_HOST, parseCik, pathname } from './edgar.ts';
import { zipFilings } from './filings/filing-columns.ts';
import { readResultsFilings } from './filings/results-filing.ts';

const PATH = /^\/submissions\/CIK(\d{10})-submissions-\d{3}\.json$/;

/**
 * An overflow page of a filer's older filings. Its columns are at the top level, and only the
 * address says whose they are.
 */
export const submissionsPage: Feed = {
  name: 'submissions-page',
  datasets: ['earnings'],
  claims: (answer) => cameFrom(answer, DATA_HOST, PATH),
  parse,
};

function parse(answer: Answer): Parsed {
  const table = zipFilings(readObject(answer));
  if (!Array.isArray(table)) throw new AnswerError('damaged', table.reason, table.detail);
  const cik = parseCik(PATH.exec(pathname(answer))?.[1]);
  if (cik === null) throw new AnswerError('damaged', 'bad-cik', `${answer.url}: no CIK`);
  return readResultsFilings(table, cik);
}
