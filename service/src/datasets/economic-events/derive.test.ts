import { describe, expect, it } from 'vitest';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { deriveEconomicEvents } from './derive.ts';
import type { EconomicObservation } from './observation.ts';
import type { EconomicEvent } from './row.ts';
import { instant, listed, settled, history } from '../../../test/support/economic-histories.ts';

const NASDAQ = 'nasdaq/economic-events';
const SUMMER = '2026-07-31T01:30:00Z';

/** Builds a row seen in a single capture. */
function row(
  eventName: string,
  date: string,
  time: string | null,
  fields: Partial<EconomicObservation> = {},
  at = SUMMER,
): ObservationHistory<EconomicObservation> {
  return history(NASDAQ, [[at, listed(eventName, date, time, fields)]]);
}

/** Builds a capture that lists each release one day late, at UTC-4. */
function lateCapture(): ObservationHistory<EconomicObservation>[] {
  return [
    row('Crude Oil Inventories', '2026-02-12', '11:30'),
    row('Initial Jobless Claims', '2026-02-13', '09:30'),
    row('Crude Oil Inventories', '2026-02-19', '11:30'),
    row('Initial Jobless Claims', '2026-02-20', '09:30'),
  ];
}

function scheduleOf(events: readonly EconomicEvent[], id: string): unknown[] {
  const event = events.find((one) => one.id === id);
  return [event?.date, event?.time, event?.scheduledAt];
}

describe('calibration by weekly releases', () => {
  it('converts a winter list that is at UTC-4 and one day late to 8:30 on the previous day', () => {
    const { events, quarantined } = deriveEconomicEvents([
      ...lateCapture(),
      row('Nonfarm Payrolls', '2026-02-07', '09:30'),
    ]);
    expect(scheduleOf(events, 'us-nonfarm-payrolls:2026-01')).toEqual([
      '2026-02-06',
      '08:30',
      instant('2026-02-06T13:30:00Z'),
    ]);
    expect(scheduleOf(events, 'us-initial-jobless-claims:2026-02-12')[1]).toBe('08:30');
    expect(quarantined.size).toBe(0);
  });

  it('does not change rows from a source whose clock is correct', () => {
    const at = '2026-10-20T18:39:00Z';
    const { events } = deriveEconomicEvents([
      row('Initial Jobless Claims', '2026-10-22', '08:30', {}, at),
      row('Existing Home Sales', '2026-10-22', '10:00', {}, at),
    ]);
    expect(scheduleOf(events, 'us-existing-home-sales:2026-09')).toEqual([
      '2026-10-22',
      '10:00',
      instant('2026-10-22T14:00:00Z'),
    ]);
  });

  it('calibrates each capture separately, and uses the newest capture of a source that corrected its clock', () => {
    const later = '2026-09-05T01:30:00Z';
    const { events } = deriveEconomicEvents([
      history(NASDAQ, [
        [SUMMER, listed('Factory Orders', '2026-02-13', '11:00')],
        [later, listed('Factory Orders', '2026-02-13', '10:00')],
      ]),
      ...lateCapture(),
      row('Initial Jobless Claims', '2026-02-12', '08:30', {}, later),
      row('Crude Oil Inventories', '2026-02-11', '10:30', {}, later),
    ]);
    expect(scheduleOf(events, 'us-factory-orders-mom:2026-02-13').slice(0, 2)).toEqual([
      '2026-02-13',
      '10:00',
    ]);
  });

  it('calibrates with releases on the same side of a clock change', () => {
    const { events } = deriveEconomicEvents([
      row('Initial Jobless Claims', '2026-03-06', '09:30'),
      row('Initial Jobless Claims', '2026-03-13', '08:30'),
      row('PPI', '2026-03-07', '09:30'),
      row('CPI', '2026-03-12', '08:30'),
    ]);
    expect(scheduleOf(events, 'us-ppi-mom:2026-02').slice(0, 2)).toEqual(['2026-03-06', '08:30']);
    expect(scheduleOf(events, 'us-cpi-mom:2026-02').slice(0, 2)).toEqual(['2026-03-11', '08:30']);
  });

  it('calibrates with the neighboring weeks if releases moved in a holiday week', () => {
    const { events } = deriveEconomicEvents([
      row('Initial Jobless Claims', '2026-11-20', '09:30'),
      row('Crude Oil Inventories', '2026-11-19', '11:30'),
      row('Initial Jobless Claims', '2026-11-26', '09:30'),
      row('Initial Jobless Claims', '2026-12-04', '09:30'),
      row('Crude Oil Inventories', '2026-12-03', '11:30'),
    ]);
    expect(scheduleOf(events, 'us-initial-jobless-claims:2026-11-25').slice(0, 2)).toEqual([
      '2026-11-25',
      '08:30',
    ]);
  });

  it('uses the schedule from an older capture, with the newest figures, if the newest capture cannot be calibrated', () => {
    const { events } = deriveEconomicEvents([
      ...lateCapture(),
      history(NASDAQ, [
        [SUMMER, listed('CPI', '2026-02-12', '09:30', { actual: null })],
        ['2026-08-20T01:30:00Z', listed('CPI', '2026-02-12', '09:30', { actual: '0.4%' })],
      ]),
    ]);
    expect(events.find(({ eventName }) => eventName === 'CPI')).toMatchObject({
      date: '2026-02-11',
      time: '08:30',
      actual: '0.4%',
    });
  });

  it('quarantines a row if its capture cannot be calibrated, and states the reason', () => {
    const far = row('CPI', '2026-05-13', '08:30');
    const otherCapture = row('CPI', '2026-02-12', '09:30', {}, '2026-08-20T01:30:00Z');
    const { events, quarantined } = deriveEconomicEvents([...lateCapture(), far, otherCapture]);
    expect(events.map(({ id }) => id.split(':')[0])).not.toContain('us-cpi-mom');
    expect([...quarantined.values()].map(({ reason }) => reason)).toEqual([
      'unsettled-day',
      'unsettled-day',
    ]);
  });

  it('moves a night-time release to the previous New York day', () => {
    const { events } = deriveEconomicEvents([
      ...lateCapture(),
      row('Fictional Survey', '2026-02-13', '00:30', { country: 'Japan' }),
    ]);
    expect(scheduleOf(events, 'jp-fictional-survey:2026-02-11').slice(0, 2)).toEqual([
      '2026-02-11',
      '23:30',
    ]);
  });
});

