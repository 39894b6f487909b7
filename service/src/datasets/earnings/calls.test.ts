import { expect, test } from 'vitest';
import {
  derive,
  history,
  instant,
  nasdaq,
  onlyEvent,
  quarantineReasons,
  row,
} from '../../../test/support/earnings-histories.ts';

const EARLY = '2026-01-20T12:00:00Z';
const EVE = '2026-02-09T22:00:00Z';

const report = nasdaq([EARLY, row('2026-02-10')]);

function call(callAt: string, seenAt = EVE) {
  return history('yahoo/quote-summary', `call:${callAt.slice(0, 10)}`, [
    [seenAt, { kind: 'call', symbol: 'NRTH', callAt: instant(callAt) }],
  ]);
}

test.each(['2026-02-10T22:00:00Z', '2026-02-11T13:30:00Z', '2026-02-13T15:00:00Z'])(
  'adds the call at %s to the report of 10 February, with its source',
  (callAt) => {
    const event = onlyEvent(derive([report, call(callAt)]));
    const callSource = { provider: 'yahoo', feed: 'quote-summary', seenAt: instant(EVE) };
    expect(event).toMatchObject({ date: '2026-02-10', callAt: instant(callAt) });
    expect(event.provenance['callAt']).toEqual(callSource);
    expect(event.updatedAt).toBe(instant(EVE));
  },
);

test.each(['2025-10-30T21:00:00Z', '2026-02-08T15:00:00Z', '2026-02-14T15:00:00Z'])(
  'quarantines the call at %s, which is about another report, and leaves the call of this one unknown',
  (callAt) => {
    const derived = derive([report, call(callAt)]);
    expect(onlyEvent(derived).callAt).toBeNull();
    expect(quarantineReasons(derived)).toEqual(['release-date-unknown']);
  },
);

test('uses the call that a source saw last, in any order of the rows', () => {
  const moved = [call('2026-02-10T22:00:00Z', EARLY), call('2026-02-11T13:30:00Z', EVE)];
  const expected = instant('2026-02-11T13:30:00Z');
  expect(onlyEvent(derive([report, ...moved])).callAt).toBe(expected);
  expect(onlyEvent(derive([...moved.toReversed(), report])).callAt).toBe(expected);
});

test('drops the call of the old date once the report has moved', () => {
  const moved = nasdaq([EARLY, row('2026-02-10')], [EVE, row('2026-02-24')]);
  expect(onlyEvent(derive([moved, call('2026-02-10T22:00:00Z', EARLY)])).callAt).toBeNull();
});

test('takes the call of a calendar for the day of its report, unless a page shows another', () => {
  const listed = row('2026-02-10', { callAt: instant('2026-02-10T14:30:00Z') });
  const withCall = nasdaq([EARLY, listed]);
  const event = onlyEvent(derive([withCall]));
  expect(event.callAt).toBe(instant('2026-02-10T14:30:00Z'));
  expect(event.provenance['callAt']).toMatchObject({ provider: 'nasdaq', seenAt: instant(EARLY) });
  const page = call('2026-02-10T22:00:00Z');
  expect(onlyEvent(derive([withCall, page])).callAt).toBe(instant('2026-02-10T22:00:00Z'));
  const old = row('2026-02-24', { callAt: instant('2026-02-10T14:30:00Z') });
  expect(onlyEvent(derive([nasdaq([EARLY, old])])).callAt).toBeNull();
});
