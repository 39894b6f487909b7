import { expect, test } from 'vitest';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import { createSourceResponse } from '../source-response.ts';
import { releaseDates } from './release-dates.ts';

test('states the days of known releases in the range of the list, and no rows', () => {
  const raw = loadFixtures(import.meta.url).find(({ name }) => name === 'release-dates')?.raw;
  if (raw === undefined) throw new Error('no fixture');
  expect(releaseDates.parse(createSourceResponse(raw))).toEqual({
    rows: [],
    bad: [],
    releaseDates: {
      from: '2026-11-17',
      to: '2026-12-08',
      releases: [
        { stem: 'us-housing-starts', date: '2026-11-18' },
        { stem: 'us-initial-jobless-claims', date: '2026-11-19' },
        { stem: 'us-pce-mom', date: '2026-11-25' },
      ],
    },
  });
});
