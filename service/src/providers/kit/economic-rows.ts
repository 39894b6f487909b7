import { placeOf } from '../../datasets/economic-events/candidate.ts';
import { identifyEvents, type Identity } from '../../datasets/economic-events/identify-events.ts';
import { foldName } from '../../datasets/economic-events/known-event.ts';
import {
  type EconomicObservation,
  monthSubject,
} from '../../datasets/economic-events/observation.ts';
import type { Parsed, ParsedRow } from '../provider.ts';
import { refuseConflicts } from './reject-conflicts.ts';

/** What a list says of one event, before it is told apart from the others of its day. */
export type EconomicFacts = Omit<EconomicObservation, 'stem' | 'ordinal'>;

const UNTOLD: Identity = { stem: null, ordinal: 1 };

/** A row that `tellEventsApart` has still to name: what an event is shows only beside the others. */
export function untoldEvent(facts: EconomicFacts): ParsedRow {
  return toRow(facts, UNTOLD);
}

/** Names the rows of a list, day by day, and holds back those that contradict each other. */
export function tellEventsApart({ rows, bad }: Parsed): Parsed {
  const facts = rows.map(({ fields }) => fields as EconomicObservation);
  const days = Map.groupBy(facts, ({ date }) => date);
  return refuseConflicts({ rows: [...days.values()].flatMap(ofOneDay), bad });
}

function ofOneDay(facts: readonly EconomicObservation[]): ParsedRow[] {
  const identities = identifyEvents(
    facts.map((one) => ({
      eventName: one.eventName,
      countryCode: placeOf(one.country).countryCode,
      time: one.time,
      measure: one.measure ?? null,
      values: [one.actual ?? null, one.consensus ?? null, one.previous ?? null],
    })),
  );
  return facts.map((one, place) => toRow(one, identities[place] ?? UNTOLD));
}

/** An event that no table knows is named by its country, its name and its place among equals. */
function toRow(facts: EconomicFacts, { stem, ordinal }: Identity): ParsedRow {
  const name = stem ?? `${foldName(facts.country)}/${foldName(facts.eventName)}/${ordinal}`;
  return {
    dataset: 'economic-events',
    subject: monthSubject(facts.date),
    naturalKey: `${facts.date}/${name.slice(0, 180)}`,
    fields: { ...facts, stem, ordinal },
  };
}
