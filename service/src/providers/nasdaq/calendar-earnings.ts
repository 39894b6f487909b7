import {
  daily,
  everyOnTradingDays,
  onTradingDays,
  seasonal,
} from '../../domain/market/due-times.ts';
import { parseIsoDate, parseWeekdayDate } from '../../domain/dirty-date.ts';
import { DirtyValueError } from '../../domain/dirty-value-error.ts';
import { addDays, type LocalDate, parseLocalDate, weekdayOf } from '../../domain/local-date.ts';
import { entityKeyOrNull, readWith, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import {
  type Feed,
  type FeedRequest,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { type CalendarColumns, readCalendarRow } from './calendar-row.ts';
import { openEnvelope, rowsOf } from './envelope.ts';
import { apiRequest, HOST } from './request.ts';

/**
 * Due before the open, during the session and after the close; every half hour in earnings season.
 */
const NEAR = seasonal(
  everyOnTradingDays(30, '06:00', '20:00'),
  onTradingDays('06:30', 'open-30', '12:00', 'close+15', 'close+60', '20:00'),
);

/** For dates further ahead than this, the source returns no rows. */
const DAYS_AHEAD = 55;
const DAYS_BACK = 5;

const COLUMNS: CalendarColumns = {
  symbol: 'symbol',
  name: 'name',
  time: 'time',
  marketCap: 'marketCap',
  period: 'fiscalQuarterEnding',
  estimate: 'epsForecast',
  estimateCount: 'noOfEsts',
  eps: 'eps',
  yearAgoEps: 'lastYearEPS',
  yearAgoDate: 'lastYearRptDt',
};

/** `calendar/earnings?date=`: reports by date. */
export const calendarEarnings: Feed = {
  name: 'calendar-earnings',
  isProbe: true,
  datasets: ['earnings'],
  ranks: { earnings: ['exchange', 10] },
  schedule: [
    { name: 'sweep', times: daily('02:00'), scope: 'all' },
    { name: 'near', times: NEAR, scope: 'all', priority: 'prompt', days: [0, 3] },
    {
      name: 'results',
      times: daily('05:00', '20:40'),
      scope: 'all',
      priority: 'prompt',
      days: [-5, 0],
    },
  ],
  claims,
  parse,
  plan,
};

function claims(response: SourceResponse): boolean {
  return (
    response.host === HOST &&
    /^\/api\/calendar\/earnings(\?|$)/.test(response.path) &&
    !response.contentType.startsWith('text/csv')
  );
}

function parse(response: SourceResponse): ParseResult {
  const content = openEnvelope(response);
  const isBareList = Array.isArray(content);
  const responseDate = isBareList ? dateInUrl(response.url) : requestedDate(response.url, content);
  const result = readRows({
    dataset: 'earnings',
    rows: isBareList ? content : rowsOf(content),
    entityKeyOf: (row) => entityKeyOrNull(row, COLUMNS.symbol),
    read: (row) => readCalendarRow(row, dateOf(row, responseDate), COLUMNS),
  });
  if (isBareList || responseDate === null || !('rows' in content)) return result;
  return {
    ...result,
    completeRange: { dataset: 'earnings', from: responseDate, to: responseDate },
  };
}

/**
 * Plans today and the preceding days first because their results are news, then the weekdays ahead.
 */
function plan({ today }: PlanContext): FeedRequest[] {
  const offsets = Array.from({ length: DAYS_BACK + 1 + DAYS_AHEAD }, (_, index) =>
    index <= DAYS_BACK ? -index : index - DAYS_BACK,
  );
  return offsets
    .map((offset) => addDays(today, offset))
    .filter((date) => weekdayOf(date) >= 1 && weekdayOf(date) <= 5)
    .map((date) => apiRequest(`calendar/earnings?date=${date}`));
}

/**
 * Returns the date of a row. Each row in a bare list may have its own date; rows in the envelope
 * have the requested date.
 */
function dateOf(row: JsonObject, responseDate: LocalDate | null): LocalDate {
  return required(readWith(row, 'date', parseIsoDate) ?? responseDate, 'date');
}

/**
 * Returns the date of the response from its URL and `asOf`. If the two differ, the date of the rows
 * is unknown and the response is rejected.
 */
function requestedDate(url: string, data: JsonObject): LocalDate {
  const inUrl = dateInUrl(url);
  const inBody = dateInBody(data);
  if (inUrl !== null && inBody !== null && inUrl !== inBody) {
    throw new SourceResponseError(
      'error-answer',
      'date-mismatch',
      `requested ${inUrl}, received ${inBody}`,
    );
  }
  const date = inUrl ?? inBody;
  if (date !== null) return date;
  throw new SourceResponseError('error-answer', 'no-date', 'neither the URL nor asOf has a date');
}

function dateInUrl(url: string): LocalDate | null {
  return parseLocalDate(new URL(url).searchParams.get('date') ?? '');
}

function dateInBody(data: JsonObject): LocalDate | null {
  if (typeof data['asOf'] !== 'string') return null;
  try {
    return parseWeekdayDate(data['asOf']);
  } catch (error) {
    if (error instanceof DirtyValueError) return null;
    throw error;
  }
}
