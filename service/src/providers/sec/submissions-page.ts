import { joinParsed } from '../kit/read-rows.ts';
import {
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { readObject } from './response-body.ts';
import { DATA_HOST, isResponseFrom, parseCik, pathname } from './edgar.ts';
import { zipFilings } from './filings/filing-columns.ts';
import { readPeriodicReports } from './filings/periodic-reports.ts';
import { readResultsFilings } from './filings/results-filing.ts';

const PATH = /^\/submissions\/CIK(\d{10})-submissions-(\d{3})\.json$/;

/**
 * A further page with a filer's older filings. Its columns are at the top level of the JSON body,
 * and only the URL identifies the filer.
 */
export const submissionsPage: Feed = {
  name: 'submissions-page',
  datasets: ['earnings'],
  claims: (response) => isResponseFrom(response, DATA_HOST, PATH),
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const table = zipFilings(readObject(response));
  if (!Array.isArray(table)) throw new SourceResponseError('damaged', table.reason, table.detail);
  const cik = parseCik(PATH.exec(pathname(response))?.[1]);
  if (cik === null) throw new SourceResponseError('damaged', 'bad-cik', `${response.url}: no CIK`);
  const page = PATH.exec(pathname(response))?.[2] ?? '';
  return joinParsed([readResultsFilings(table, cik), readPeriodicReports(table, cik, page)]);
}