it('quarantines a U.S. agency statistic on a weekend, but not a central bank event', () => {
  const { events, quarantined } = deriveEconomicEvents([
    history('files/economic-events', [[SUMMER, settled('CPI', '2026-02-14', '08:30')]]),
    history('files/economic-events', [[SUMMER, settled('FOMC Statement', '2026-02-15', '17:00')]]),
  ]);
  expect(events.map(({ id }) => id)).toEqual(['us-fomc-statement:2026-02-15']);
  expect([...quarantined.values()].map(({ reason }) => reason)).toEqual([
    'agency-release-on-weekend',
  ]);
});

it('lists a weekend statistic once an operator accepts it', () => {
  const observation = history('files/economic-events', [
    [SUMMER, settled('CPI', '2026-02-14', '08:30')],
  ]);
  const observations = observation.observations.map((observation) => ({
    ...observation,
    isAccepted: true,
  }));
  const { events, quarantined } = deriveEconomicEvents([{ ...observation, observations }]);
  expect(events.map(({ date }) => date)).toEqual(['2026-02-14']);
  expect(quarantined.size).toBe(0);
});

it("combines the agency's time with the calendar's figures under one id", () => {
  const schedule = settled('Consumer Price Index', '2026-02-13', '08:30', {
    isRelease: true,
    stem: null,
    list: '2026-02',
  });
  const { events } = deriveEconomicEvents([
    ...lateCapture(),
    history('us-agencies/bls-schedule', [['2025-12-01T00:00:00Z', schedule]]),
    row('CPI', '2026-02-14', '10:15', { actual: '0.4%', consensus: '0.3%', previous: null }),
  ]);
  const cpi = events.filter(({ id }) => id.startsWith('us-cpi-mom'));
  expect(cpi).toMatchObject([
    { id: 'us-cpi-mom:2026-01', date: '2026-02-13', time: '08:30', actual: '0.4%', usMajor: true },
  ]);
  expect(cpi[0]?.provenance).toMatchObject({
    schedule: { provider: 'us-agencies' },
    actual: { provider: 'nasdaq' },
  });
  const ids = events.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['us-cpi-yoy:2026-01', 'us-core-cpi-mom:2026-01']));
});

