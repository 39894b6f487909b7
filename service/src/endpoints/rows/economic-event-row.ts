import { decimalToNumber } from '../../domain/decimal.ts';
import type { EconomicEvent } from '../../datasets/economic-events/row.ts';
import { compareText } from '../../platform/compare.ts';
import { formatInstant } from '../../platform/instant.ts';
import {
  type BodyOf,
  choice,
  date,
  flag,
  instant,
  integer,
  named,
  nullable,
  number,
  text,
} from '../schema/fields.ts';
import { maybe } from './earnings-row.ts';
import { provenanceField } from './provenance.ts';

export const economicEventRow = named('EconomicEvent', {
  id: text('Stable id of the release, such as `us-cpi-yoy:2026-10`.'),
  country: text('Country name in English.'),
  countryCode: nullable(text('ISO 3166-1 alpha-2; `EU` for the euro area.')),
  eventName: text('Name of the release or event, including the estimate for GDP.'),
  date: date('New York day of the release.'),
  time: text('`HH:MM` in New York, or `24H` when it lasts all day or is not known.'),
  scheduledAt: nullable(instant('The release as an instant; null when `time` is `24H`.')),
  timeStatus: choice(['exact', 'all-day', 'tentative'], 'Certainty of the time.'),
  actual: nullable(text('As published, with its unit; null until released.')),
  consensus: nullable(text('Consensus, as published.')),
  previous: nullable(text('Figure of the previous period, as published.')),
  revised: nullable(text('Revised or original figure for `previous`, if a source reports it.')),
  actualValue: nullable(number('`actual` in `unit`.')),
  consensusValue: nullable(number('`consensus` in `unit`.')),
  previousValue: nullable(number('`previous` in `unit`.')),
  revisedValue: nullable(number('`revised` in `unit`.')),
  unit: nullable(text('`percent`, `thousand`, `million`, `billion`, `index` and the like.')),
  measure: nullable(
    choice(['mom', 'qoq', 'yoy', 'level'], 'Comparison that the figure expresses.'),
  ),
  period: nullable(
    text('Reference period: `2026-10` or `2026-Q3`; null for several or unknown periods.'),
  ),
  importance: integer('1 low to 3 high.'),
  usMajor: flag('True for the published list of major U.S. indicators.'),
  sourceUrl: nullable(text('URL of the figures.')),
  updatedAt: instant('Time of the last observed change of any other field.'),
  provenance: provenanceField,
});

/** Maps a provenance name to the response fields it covers. */
export const ECONOMIC_SOURCES = {
  schedule: ['date', 'time', 'scheduledAt', 'timeStatus'],
  actual: ['actual', 'actualValue'],
  consensus: ['consensus', 'consensusValue'],
  previous: ['previous', 'previousValue'],
  revised: ['revised', 'revisedValue'],
};

export type EconomicEventRow = BodyOf<typeof economicEventRow>;

export function renderEconomicEvent(event: EconomicEvent): EconomicEventRow {
  return {
    id: event.id,
    country: event.country,
    countryCode: event.countryCode,
    eventName: event.eventName,
    date: event.date,
    time: event.time,
    scheduledAt: maybe(event.scheduledAt, formatInstant),
    timeStatus: event.timeStatus,
    actual: event.actual,
    consensus: event.consensus,
    previous: event.previous,
    revised: event.revised,
    actualValue: maybe(event.actualValue, decimalToNumber),
    consensusValue: maybe(event.consensusValue, decimalToNumber),
    previousValue: maybe(event.previousValue, decimalToNumber),
    revisedValue: maybe(event.revisedValue, decimalToNumber),
    unit: event.unit,
    measure: event.measure,
    period: event.period,
    importance: event.importance,
    usMajor: event.usMajor,
    sourceUrl: event.sourceUrl,
    updatedAt: formatInstant(event.updatedAt),
  };
}

/**
 * Sorts by time with unknown times first, then by country, name and ID so that the order is always
 * the same.
 */
export function byTime(a: EconomicEvent, b: EconomicEvent): number {
  return (
    (a.scheduledAt ?? -Infinity) - (b.scheduledAt ?? -Infinity) ||
    compareText(a.country, b.country) ||
    compareText(a.eventName, b.eventName) ||
    compareText(a.id, b.id)
  );
}
