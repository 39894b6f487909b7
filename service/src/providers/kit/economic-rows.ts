import { placeOf } from '../../datasets/economic-events/candidate.ts';
import { identifyEvents, type Identity } from '../../datasets/economic-events/identify-events.ts';
import { foldName } from '../../datasets/economic-events/well-known-event.ts';
import { type EconomicObservation, monthKey } from '../../datasets/economic-events/observation.ts';
import type { ParsedRow, ParseResult } from '../provider.ts';

type EconomicRow = ParsedRow<'economic-events'>;

/**
 * An event as listed by the source, before it is distinguished from other events on the same day.
 */
export type EconomicFacts = Omit<EconomicObservation, 'stem' | 'ordinal'>;

const UNIDENTIFIED: Identity = { stem: null, ordinal: 1 };

/**
 * Returns a row for `identifyRows`, since an event can only be identified together with the other
 * events on its day.
 */
export function unidentifiedRow(facts: EconomicFacts): EconomicRow {
  return toRow(facts, UNIDENTIFIED);
}

/** Identifies the events in a list, day by day. */
export function identifyRows({ rows, bad }: ParseResult<EconomicRow>): ParseResult<EconomicRow> {
  const days = Map.groupBy(rows, ({ fields }) => fields.date);
  return { rows: [...days.values()].flatMap(identifyDay), bad };
}

function identifyDay(rows: readonly EconomicRow[]): EconomicRow[] {
  const identities = identifyEvents(
    rows.map(({ fields: event }) => ({
      eventName: event.eventName,
      countryCode: placeOf(event.country).countryCode,
      time: event.time,
      measure: event.measure ?? null,
      values: [event.actual ?? null, event.consensus ?? null, event.previous ?? null],
    })),
  );
  return rows.map((row, index) => ({
    ...row,
    ...toRow(row.fields, identities[index] ?? UNIDENTIFIED),
  }));
}

/** Returns the row for an event. Unknown events are keyed by country, name and ordinal. */
function toRow(facts: EconomicFacts, { stem, ordinal }: Identity): EconomicRow {
  const name = stem ?? `${foldName(facts.country)}/${foldName(facts.eventName)}/${ordinal}`;
  return {
    dataset: 'economic-events',
    entityKey: monthKey(facts.date),
    naturalKey: `${facts.date}/${name.slice(0, 180)}`,
    fields: { ...facts, stem, ordinal },
  };
}
