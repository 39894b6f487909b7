import { expect, test } from 'vitest';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import { WELL_KNOWN_EVENTS } from '../../datasets/economic-events/well-known-events.ts';
import { localDate, weekdayOf } from '../../domain/local-date.ts';
import { parseInstant } from '../../platform/instant.ts';
import { createSourceResponse } from '../source-response.ts';
import { provider } from './index.ts';

/** Major statistics of private organizations. */
const PRIVATE = ['us-adp-employment'];

test('requests a figure for every major statistic of an agency when it is due, with its keys', () => {
  const today = localDate('2026-11-20');
  const context = (stems: readonly string[]) => ({
    now: parseInstant('2026-11-20T15:00:00Z') ?? 0,
    today,
    symbols: [],
    ciks: new Map(),
    awaitedFigures: stems.map((stem) => ({ stem, date: today, provider: null })),
    setting: (name: string) =>
      name === 'SEC_CONTACT' ? 'Jane Doe jane@example.org' : 'a-free-key-of-sorts',
  });
  const countOf = (stems: readonly string[]): number =>
    provider.feeds.flatMap((feed) => feed.plan?.(context(stems)) ?? []).length;
  const withoutDueReleases = countOf([]);
  const missing = WELL_KNOWN_EVENTS.filter(({ isAgency, usMajor }) => isAgency && usMajor)
    .map(({ stem }) => stem)
    .filter((stem) => countOf([stem]) === withoutDueReleases);
  expect(missing).toEqual(PRIVATE);
  expect(countOf(['us-fomc-rate-decision'])).toBe(withoutDueReleases + 1);
});

test.each(
  loadFixtures(import.meta.url).filter(({ rejectionReason }) => rejectionReason === undefined),
)('dates every release of $name on a working day, with a link to its source', ({ raw }) => {
  const response = createSourceResponse(raw);
  const feed = provider.feeds.find((candidate) => candidate.claims(response));
  const rows = feed?.parse(response).rows ?? [];
  for (const { dataset, fields } of rows) {
    if (dataset !== 'economic-events') throw new Error(`a row of ${dataset}`);
    if (fields.isUndated !== true) expect([1, 2, 3, 4, 5]).toContain(weekdayOf(fields.date));
    expect(fields.sourceUrl).toMatch(/^https:\/\/[a-z.]+\.(?:gov|treasury\.gov)\//);
  }
});
