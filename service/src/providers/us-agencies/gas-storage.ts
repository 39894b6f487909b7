import { atReleases } from './at-releases.ts';
import { decimalFromNumber, normalizeDecimal } from '../../domain/decimal.ts';
import { makeLocalDate, weekdayOf } from '../../domain/local-date.ts';
import { monthNumber } from '../../domain/month-number.ts';
import { readText, required } from '../kit/fields.ts';
import { isJsonObject, isList, type JsonObject, requireJson } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { awaitsFigure } from './awaited.ts';
import { EIA_REPORTS_HOST } from './weekly-schedule.ts';
import { agencyRequest } from './request.ts';
import { readReleases, releaseRow, type ReleaseTime } from './schedule-calendar.ts';

const STEM = 'us-natural-gas-storage';
const PATH = /^\/(?:secure\/)?ngs\/wngsr\.json$/;
const URL = `https://${EIA_REPORTS_HOST}/ngs/wngsr.json`;
const SOURCE_URL = `https://${EIA_REPORTS_HOST}/ngs/ngs.html`;
const TOTAL = 'total lower 48 states';
const THURSDAY = 4;

/**
 * Natural gas in storage: the change of the week in billion cubic feet, as the report states it. The
 * file states the day of its release, but not the time, which is 10:30 on a regular Thursday.
 */
export const gasStorage: Feed = {
  name: 'gas-storage',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 140] },
  schedule: [
    { name: 'figures', times: atReleases('10:30', '12:00'), scope: 'all', priority: 'prompt' },
  ],
  claims: (response) =>
    response.host === EIA_REPORTS_HOST && PATH.test(response.path.split('?')[0] ?? ''),
  parse,
  plan: (context) =>
    awaitsFigure(context, STEM) ? [agencyRequest(URL, 'application/json', context)] : [],
};

function parse(response: SourceResponse): ParseResult {
  const body = requireJson(response);
  const series = isJsonObject(body) ? body['series'] : undefined;
  if (!isJsonObject(body) || !isList(series)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'series is not a list');
  }
  const total = series
    .filter(isJsonObject)
    .find(({ name }) => typeof name === 'string' && name.trim().toLowerCase() === TOTAL);
  const calculated = total?.['calculated'];
  if (total?.['units'] !== 'billion cubic feet' || !isJsonObject(calculated)) {
    throw new SourceResponseError(
      'unsupported',
      'other-series',
      'the file has no total in billion cubic feet',
    );
  }
  const { release_date, current_week } = body;
  const row = { release_date, current_week, net_change: calculated['net_change'] };
  return readReleases([row], readReport);
}

function readReport(row: JsonObject): ParsedRow<'economic-events'> {
  const released = required(readText(row, 'release_date'), 'release_date');
  const week = required(readText(row, 'current_week'), 'current_week');
  const [, year, month, day] = /^(\d{4})-([A-Z][a-z]{2}|\d{2})-(\d{2})\b/.exec(released) ?? [];
  const number = /^\d+$/.test(month ?? '') ? Number(month) : monthNumber(month);
  const date = makeLocalDate(Number(year), number, Number(day));
  if (date === null) throw new RowError('bad-date', `release_date is ${released}`.slice(0, 100));
  const schedule: ReleaseTime =
    weekdayOf(date) === THURSDAY
      ? { date, time: '10:30', timeStatus: 'exact' }
      : { date, time: null, timeStatus: 'all-day' };
  const release = { eventName: STEM, ...schedule, actual: `${readChange(row)}B` };
  return releaseRow(
    { ...release, sourceUrl: SOURCE_URL, naturalKey: `${STEM}/${week}` },
    { stem: STEM, list: null },
  );
}

/** Returns the change as decimal text; the file has it as a number or as text. */
function readChange(row: JsonObject): string {
  const raw = row['net_change'];
  if (typeof raw === 'number') return required(decimalFromNumber(raw), 'net_change');
  const text = required(readText(row, 'net_change'), 'net_change');
  return required(normalizeDecimal(text.replaceAll(',', '')), 'net_change');
}
