import { type EconomicObservation, monthKey } from '../../datasets/economic-events/observation.ts';
import type { Vintage } from '../../datasets/economic-events/delayed-releases.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { ParsedRow } from '../provider.ts';

/** The figures that an agency published for one period of a well-known event. */
export interface PublishedFigure {
  /** Stem of the well-known event. */
  stem: string;
  /** `2026-10` or `2026-Q3`. */
  period: string;
  vintage?: Vintage | null;
  /** An estimate of the release day, of which only the month counts. */
  date: LocalDate;
  /** Figures as published, with unit. */
  actual: string;
  previous?: string | null;
  revised?: string | null;
  sourceUrl: string;
}

/**
 * Returns the row of a figure whose source states the period but not the day of its release. The
 * release schedule dates it.
 */
export function undatedFigureRow(figure: PublishedFigure): ParsedRow<'economic-events'> {
  const { stem, date, ...stated } = figure;
  const fields: EconomicObservation = {
    eventName: stem,
    country: 'United States',
    stem,
    ordinal: 1,
    date,
    isUndated: true,
    time: null,
    timeStatus: 'tentative',
    clock: 'new-york',
    list: null,
    ...stated,
  };
  const vintage = figure.vintage == null ? '' : `/${figure.vintage}`;
  return {
    dataset: 'economic-events',
    entityKey: monthKey(date),
    naturalKey: `${stem}/${figure.period}${vintage}`,
    fields,
  };
}