describe('a row missing from a later capture of its list', () => {
  const later = '2026-07-31T20:00:00Z';
  const names = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'];

  function capture(repeatedCount: number): string[] {
    const rows = names.map((name, i) => {
      const fields = listed(`Fictional ${name}`, '2026-02-13', '09:30');
      return history(NASDAQ, [
        [SUMMER, fields],
        ...(i < repeatedCount ? [[later, fields] as const] : []),
      ]);
    });
    const anchors = lateCapture().map((one) => ({
      ...one,
      observations: one.observations.flatMap((observation) => [
        observation,
        { ...observation, at: instant(later) },
      ]),
    }));
    const { events } = deriveEconomicEvents([...rows, ...anchors]);
    return events.flatMap(({ id }) => /fictional-(\w+)/.exec(id)?.[1] ?? []);
  }

  it('removes an event whose row is missing from a later capture of its list', () => {
    expect(capture(4)).toEqual(['alpha', 'beta', 'delta', 'gamma']);
  });

  it('keeps an event whose row is missing from a later capture of its list if that capture was truncated', () => {
    expect(capture(1)).toHaveLength(5);
  });
});

it('removes a release from its old day when an agency moves it to another month', () => {
  function scheduled(key: string, ...observation: readonly (readonly [at: string, day: string])[]) {
    const days = Map.groupBy(observation, ([, day]) => day.slice(0, 7));
    return [...days.values()].map((same) => {
      const rows = same.map(([at, day]): [string, EconomicObservation] => [
        at,
        settled(`Fictional ${key}`, day, '08:30', { list: day.slice(0, 7) }),
      ]);
      return { ...history('us-agencies/bls-schedule', rows), naturalKey: key };
    });
  }
  const [before, after] = ['2025-09-20T00:00:00Z', '2025-11-14T00:00:00Z'];
  const { events } = deriveEconomicEvents([
    ...scheduled('a', [before, '2025-10-03'], [after, '2025-11-20']),
    ...scheduled('b', [before, '2025-10-16'], [after, '2025-11-25']),
    ...scheduled('c', [before, '2025-10-24'], [after, '2025-10-24']),
  ]);
  expect(events.map(({ date }) => date).toSorted()).toEqual([
    '2025-10-24',
    '2025-11-20',
    '2025-11-25',
  ]);
});

it('quarantines one of two rows with the same event id', () => {
  const at = '2026-02-01T00:00:00Z';
  const { events, quarantined } = deriveEconomicEvents([
    history('files/economic-events', [[at, settled('10-Year Auction', '2026-02-11', '13:00')]]),
    history('files/economic-events', [[at, settled('10 Year Auction', '2026-02-11', '13:00')]]),
  ]);
  expect(events.map(({ id }) => id)).toEqual(['us-10-year-auction:2026-02-11']);
  expect([...quarantined.values()]).toEqual([
    {
      reason: 'same-id-twice',
      detail: 'us-10-year-auction:2026-02-11 is 10 Year Auction already',
    },
  ]);
});

it('keeps the id of an economic release that moves to a different day', () => {
  const { events } = deriveEconomicEvents([
    history('nasdaq/a', [['2026-02-01T00:00:00Z', settled('CPI', '2026-02-11', '08:30')]]),
    history('nasdaq/a', [['2026-02-05T00:00:00Z', settled('CPI', '2026-02-13', '08:30')]]),
  ]);
  expect(events.map(({ id, date }) => [id, date])).toEqual([['us-cpi-mom:2026-01', '2026-02-13']]);
});

it('shows an all-day or tentative event with the time 24H and no instant', () => {
  const { events } = deriveEconomicEvents([
    ...lateCapture(),
    row('Fictional Day', '2026-02-13', null, { country: 'Japan', timeStatus: 'all-day' }),
  ]);
  expect(events.find(({ country }) => country === 'Japan')).toMatchObject({
    date: '2026-02-12',
    time: '24H',
    scheduledAt: null,
    timeStatus: 'all-day',
  });
});

