import { expect, test } from 'vitest';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import { parseInstant } from '../../platform/instant.ts';
import { createSourceResponse } from '../source-response.ts';
import { claimsReport } from './claims-report.ts';
import { weeklySchedule } from './weekly-schedule.ts';

const fixtures = loadFixtures(import.meta.url);

function responseOf(name: string) {
  const raw = fixtures.find((fixture) => fixture.name === name)?.raw;
  if (raw === undefined) throw new Error(`no fixture ${name}`);
  return createSourceResponse(raw);
}

test('reads initial and continuing claims with the week before, as published and as revised', () => {
  const { rows } = claimsReport.parse(responseOf('claims-report'));
  expect(rows.map(({ fields }) => fields)).toMatchObject([
    {
      stem: 'us-initial-jobless-claims',
      date: '2026-11-19',
      time: '08:30',
      actual: '221K',
      previous: '225K',
      revised: '227K',
      sourceUrl: 'https://www.dol.gov/newsroom/releases/eta/eta20261119',
    },
    {
      stem: 'us-continuing-jobless-claims',
      date: '2026-11-19',
      actual: '1845K',
      previous: '1836K',
      revised: null,
    },
  ]);
});

test('reads one release as a page', () => {
  const { text, contentType, observedAt } = responseOf('claims-report');
  const url = 'https://www.dol.gov/newsroom/releases/eta/eta20261119';
  const response = createSourceResponse({ url, status: 200, contentType, observedAt, text });
  expect(claimsReport.parse(response).rows).toHaveLength(2);
});

test('lists claims on Thursdays, and before a holiday on the day that the page states', () => {
  const { rows } = weeklySchedule.parse(responseOf('weekly-schedule-claims'));
  const initial = rows.filter(
    ({ fields }) => Reflect.get(fields, 'stem') === 'us-initial-jobless-claims',
  );
  const days = initial.map(({ fields }) => String(Reflect.get(fields, 'date'))).toSorted();
  expect(days).toHaveLength(13);
  expect(days.slice(0, 6)).toEqual([
    '2026-11-25',
    '2026-12-03',
    '2026-12-10',
    '2026-12-17',
    '2026-12-23',
    '2026-12-31',
  ]);
  expect(rows.every(({ fields }) => Reflect.get(fields, 'time') === '08:30')).toBe(true);
});

test('moves claims before a holiday that the page does not list', () => {
  const raw = fixtures.find(({ name }) => name === 'weekly-schedule-claims')?.raw;
  if (raw === undefined) throw new Error('no fixture');
  const daysAt = (observedAt: string): string[] => {
    const response = createSourceResponse({ ...raw, observedAt: parseInstant(observedAt) ?? 0 });
    const { rows } = weeklySchedule.parse(response);
    return rows.map(({ fields }) => String(Reflect.get(fields, 'date')));
  };
  // Thanksgiving, and Veterans Day on a Thursday.
  expect(daysAt('2027-10-01T12:00:00Z')).toContain('2027-11-24');
  expect(daysAt('2027-10-01T12:00:00Z')).not.toContain('2027-11-25');
  expect(daysAt('2027-10-01T12:00:00Z')).toContain('2027-11-10');
});
