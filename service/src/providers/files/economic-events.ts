import { type EconomicObservation, monthKey } from '../../datasets/economic-events/observation.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import { readPublishedText, readText, required } from '../kit/fields.ts';
import { type EconomicFacts, identifyRows, unidentifiedRow } from '../kit/economic-rows.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import type { Feed, ParseResult, SourceResponse } from '../provider.ts';
import { matching, oneOf, readDate, wholeNumber } from './cells.ts';
import { type Columns, readColumns } from './read-columns.ts';
import { datasetOf, tableRows } from './table.ts';

type Derived =
  | 'isRelease'
  | 'isUndated'
  | 'vintage'
  | 'stem'
  | 'ordinal'
  | 'clock'
  | 'list'
  | 'timeStatus';
interface EconomicRow extends Required<Omit<EconomicObservation, Derived>> {
  timeStatus: 'exact' | 'all-day' | 'tentative' | null;
}

const COLUMNS: Columns<EconomicRow> = {
  eventName: (row, name) => required(readText(row, name), name),
  country: (row, name) => required(readText(row, name), name),
  date: (row, name) => required(readDate(row, name), name),
  time: matching(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
  timeStatus: oneOf(['exact', 'all-day', 'tentative']),
  actual: readPublishedText,
  consensus: readPublishedText,
  previous: readPublishedText,
  revised: readPublishedText,
  unit: matching(/^[a-z][a-z ]{0,29}$/),
  measure: oneOf(['mom', 'qoq', 'yoy', 'level']),
  period: matching(/^\d{4}-(?:0[1-9]|1[0-2]|Q[1-4])$/),
  importance: wholeNumber(1, 3),
  sourceUrl: matching(/^https?:\/\/[^\s"<>]+$/),
};

/** Economic releases and events in New York time, one per row; `readme.md` lists the columns. */
export const economicEvents: Feed = {
  name: 'economic-events',
  datasets: ['economic-events'],
  claims: (response) => datasetOf(response) === 'economic-events',
  parse,
};

function parse(response: SourceResponse): ParseResult {
  const parsed = readRows({
    dataset: 'economic-events',
    rows: tableRows(response),
    entityKeyOf: monthOrNull,
    read: (row) => unidentifiedRow(readFacts(row)),
  });
  return identifyRows(parsed);
}

function readFacts(row: JsonObject): EconomicFacts {
  const { eventName, country, date, time, timeStatus, ...others } = readColumns(row, COLUMNS);
  return {
    eventName: required(eventName ?? null, 'eventName'),
    country: required(country ?? null, 'country'),
    date: required(date ?? null, 'date'),
    time: time ?? null,
    timeStatus: time == null ? (timeStatus ?? 'all-day') : 'exact',
    clock: 'new-york',
    list: null,
    ...others,
  };
}

function monthOrNull(row: unknown): string | null {
  const date: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'date') : null;
  const day = typeof date === 'string' ? parseLocalDate(date) : null;
  return day === null ? null : monthKey(day);
}
