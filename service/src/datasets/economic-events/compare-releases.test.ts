import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { compareReleases, type StatedRelease } from './compare-releases.ts';

const range = { from: localDate('2026-11-01'), to: localDate('2026-11-30') };

function release(stem: string, date: string): StatedRelease {
  return { stem, date: localDate(date) };
}

test('names each release whose day differs, and only releases that both sides know', () => {
  const releases = [
    release('us-cpi-mom', '2026-11-12'),
    release('us-ppi-mom', '2026-11-13'),
    release('us-pce-mom', '2026-11-25'),
    release('us-cpi-mom', '2026-12-10'),
  ];
  const stored = [
    release('us-cpi-mom', '2026-11-12'),
    release('us-ppi-mom', '2026-11-14'),
    release('us-beige-book', '2026-11-25'),
    release('us-cpi-mom', '2026-12-11'),
  ];
  expect(compareReleases({ ...range, releases }, stored)).toEqual([
    '2026-11-13 us-ppi-mom is only in the source',
    '2026-11-14 us-ppi-mom is only in the calendar',
  ]);
});

test('finds no difference if both agree', () => {
  const releases = [release('us-cpi-mom', '2026-11-12')];
  expect(compareReleases({ ...range, releases }, releases)).toEqual([]);
});
