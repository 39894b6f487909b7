import { parseIsoDate } from '../../domain/dirty-date.ts';
import { csvHeader, readCsv } from '../kit/csv.ts';
import { entityKeyOrNull, readWith, required } from '../kit/fields.ts';
import { rejectFailedStatus } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import type { Feed, ParseResult, SourceResponse } from '../provider.ts';
import { type CalendarColumns, readCalendarRow } from './calendar-row.ts';
import { HOST } from './request.ts';

const DATE_COLUMN = 'report_date';
const COLUMNS: CalendarColumns = {
  symbol: 'ticker',
  name: 'company',
  time: 'time',
  marketCap: 'market_cap',
  period: 'fiscal_quarter_ending',
  estimate: 'eps_forecast',
  estimateCount: 'num_estimates',
  eps: 'eps',
  yearAgoEps: 'last_year_eps',
  yearAgoDate: 'last_year_report_date',
};

/**
 * The earnings calendar as a table covering many days, read from recordings and never requested.
 * Columns are read by name in any order; absent columns are omitted.
 */
export const calendarTable: Feed = {
  name: 'calendar-table',
  datasets: ['earnings'],
  ranks: { earnings: ['exchange', 20] },
  claims,
  parse,
};

function claims(response: SourceResponse): boolean {
  if (response.host !== HOST || !response.contentType.startsWith('text/csv')) return false;
  if (!response.path.startsWith('/api/calendar/earnings')) return false;
  const header = csvHeader(response.text);
  return header.includes(COLUMNS.symbol) && header.includes(DATE_COLUMN);
}

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  return readRows({
    dataset: 'earnings',
    rows: readCsv(response.text).rows,
    entityKeyOf: (row) => entityKeyOrNull(row, COLUMNS.symbol),
    read: (row) =>
      readCalendarRow(
        row,
        required(readWith(row, DATE_COLUMN, parseIsoDate), DATE_COLUMN),
        COLUMNS,
      ),
  });
}
