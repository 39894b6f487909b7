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

describe('a projected day on which the market was closed', () => {
  const SUNDAY = '2026-02-08';
  const guess = row(SUNDAY, { dateStatus: 'projected' });

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
    ['a date that the company confirmed', [AHEAD, row(SUNDAY, { dateStatus: 'confirmed' })]],
    ['a date that a source still lists afterwards', ['2026-02-20T12:00:00Z', guess]],
    [
      'a date listed together with the result',
      ['2026-02-20T12:00:00Z', row(SUNDAY, { eps: '1.3' })],
    ],
  ] as const)('uses a date on which the market was closed if it is %s', (_, rows) => {
    const event = onlyEvent(derive([nasdaq(rows), filed('2025-12-31')]));
    expect(event).toMatchObject({ date: SUNDAY, dateStatus: 'reported' });
  });

  test('uses a projected trading day as the release date for results filed later', () => {
    const guessed = nasdaq([AHEAD, row('2026-02-10', { dateStatus: 'projected' })]);
    const event = onlyEvent(derive([guessed, filed('2025-12-31')]));
    expect(event).toMatchObject({ date: '2026-02-10', dateStatus: 'reported' });
  });
});
