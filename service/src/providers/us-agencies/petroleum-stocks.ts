import { atReleases } from './at-releases.ts';
import {
  type Decimal,
  decimalFromNumber,
  divideDecimals,
  normalizeDecimal,
  subtractDecimals,
} from '../../domain/decimal.ts';
import { addDays, type LocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { readText, readWith, required } from '../kit/fields.ts';
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
import { readTwelveHourTime } from './clock-text.ts';
import { EIA_REPORTS_HOST } from './weekly-schedule.ts';
import { agencyRequest } from './request.ts';
import { readReleases, releaseRow, type ReleaseTime } from './schedule-calendar.ts';

const STEM = 'us-eia-crude-inventories';
const PATH = /^\/(?:secure\/)?wpsr\/psw00\.json$/;
const URL = `https://${EIA_REPORTS_HOST}/wpsr/psw00.json`;
const SOURCE_URL = 'https://www.eia.gov/petroleum/supply/weekly/';

/**
 * Commercial crude oil stocks of the weekly petroleum report: the change of the week in million
 * barrels, and that of the week before. The file states the day and time of its release.
 */
export const petroleumStocks: Feed = {
  name: 'petroleum-stocks',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 130] },
  schedule: [
    // In weeks with a holiday, EIA publishes at 10:30 or noon, and before a holiday at 17:00.
    {
      name: 'figures',
      times: atReleases('10:30', '12:00', '17:00'),
      scope: 'all',
      priority: 'prompt',
    },
  ],
  claims: (response) =>
    response.host === EIA_REPORTS_HOST && PATH.test(response.path.split('?')[0] ?? ''),
  parse,
  plan: (context) =>
    awaitsFigure(context, STEM) ? [agencyRequest(URL, 'application/json', context)] : [],
};

function parse(response: SourceResponse): ParseResult {
  const body = requireJson(response);
  const metadata = isJsonObject(body) ? body['metadata'] : undefined;
  const data = isJsonObject(body) ? body['data'] : undefined;
  const national = isJsonObject(data) ? data['U.S.'] : undefined;
  if (!isJsonObject(metadata) || !isJsonObject(national)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'the file has no U.S. data');
  }
  const { sourcekey, units, time_series: series } = national;
  if (sourcekey !== 'WCESTUS1' || units !== 'thousand barrels' || !isList(series)) {
    throw new SourceResponseError(
      'unsupported',
      'other-series',
      'the file is not about commercial crude oil stocks in thousand barrels',
    );
  }
  const { release_date, release_time, time_period } = metadata;
  const end_date = isJsonObject(time_period) ? time_period['end_date'] : undefined;
  const row = { release_date, release_time, end_date, series: series.slice(0, 400) };
  return readReleases([row], (metadataRow) => readReport(metadataRow, series));
}

function readReport(row: JsonObject, series: readonly unknown[]): ParsedRow<'economic-events'> {
  const date = readDay(row, 'release_date');
  const weekEnd = readDay(row, 'end_date');
  const time = readTwelveHourTime(readText(row, 'release_time') ?? '');
  const schedule: ReleaseTime =
    time === null ? { date, time, timeStatus: 'all-day' } : { date, time, timeStatus: 'exact' };
  const actual = changeOf(series, weekEnd);
  if (actual === null) throw new RowError('missing-field', `no value for ${weekEnd}`);
  return releaseRow(
    {
      eventName: STEM,
      ...schedule,
      actual,
      previous: changeOf(series, addDays(weekEnd, -7)),
      sourceUrl: SOURCE_URL,
      naturalKey: `${STEM}/${weekEnd}`,
    },
    { stem: STEM, list: null },
  );
}

function readDay(row: JsonObject, key: string): LocalDate {
  return required(readWith(row, key, parseLocalDate), key);
}

/** Returns the change in a week that ends on the day, in million barrels: `-8.010M`. */
function changeOf(series: readonly unknown[], weekEnd: LocalDate): string | null {
  const stock = stockAt(series, weekEnd);
  const before = stockAt(series, addDays(weekEnd, -7));
  if (stock === null || before === null) return null;
  const change = divideDecimals(subtractDecimals(stock, before), '1000', 3);
  return change === null ? null : `${Number(change).toFixed(3)}M`;
}

/** Returns the stock in thousand barrels; null if it is missing or suppressed. */
function stockAt(series: readonly unknown[], weekEnd: LocalDate): Decimal | null {
  const point = series.filter(isJsonObject).find(({ date }) => date === weekEnd);
  const value = point?.['value'];
  if (typeof value === 'number') return decimalFromNumber(value);
  return typeof value === 'string' ? normalizeDecimal(value) : null;
}
