import { Type } from 'typebox';
import type { FactObservation, FoundFact, FullFact } from '../../datasets/explore-facts.ts';
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
import { shown } from './instants.ts';

const facts = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const foundFactSchema = named('FactSummary', {
  id: text('Within its data set.'),
  symbol: nullable(text('Which company it is about.')),
  title: nullable(text('What it is called.')),
  date: nullable(date('The day it is listed under.')),
  updatedAt: instant('When the newest change was observed.'),
});

export const fullFactSchema = named('FactDetail', {
  dataset: text('Data set.'),
  id: text('Within it.'),
  isStanding: flag('False when it was taken back; then this is how it was last.'),
  facts: facts('Every field as it is kept.'),
  provenance: Type.Record(
    Type.String(),
    named('FactSource', {
      provider: text('Source.'),
      feed: text('Which of its kinds of answers.'),
      seenAt: instant('Since when it says so.'),
    }),
    { description: 'By field: which source won.' },
  ),
  updatedAt: instant('When the newest change was observed.'),
  observations: list(
    named('Observation', {
      recordId: integer('Number of the record; in quarantine it is `rec_…` with this number.'),
      provider: text('Source.'),
      feed: text('Which of its kinds of answers.'),
      subject: text('Under what it was said: a symbol, a filer, a month.'),
      naturalKey: text('What the source calls the thing.'),
      fields: facts('As it was read.'),
      firstSeenAt: instant('When it was said first.'),
      lastSeenAt: instant('When it was said last.'),
      isLatest: flag('Whether it is the last word of its feed.'),
    }),
    'What sources say of it, or of one so near that it may be meant; the newest first.',
  ),
  versions: list(
    named('FactVersion', {
      knownFrom: instant('From this commit on it was known.'),
      knownTo: nullable(instant('Until this one; null: it stands.')),
      changedFields: list(text('Name of a field.'), 'Against the version before.'),
      facts: facts('Every field as it was.'),
    }),
    'The newest first. Some differ in their sources alone.',
  ),
});

/** Stands for the day of a fact that has none. */
const NO_DAY = '1900-01-01';

export function renderFound({ id, symbol, title, day, updatedAt }: FoundFact): object {
  const shownDay = day === NO_DAY ? null : day;
  return { id, symbol, title, date: shownDay, updatedAt: formatInstant(updatedAt) };
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
    facts: readable(fact.facts),
    provenance: Object.fromEntries(sources) as object,
    updatedAt: formatInstant(updatedAt),
    observations: observations.map(renderObservation),
    versions: versions.map((version) => ({
      knownFrom: formatInstant(version.knownFrom),
      knownTo: shown(version.knownTo),
      changedFields: version.changedFields,
      facts: readable(version.facts),
    })),
  };
}

function renderObservation(said: FactObservation): object {
  const { recordId, provider, feed, subject, naturalKey, isLatest } = said;
  return {
    recordId,
    provider,
    feed,
    subject,
    naturalKey,
    isLatest,
    fields: readable(said.fields as Record<string, unknown>),
    firstSeenAt: formatInstant(said.firstSeenAt),
    lastSeenAt: formatInstant(said.lastSeenAt),
  };
}

/** Instants as people read them; their names end in `At` or `AsOf`. */
function readable(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const isInstant = /(?:At|AsOf)$/.test(name) && typeof value === 'number';
      return [name, isInstant ? formatInstant(value) : value];
    }),
  );
}
