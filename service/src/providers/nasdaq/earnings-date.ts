import { daily } from '../../domain/market/due-times.ts';
import type { CalendarObservation, SessionMarker } from '../../datasets/earnings/observation.ts';
import {
  monthEnd,
  parseMonthDayYear,
  parseMonthYear,
  parseSlashDate,
} from '../../domain/dirty-date.ts';
import { periodLabel } from '../../domain/fiscal-period.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { readText, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { openEnvelope } from './envelope.ts';
import { apiRequest, HOST, segmentSymbol, symbolSegment } from './request.ts';

const PATH = /^\/api\/analyst\/([^/?]+)\/earnings-date(\?|$)/;
const SYMBOLS_MAX = 100;

/**
 * `analyst/{symbol}/earnings-date`: the next report date in words, which tell whether the date was
 * announced or computed by an algorithm.
 */
export const earningsDate: Feed = {
  name: 'earnings-date',
  datasets: ['earnings'],
  ranks: { 'earnings.date': ['exchange', 30], 'earnings.time': ['exchange', 30] },
  schedule: [{ name: 'soon', times: daily('04:10'), scope: 'reporters', priority: 'spare' }],
  claims: (response) => response.host === HOST && PATH.test(response.path),
  parse,
  plan: ({ symbolsReportingSoon: symbols = [] }) =>
    symbols
      .slice(0, SYMBOLS_MAX)
      .map((symbol) => apiRequest(`analyst/${symbolSegment(symbol)}/earnings-date`)),
};

function parse(response: SourceResponse): ParseResult {
  const data = openEnvelope(response);
  if (Array.isArray(data) || !('announcement' in data || 'reportText' in data)) {
    throw new SourceResponseError('error-answer', 'unexpected-shape', 'no announcement');
  }
  const symbol = segmentSymbol(PATH.exec(response.path)?.[1] ?? '');
  if (symbol === null) throw new SourceResponseError('damaged', 'bad-url', 'the URL has no symbol');
  return readRows({
    dataset: 'earnings',
    rows: hasDate(data) ? [data] : [],
    entityKeyOf: () => symbol,
    read: (row) => readReport(row, symbol),
  });
}

/** Returns false for a page without a date. Its announcement ends after the symbol. */
function hasDate({ announcement, reportText }: JsonObject): boolean {
  return [announcement, reportText].some((text) => typeof text !== 'string' || /\d{4}/.test(text));
}

const ANNOUNCEMENT = /^Earnings announcement\*? for ([^:]+):\s*(.*)$/i;

function readReport(row: JsonObject, symbol: string): ParsedRow<'earnings'> {
  const text = readText(row, 'reportText') ?? '';
  const [, named, announced = ''] = ANNOUNCEMENT.exec(readText(row, 'announcement') ?? '') ?? [];
  if (named !== undefined && segmentSymbol(named) !== symbol) {
    throw new RowError('symbol-mismatch', `the announcement is about ${named.slice(0, 30)}`);
  }
  const date = dateOf(parseMonthDayYear(announced), dateIn(text));
  const isProjected = /\bestimated\b|\balgorithm\b/i.test(text);
  const isAnnounced = !isProjected && /\bexpected\b|\bconfirmed\b|\bscheduled\b/i.test(text);
  const fields: CalendarObservation = {
    kind: 'calendar',
    symbol,
    date,
    time: isProjected ? 'time-not-supplied' : sessionIn(text),
    // Words that name neither leave the status open.
    ...(isProjected && { dateStatus: 'projected' }),
    ...(isAnnounced && { dateStatus: 'confirmed' }),
  };
  const month = /\bquarter ending ([A-Z][a-z]{2} \d{4})/i.exec(text)?.[1];
  const end = month === undefined ? null : parseMonthYear(month);
  if (end === null) {
    return { dataset: 'earnings', entityKey: symbol, naturalKey: `date:${date}`, fields };
  }
  fields.fiscalPeriodEnd = monthEnd(end);
  fields.fiscalPeriodPrecision = 'month';
  const naturalKey = periodLabel(fields.fiscalPeriodEnd, 'month');
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}

/** Returns the date. The headline and the sentence below it must not contradict each other. */
function dateOf(announced: LocalDate | null, inText: LocalDate | null): LocalDate {
  if (announced !== null && inText !== null && announced !== inText) {
    throw new RowError('date-mismatch', `announced for ${announced}, described as ${inText}`);
  }
  return required(announced ?? inText, 'announcement');
}

function dateIn(text: string): LocalDate | null {
  const match = /\breport earnings on\s+(\d{1,2}\/\d{1,2}\/\d{4})/i.exec(text);
  return match?.[1] === undefined ? null : parseSlashDate(match[1]);
}

function sessionIn(text: string): SessionMarker {
  if (/\bafter (?:the )?market close|\bafter hours/i.test(text)) return 'time-after-hours';
  if (/\bbefore (?:the )?market open|\bpre-?market/i.test(text)) return 'time-pre-market';
  return 'time-not-supplied';
}
