import { expect, test } from 'vitest';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import type { Feed } from '../provider.ts';
import { createSourceResponse } from '../source-response.ts';
import { weeklySchedule } from './weekly-schedule.ts';
import { gasStorage } from './gas-storage.ts';
import { petroleumStocks } from './petroleum-stocks.ts';

const fixtures = loadFixtures(import.meta.url);

function parse(feed: Feed, name: string) {
  const raw = fixtures.find((fixture) => fixture.name === name)?.raw;
  if (raw === undefined) throw new Error(`no fixture ${name}`);
  return feed.parse(createSourceResponse(raw));
}

function daysOf(name: string): string[] {
  return parse(weeklySchedule, name)
    .rows.map(({ fields }) => `${Reflect.get(fields, 'date')} ${Reflect.get(fields, 'time')}`)
    .toSorted();
}

test('lists the coming weeks of the petroleum report, each once, on its moved or regular day', () => {
  const days = daysOf('weekly-schedule-petroleum');
  expect(days.slice(0, 8)).toEqual([
    '2026-11-12 12:00',
    '2026-11-25 10:30',
    '2026-12-02 10:30',
    '2026-12-09 10:30',
    '2026-12-16 10:30',
    '2026-12-28 17:00',
    '2026-12-30 10:30',
    '2027-01-06 10:30',
  ]);
});

test('keeps a week whose time is not announced out of its regular day', () => {
  const { bad } = parse(weeklySchedule, 'weekly-schedule-petroleum');
  expect(bad.map(({ reason }) => reason)).toEqual(['bad-time']);
  expect(daysOf('weekly-schedule-petroleum')).not.toContain('2027-01-20 10:30');
});

test('replaces the Thursday of a gas report by the Wednesday before or the Monday after', () => {
  const days = daysOf('weekly-schedule-gas');
  expect(days.slice(0, 7)).toEqual([
    '2026-11-25 12:00',
    '2026-12-03 10:30',
    '2026-12-10 10:30',
    '2026-12-17 10:30',
    '2026-12-28 12:00',
    '2026-12-31 10:30',
    '2027-01-07 10:30',
  ]);
  expect(days).toHaveLength(13);
});

test('computes the weekly changes of crude oil stocks in million barrels', () => {
  expect(parse(petroleumStocks, 'petroleum-stocks').rows.map(({ fields }) => fields)).toMatchObject(
    [{ date: '2026-11-18', time: '10:30', actual: '2.010M', previous: '-2.120M' }],
  );
});

test('reads the stated change of natural gas in storage', () => {
  expect(parse(gasStorage, 'gas-storage').rows.map(({ fields }) => fields)).toMatchObject([
    { date: '2026-11-19', time: '10:30', timeStatus: 'exact', actual: '-13B' },
  ]);
});
