import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import type { ProfileObservation } from '../../datasets/profiles/observation.ts';
import { describeValue } from '../../domain/dirty-value-error.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { readText } from '../kit/fields.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';
import { joinParsed, readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { readResults } from './response-body.ts';
import { readExchange, readMarketCap } from './company.ts';
import { readSchedule } from './next-report.ts';
import { isApiResponse, listedSymbol } from './request.ts';

/**
 * `v7/finance/quote?symbols=`: the name, exchange, market value and next report for several
 * companies.
 */
export const quote: Feed = {
  name: 'quote',
  datasets: ['earnings', 'profiles'],
  ranks: { 'earnings.date': ['secondary', 20], 'earnings.time': ['secondary', 20] },
  claims: (response) => isApiResponse(response, /^\/v7\/finance\/quote(?:\?|$)/),
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const rows = readResults(response, 'quoteResponse');
  const entityKeyOf = (row: unknown): string | null =>
    isJsonObject(row) ? listedSymbol(row['symbol']) : null;
  const profiles = readRows({
    dataset: 'profiles',
    rows,
    entityKeyOf,
    read: readProfile,
  });
  const today = response.observedAt > 0 ? newYorkDate(response.observedAt) : '';
  const reports = readRows({
    dataset: 'earnings',
    rows: rows.filter((row) => row['quoteType'] === 'EQUITY' && hasReportDate(row)),
    entityKeyOf,
    read: readReport,
  });
  // A past date belongs to the last report and may be an outdated projection.
  const upcoming = reports.rows.filter(({ fields }) => {
    return fields.kind === 'calendar' && fields.date >= today;
  });
  return joinParsed<ParsedRow>([profiles, { ...reports, rows: upcoming }]);
}

function readProfile(row: JsonObject): ParsedRow<'profiles'> {
  const symbol = requireListed(row);
  const fields: ProfileObservation = {
    symbol,
    companyName: readText(row, 'longName'),
    exchange: readExchange(row, 'fullExchangeName'),
  };
  const tick = readMarketCap(row, symbol);
  return {
    dataset: 'profiles',
    entityKey: symbol,
    naturalKey: 'profile',
    fields,
    ...(tick !== null && { quote: tick }),
  };
}

function readReport(row: JsonObject): ParsedRow<'earnings'> {
  const symbol = requireListed(row);
  const timestamps = [row['earningsTimestampStart'], row['earningsTimestampEnd']];
  const schedule = readSchedule(timestamps, row['isEarningsDateEstimate']);
  const fields: CalendarObservation = { kind: 'calendar', symbol, ...schedule };
  return { dataset: 'earnings', entityKey: symbol, naturalKey: `date:${schedule.date}`, fields };
}

function hasReportDate(row: JsonObject): boolean {
  return row['earningsTimestampStart'] != null && row['earningsTimestampEnd'] != null;
}

function requireListed(row: JsonObject): string {
  const symbol = listedSymbol(row['symbol']);
  if (symbol === null || row['market'] !== 'us_market') {
    throw new RowError(
      'foreign-symbol',
      `${describeValue(row['symbol']).slice(0, 30)} is not a U.S. listing`,
    );
  }
  return symbol;
}
