import { Type } from 'typebox';
import type { FactObservation, FactListItem, FullFact } from '../../datasets/explore-facts.ts';
import {
  date,
  flag,
  instant,
  integer,
  list,
  named,
  nullable,
  text,
} from '../../endpoints/schema/fields.ts';
import { formatInstant } from '../../platform/instant.ts';
import { formatOptional } from './instants.ts';

const anyFields = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description });

export const factSummarySchema = named('FactSummary', {
  id: text('ID, unique within its data set.'),
  symbol: nullable(text('Ticker symbol; null if none.')),
  title: nullable(text('Title; null if none.')),
  date: nullable(date('Date the fact is listed under; null if none.')),
  updatedAt: instant('Time the latest change was observed.'),
});

export const factDetailSchema = named('FactDetail', {
  dataset: text('Name of the data set.'),
  id: text('ID, unique within the data set.'),
  isStanding: flag(
    'Whether the fact is current. If false, it was withdrawn and this is its last version.',
  ),
  facts: anyFields('All fields as stored.'),
  provenance: Type.Record(
    Type.String(),
    named('FactSource', {
      provider: text('Name of the source.'),
      feed: text('Feed of the source.'),
      seenAt: instant('Time the source first reported this value.'),
    }),
    { description: 'The source of each field.' },
  ),
  updatedAt: instant('Time the latest change was observed.'),
  observations: list(
    named('Observation', {
      recordId: integer('Record number. The quarantine ID is `rec_` followed by this number.'),
      provider: text('Name of the source.'),
      feed: text('Feed of the source.'),
      subject: text('Entity key in the source: a symbol, a filer or a month.'),
      naturalKey: text('Key of the row within its source.'),
      fields: anyFields('Fields as parsed.'),
      firstSeenAt: instant('Time of the first observation.'),
      lastSeenAt: instant('Time of the latest observation.'),
      isLatest: flag('Whether this is the latest observation of its feed.'),
    }),
    'Observations of this fact, or of facts close enough to be the same, newest first.',
  ),
  versions: list(
    named('FactVersion', {
      knownFrom: instant('Start of the time this version was current.'),
      knownTo: nullable(instant('End of the time this version was current; null if it still is.')),
      changedFields: list(text('Field name.'), 'Fields that differ from the previous version.'),
      facts: anyFields('All fields of this version.'),
    }),
    'Versions, newest first. Some differ only in the sources of their fields.',
  ),
});

/** Placeholder date for facts without a date. */
const NO_DAY = '1900-01-01';

export function renderFactSummary({ id, symbol, title, day, updatedAt }: FactListItem): object {
  const date = day === NO_DAY ? null : day;
  return { id, symbol, title, date, updatedAt: formatInstant(updatedAt) };
}

export function renderFact(dataset: string, id: string, fact: FullFact): object {
  const { current, observations, versions } = fact;
  const { provenance, updatedAt } = current.version;
  const sources = Object.entries(provenance).map(([field, { provider, feed, seenAt }]) => [
    field,
    { provider, feed, seenAt: formatInstant(seenAt) },
  ]);
  return {
    dataset,
    id,
    isStanding: current.knownTo === null,
    facts: formatInstants(fact.facts),
    provenance: Object.fromEntries(sources) as object,
    updatedAt: formatInstant(updatedAt),
    observations: observations.map(renderObservation),
    versions: versions.map((version) => ({
      knownFrom: formatInstant(version.knownFrom),
      knownTo: formatOptional(version.knownTo),
      changedFields: version.changedFields,
      facts: formatInstants(version.facts),
    })),
  };
}

function renderObservation(observation: FactObservation): object {
  const { recordId, provider, feed, entityKey, naturalKey, isLatest } = observation;
  return {
    recordId,
    provider,
    feed,
    subject: entityKey,
    naturalKey,
    isLatest,
    fields: formatInstants(observation.fields as Record<string, unknown>),
    firstSeenAt: formatInstant(observation.firstSeenAt),
    lastSeenAt: formatInstant(observation.lastSeenAt),
  };
}

/** Formats timestamps, which are the fields whose names end in `At` or `AsOf`. */
function formatInstants(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const isInstant = /(?:At|AsOf)$/.test(name) && typeof value === 'number';
      return [name, isInstant ? formatInstant(value) : value];
    }),
  );
}
