import { type EconomicObservation, monthKey } from '../../datasets/economic-events/observation.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import { readPublishedText, readText, required } from '../kit/fields.ts';
import { type EconomicFacts, identifyRows, unidentifiedRow } from '../kit/economic-rows.ts';
import { accepting, mandatory, matching, oneOf, readDate, readUrl, wholeNumber } from './cells.ts';
import { fileFeed } from './file-feed.ts';
import type { Columns } from './read-columns.ts';

type Derived =
  | 'isRelease'
  | 'isUndated'
  | 'isProjected'
  | 'vintage'
  | 'stem'
  | 'ordinal'
  | 'clock'
  | 'list'
  | 'timeStatus';
interface EconomicRow extends Required<Omit<EconomicObservation, Derived>> {
  timeStatus: 'exact' | 'all-day' | 'tentative' | null;
}

const readFigure = accepting('a figure as published, such as 0.4%', readPublishedText);

const COLUMNS: Columns<EconomicRow> = {
  eventName: mandatory(readText),
  country: mandatory(accepting('the English name of a country', readText)),
  date: mandatory(readDate),
  time: matching(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'New York time, such as 08:30'),
  timeStatus: oneOf(['exact', 'all-day', 'tentative']),
  actual: readFigure,
  consensus: readFigure,
  previous: readFigure,
  revised: readFigure,
  unit: matching(/^[a-z][a-z ]{0,29}$/, 'a unit in lower case'),
  measure: oneOf(['mom', 'qoq', 'yoy', 'level']),
  period: matching(/^\d{4}-(?:0[1-9]|1[0-2]|Q[1-4])$/, 'a month or quarter, such as 2026-10'),
  importance: wholeNumber(1, 3),
  sourceUrl: readUrl,
};

/** Economic releases and events in New York time, one per row; `readme.md` lists the columns. */
export const economicEvents = fileFeed({
  dataset: 'economic-events',
  columns: COLUMNS,
  entityKeyOf: monthOrNull,
  toRow: (cells: Partial<EconomicRow>) => unidentifiedRow(toFacts(cells)),
  finish: identifyRows,
});

function toFacts(cells: Partial<EconomicRow>): EconomicFacts {
  const { eventName, country, date, time, timeStatus, ...others } = cells;
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
