import { describe, expect, test } from 'vitest';
import {
  derive,
  filed,
  filing,
  quarantineReasons,
  nasdaq,
  onlyEvent,
  row,
} from '../../../test/support/earnings-histories.ts';

const AHEAD = '2026-02-01T12:00:00Z';
const LATER = '2026-02-20T12:00:00Z';
const MARKED = { time: 'time-after-hours' } as const;
const PROJECTED = { dateStatus: 'projected' } as const;

describe('a projected day on which the market was closed', () => {
  const SUNDAY = '2026-02-08';
  const guess = row(SUNDAY, PROJECTED);

  test('does not use a projected day on which the market was closed as the release date for results filed later', () => {
    const derived = derive([nasdaq([AHEAD, guess]), filed('2025-12-31')]);
    expect(derived.events).toEqual([]);
    expect(quarantineReasons(derived)).toEqual(['release-date-unknown', 'release-date-unknown']);
  });

  test('uses a projected day on which the market was closed until results are filed, and again once a filing confirms it', () => {
    expect(onlyEvent(derive([nasdaq([AHEAD, guess])]))).toMatchObject({
      date: SUNDAY,
      dateStatus: 'projected',
    });
    const projected = derive([
      nasdaq([AHEAD, guess]),
      filed('2025-12-31'),
      filing('2026-02-10T21:30:00Z'),
    ]);
    expect(onlyEvent(projected)).toMatchObject({ date: '2026-02-10', dateStatus: 'reported' });
  });

  test.each([
    ['a date that the company confirmed', AHEAD, { dateStatus: 'confirmed' }, 'reported'],
    ['a projection that a source still lists afterwards', LATER, PROJECTED, 'projected'],
    ['a date listed together with the result', LATER, { eps: '1.3' }, 'reported'],
  ] as const)('uses a date on which the market was closed if it is %s', (_, at, fields, status) => {
    const event = onlyEvent(derive([nasdaq([at, row(SUNDAY, fields)]), filed('2025-12-31')]));
    expect(event).toMatchObject({ date: SUNDAY, dateStatus: status });
  });
});

describe('a date with results that were filed later', () => {
  const DAY = '2026-02-10';

  test.each([
    ['projected', 'a projection seen before the day', [[AHEAD, PROJECTED]]],
    ['projected', 'a projection that is still listed afterwards', [[LATER, PROJECTED]]],
    ['projected', 'a date without a status, last seen before the day', [[AHEAD, {}]]],
    ['reported', 'a date without a status that is still listed afterwards', [[LATER, {}]]],
    ['reported', 'a date without a status but with a session', [[AHEAD, MARKED]]],
    ['projected', 'a projection with a session', [[AHEAD, { ...PROJECTED, ...MARKED }]]],
    ['reported', 'a confirmed date', [[AHEAD, { dateStatus: 'confirmed' }]]],
    ['reported', 'a date with a release time', [[AHEAD, { reportedAt: Date.parse(LATER) }]]],
    [
      'reported',
      'a projection that got the result',
      [
        [AHEAD, PROJECTED],
        [LATER, { eps: '1' }],
      ],
    ],
  ] as const)('is %s if it is %s', (status, _, seen) => {
    const rows = seen.map(([at, fields]) => [at, row(DAY, fields)] as const);
    const event = onlyEvent(derive([nasdaq(...rows), filed('2025-12-31')]));
    expect(event).toMatchObject({ date: DAY, dateStatus: status });
  });

  test('is reported once a filing confirms that results were published', () => {
    const rows = nasdaq([AHEAD, row(DAY, PROJECTED)]);
    const event = onlyEvent(derive([rows, filed('2025-12-31'), filing(`${DAY}T21:30:00Z`)]));
    expect(event).toMatchObject({ date: DAY, dateStatus: 'reported' });
  });
});
