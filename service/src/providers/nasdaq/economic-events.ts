import { daily, onTradingDays } from '../../domain/market/due-times.ts';
import { monthKey } from '../../datasets/economic-events/observation.ts';
import { addDays, type LocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { readPublishedText, readText, required } from '../kit/fields.ts';
import { type EconomicFacts, identifyRows, unidentifiedRow } from '../kit/economic-rows.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type FeedRequest,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { openEnvelope, rowsOf } from './envelope.ts';
import { apiRequest, HOST } from './request.ts';

/** Each end includes an extra day, since the source's dates may be off by one. */
const DAYS = { back: 1, ahead: 8 };
const SOURCE_URL = 'https://www.nasdaq.com/market-activity/economic-calendar';
const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** `calendar/economicevents?date=`: economic releases by the source's own date. */
export const economicEvents: Feed = {
  name: 'economic-events',
  datasets: ['economic-events'],
  ranks: { 'economic-events': 'exchange' },
  schedule: [
    { name: 'sweep', times: daily('02:10'), scope: 'all' },
    // Fetches figures at the usual release times. This source's dates may be off by one day, so
    // tomorrow is included.
    {
      name: 'figures',
      times: onTradingDays('08:34', '10:04', '14:04', '17:00'),
      scope: 'all',
      priority: 'prompt',
      days: [0, 1],
    },
  ],
  claims: (response) =>
    response.host === HOST && /^\/api\/calendar\/economicevents(\?|$)/.test(response.path),
  parse,
  plan,
};

function parse(response: SourceResponse): ParseResult {
  const content = openEnvelope(response);
  const date = dateInUrl(response.url);
  if (date === null)
    throw new SourceResponseError('error-answer', 'no-date', 'the URL has no date');
  const rows = Array.isArray(content) ? content : rowsOf(content);
  const parsed = readRows({
    dataset: 'economic-events',
    rows,
    entityKeyOf: () => monthKey(date),
    read: (row) => unidentifiedRow(readFacts(row, date)),
  });
  return identifyRows(parsed);
}

function plan({ today }: PlanContext): FeedRequest[] {
  return Array.from({ length: DAYS.back + 1 + DAYS.ahead }, (_, index) =>
    apiRequest(`calendar/economicevents?date=${addDays(today, index - DAYS.back)}`),
  );
}

function readFacts(row: JsonObject, date: LocalDate): EconomicFacts {
  return {
    eventName: required(readText(row, 'eventName'), 'eventName'),
    country: required(readText(row, 'country'), 'country'),
    date,
    ...readClock(row),
    clock: 'uncalibrated',
    list: date,
    actual: readPublishedText(row, 'actual'),
    consensus: readPublishedText(row, 'consensus'),
    previous: readPublishedText(row, 'previous'),
    sourceUrl: SOURCE_URL,
  };
}

/**
 * Reads the time. The column is named `gmt`, but its times are not in GMT. They are stored
 * unchanged.
 */
function readClock(row: JsonObject): Pick<EconomicFacts, 'time' | 'timeStatus'> {
  const text = readText(row, 'gmt');
  if (text === null || text === 'Tentative') return { time: null, timeStatus: 'tentative' };
  if (text === 'All Day' || text === '24H') return { time: null, timeStatus: 'all-day' };
  if (CLOCK.test(text)) return { time: text, timeStatus: 'exact' };
  throw new RowError('bad-time', `gmt is ${text}`);
}

function dateInUrl(url: string): LocalDate | null {
  return parseLocalDate(new URL(url).searchParams.get('date') ?? '');
}
