import { identifyEvents, type Identity } from '../../datasets/economic-events/identify-events.ts';
import { foldName } from '../../datasets/economic-events/well-known-event.ts';
import { type EconomicObservation, monthKey } from '../../datasets/economic-events/observation.ts';
import { readPublishedText, readText } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow } from '../provider.ts';
import { claimsKind, date, parseRows, text } from './read-row.ts';

/** Past and upcoming economic releases as `EconomicView`. */
export const economic: Feed = {
  name: 'economic',
  datasets: ['economic-events'],
  ranks: { 'economic-events': 'simulated' },
  claims: (response) => claimsKind(response, 'economic'),
  parse: (response) => parseRows(response, 'economic', 'economic-events', readRow),
};

function readRow(row: JsonObject): ParsedRow<'economic-events'> {
  const eventName = text(row, 'name');
  const day = date(row, 'date');
  const time = text(row, 'time');
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) throw new RowError('bad-time', `time is ${time}`);
  const measure = measureOf(row);
  const { stem, ordinal } = identify(eventName, measure);
  const fields: EconomicObservation = {
    eventName,
    country: 'United States',
    stem,
    ordinal,
    date: day,
    time,
    timeStatus: 'exact',
    clock: 'new-york',
    list: null,
    actual: readPublishedText(row, 'actual'),
    consensus: readPublishedText(row, 'consensus'),
    previous: readPublishedText(row, 'previous'),
  };
  const name = stem ?? `${foldName(eventName)}/${ordinal}`;
  const naturalKey = `${day}/${name.slice(0, 180)}`;
  return { dataset: 'economic-events', entityKey: monthKey(day), naturalKey, fields };
}

function measureOf(row: JsonObject): 'mom' | 'yoy' | null {
  const word = readText(row, 'measure');
  if (word === null || word === 'mom' || word === 'yoy') return word;
  throw new RowError('unknown-word', `measure is ${word}`);
}

function identify(eventName: string, measure: 'mom' | 'yoy' | null): Identity {
  const event = { eventName, countryCode: 'US', time: null, values: [], measure };
  return identifyEvents([event])[0] ?? { stem: null, ordinal: 1 };
}
