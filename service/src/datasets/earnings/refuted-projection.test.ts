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

describe('a day that was only guessed, and on which the market was closed', () => {
  const SUNDAY = '2026-02-08';
  const guess = row(SUNDAY, { dateStatus: 'projected' });

  test('is not told as the day of results that are filed since', () => {
    const derived = derive([nasdaq([AHEAD, guess]), filed('2025-12-31')]);
    expect(derived.events).toEqual([]);
    expect(quarantineReasons(derived)).toEqual(['release-date-unknown', 'release-date-unknown']);
  });

  test('stands until results are filed, and again when a filing tells the day', () => {
    expect(onlyEvent(derive([nasdaq([AHEAD, guess])]))).toMatchObject({
      date: SUNDAY,
      dateStatus: 'projected',
    });
    const told = derive([
      nasdaq([AHEAD, guess]),
      filed('2025-12-31'),
      filing('2026-02-10T21:30:00Z'),
    ]);
    expect(onlyEvent(told)).toMatchObject({ date: '2026-02-10', dateStatus: 'reported' });
  });

  test.each([
    ['a company that confirmed it', [AHEAD, row(SUNDAY, { dateStatus: 'confirmed' })]],
    ['a source that lists it afterwards', ['2026-02-20T12:00:00Z', guess]],
    ['a source with the result', ['2026-02-20T12:00:00Z', row(SUNDAY, { eps: '1.3' })]],
  ] as const)('is believed of %s', (_, said) => {
    const event = onlyEvent(derive([nasdaq(said), filed('2025-12-31')]));
    expect(event).toMatchObject({ date: SUNDAY, dateStatus: 'reported' });
  });

  test('is a guess like any other on a trading day', () => {
    const guessed = nasdaq([AHEAD, row('2026-02-10', { dateStatus: 'projected' })]);
    const event = onlyEvent(derive([guessed, filed('2025-12-31')]));
    expect(event).toMatchObject({ date: '2026-02-10', dateStatus: 'reported' });
  });
});
