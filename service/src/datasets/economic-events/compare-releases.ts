import type { LocalDate } from '../../domain/local-date.ts';

/** A day on which a source expects a release. */
export interface StatedRelease {
  /** Stem of one event of the release. */
  stem: string;
  date: LocalDate;
}

/** The releases that a source expects in a range of days, both inclusive. */
export interface StatedReleases {
  from: LocalDate;
  to: LocalDate;
  releases: readonly StatedRelease[];
}

/**
 * Returns the differences between a source's days of releases and those in the store, in words and by
 * date; empty if they agree. A release of which the store has no day in the range is not compared,
 * because the source may know more releases.
 */
export function compareReleases(
  { from, to, releases }: StatedReleases,
  stored: readonly StatedRelease[],
): string[] {
  const isInRange = ({ date }: StatedRelease): boolean => date >= from && date <= to;
  const known = stored.filter(isInRange);
  const expected = releases.filter(isInRange);
  const keyOf = ({ stem, date }: StatedRelease): string => `${date} ${stem}`;
  const knownKeys = new Set(known.map(keyOf));
  const expectedKeys = new Set(expected.map(keyOf));
  const knownStems = new Set(known.map(({ stem }) => stem));
  const comparedStems = new Set(releases.map(({ stem }) => stem));
  return [
    ...expected
      .filter((release) => knownStems.has(release.stem) && !knownKeys.has(keyOf(release)))
      .map((release) => `${keyOf(release)} is only in the source`),
    ...known
      .filter((release) => comparedStems.has(release.stem) && !expectedKeys.has(keyOf(release)))
      .map((release) => `${keyOf(release)} is only in the calendar`),
  ].toSorted();
}