it('sets updatedAt to the newest change to a fact, not to the newest observation', () => {
  const before = settled('CPI', '2026-02-11', '08:30', { actual: null, consensus: '0.3%' });
  const after = { ...before, actual: '0.4%' };
  const { events } = deriveEconomicEvents([
    history('files/economic-events', [
      ['2026-02-01T00:00:00Z', before],
      ['2026-02-11T13:31:00Z', after],
      ['2026-03-01T00:00:00Z', after],
    ]),
  ]);
  expect(events[0]?.updatedAt).toBe(instant('2026-02-11T13:31:00Z'));
});

describe('figures without a release date', () => {
  const figures = settled('us-cpi-mom', '2026-02-15', '08:30', {
    stem: 'us-cpi-mom',
    isUndated: true,
    time: null,
    timeStatus: 'tentative',
    period: '2026-01',
    actual: '0.4%',
    previous: '0.3%',
  });
  const published = history('us-agencies/bls-figures', [['2026-02-13T13:31:00Z', figures]]);

  it('quarantines figures until a source dates their release', () => {
    const { events, quarantined } = deriveEconomicEvents([published]);
    expect(events).toEqual([]);
    expect([...quarantined.values()]).toEqual([
      { reason: 'no-release-date', detail: 'no source dates us-cpi-mom:2026-01' },
    ]);
  });

  it('takes day and time from the schedule and prefers the figures of the agency', () => {
    const listedRow = settled('CPI', '2026-02-13', '08:30', { actual: '0.5%', consensus: '0.3%' });
    const sources = [
      history('nasdaq/economic-events', [['2026-02-13T13:40:00Z', listedRow]]),
      published,
    ];
    for (const histories of [sources, sources.toReversed()]) {
      const { events, quarantined } = deriveEconomicEvents(histories);
      expect(events).toMatchObject([
        {
          id: 'us-cpi-mom:2026-01',
          date: '2026-02-13',
          time: '08:30',
          actual: '0.4%',
          consensus: '0.3%',
          previous: '0.3%',
          provenance: { schedule: { provider: 'nasdaq' }, actual: { feed: 'bls-figures' } },
        },
      ]);
      expect(quarantined.size).toBe(0);
    }
  });
});

it('lists a delayed release once if only one of two sources states its period', () => {
  const release = { isRelease: true, stem: null, list: '2026-04' };
  const official = settled('Gross Domestic Product', '2026-04-09', '08:30', {
    ...release,
    period: '2025-Q4',
    vintage: 'third',
  });
  const listedRow = settled('GDP', '2026-04-09', '08:30', { actual: '1.4%' });
  const { events } = deriveEconomicEvents([
    history('nasdaq/economic-events', [['2026-04-09T13:00:00Z', listedRow]]),
    history('us-agencies/bea-schedule', [['2026-02-01T00:00:00Z', official]]),
  ]);
  expect(events.filter(({ id }) => id.startsWith('us-gdp-qoq'))).toMatchObject([
    {
      id: 'us-gdp-qoq-third:2025-Q4',
      eventName: 'GDP (third estimate)',
      period: '2025-Q4',
      actual: '1.4%',
    },
  ]);
});

it('shows a projected day until another day of that week is announced', () => {
  const minutes = { stem: 'us-fomc-minutes', list: null };
  const projected = history('us-agencies/fomc-calendar', [
    [
      '2024-11-08T03:28:00Z',
      settled('us-fomc-minutes', '2024-11-28', '14:00', { ...minutes, isProjected: true }),
    ],
  ]);
  const announced = history('us-agencies/fed-calendar', [
    ['2024-11-08T03:29:00Z', settled('us-fomc-minutes', '2024-11-26', '14:00', minutes)],
  ]);
  const idsOf = (...histories: ObservationHistory<EconomicObservation>[]) =>
    deriveEconomicEvents(histories).events.map(({ id }) => id);
  expect(idsOf(projected)).toEqual(['us-fomc-minutes:2024-11-28']);
  expect(idsOf(projected, announced)).toEqual(['us-fomc-minutes:2024-11-26']);
});
