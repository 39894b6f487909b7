import { describe, expect, test } from 'vitest';
import {
  derive,
  filed,
  filing,
  history,
  row,
  undated,
} from '../../../test/support/earnings-histories.ts';
import { localDate } from '../../domain/local-date.ts';
import type { EarningsEvent } from './row.ts';

const YEAR_END = { yearEnd: '12-31' };
/** Two years of reports on Thursdays after the close. */
const FILINGS = [
  '2024-01-25',
  '2024-04-25',
  '2024-07-25',
  '2024-10-24',
  '2025-01-23',
  '2025-04-24',
  '2025-07-24',
  '2025-10-23',
  '2026-01-22',
].map((day) => filing(`${day}T21:05:00Z`, '2026-01-23T12:00:00Z'));
const UPCOMING = { fiscalPeriodEnd: localDate('2026-03-31') };

function newest(
  histories: Parameters<typeof derive>[0],
  today = '2026-02-01',
): EarningsEvent | undefined {
  return derive(histories, { ...YEAR_END, today: localDate(today) }).events.at(-1);
}

describe('the next report of a filer', () => {
  test('is projected from its filings, with the filing as source', () => {
    expect(newest(FILINGS)).toMatchObject({
      date: '2026-04-23',
      time: 'time-after-hours',
      dateStatus: 'projected',
      fiscalYear: 2026,
      fiscalQuarter: 1,
      fiscalPeriodEnd: '2026-03-31',
      eps: null,
      reportedAt: null,
      projection: { interval80: { from: expect.any(String) }, basis: expect.any(String) },
      provenance: { date: { provider: 'sec', seenAt: Date.parse('2026-01-23T12:00:00Z') } },
      updatedAt: Date.parse('2026-01-23T12:00:00Z'),
    });
  });

  test.each([
    [
      'a calendar',
      [
        history('nasdaq/calendar-earnings', 'a', [
          ['2026-03-01T12:00:00Z', row('2026-04-21', UPCOMING)],
        ]),
      ],
    ],
    [
      'a projection of a source',
      [
        history('yahoo/quote', 'a', [
          ['2026-03-01T12:00:00Z', undated('2026-04-28', { dateStatus: 'projected' })],
        ]),
      ],
    ],
    ['a filing', [filing('2026-04-22T20:05:00Z', '2026-04-22T20:06:00Z')]],
  ])('keeps its id and loses the projection as soon as %s names the day', (_, more) => {
    const projected = newest(FILINGS);
    const events = derive([...FILINGS, ...more], {
      ...YEAR_END,
      today: localDate('2026-02-01'),
    }).events;
    const named = events.find(({ id }) => id === projected?.id);
    expect(named?.projection).toBeNull();
    expect(named?.date).not.toBe(projected?.date);
  });

  test('has the figures of its quarter that had no day', () => {
    const figures = history('nasdaq/earnings-forecast', 'f', [
      [
        '2026-02-01T12:00:00Z',
        {
          kind: 'figures',
          symbol: 'NRTH',
          fiscalPeriodEnd: localDate('2026-03-31'),
          fiscalPeriodPrecision: 'month',
          epsEstimate: '1.1',
        },
      ],
    ]);
    const derived = derive([...FILINGS, figures], { ...YEAR_END, today: localDate('2026-02-01') });
    expect(derived.events.at(-1)).toMatchObject({ date: '2026-04-23', epsEstimate: '1.1' });
    expect([...derived.quarantined]).toEqual([]);
  });

  test('is the quarter after the one whose results are filed without a day', () => {
    expect(newest([...FILINGS, filed('2026-03-31')])).toMatchObject({ fiscalQuarter: 2 });
  });

  test('changes its time of change when its day passes', () => {
    const moved = newest(FILINGS, '2026-04-24');
    expect(moved?.date).toBe('2026-04-30');
    expect(moved?.updatedAt).toBe(Date.parse('2026-04-24T04:00:00Z'));
    expect(moved?.id).toBe(newest(FILINGS)?.id);
  });

  test('is not projected from calendars alone', () => {
    const days = [
      '2024-01-25',
      '2024-04-25',
      '2024-07-25',
      '2024-10-24',
      '2025-01-23',
      '2025-04-24',
      '2025-07-24',
      '2025-10-23',
    ];
    const calendars = days.map((day) =>
      history('nasdaq/calendar-earnings', day, [[`${day}T23:00:00Z`, undated(day, { eps: '1' })]]),
    );
    expect(
      derive(calendars, YEAR_END).events.filter(({ projection }) => projection !== null),
    ).toEqual([]);
  });
});
