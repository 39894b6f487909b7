import { expect, test } from 'vitest';
import { flatBar, pricesUpTo, quietSessions } from '../../../test/support/price-history.ts';
import { eventOf } from '../../../test/support/stored-earnings.ts';
import type { DailyBar, PriceSplit } from '../../domain/daily-bar.ts';
import { localDate } from '../../domain/local-date.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { deriveData, template } from './earnings-reaction.ts';

const market = marketCalendar();
/** A Tuesday. Each of the 20 sessions before it closes at 100 with a volume of 1,000 shares. */
const DAY = '2026-05-12';
const BEFORE = quietSessions(DAY);
const OPENING = { ...flatBar(DAY, '105', 3_000), open: '102' };

const report = eventOf('ACME', {
  id: 'ern_2',
  date: localDate(DAY),
  time: 'time-pre-market',
  markerAhead: true,
  dateStatus: 'reported',
});
const former = { ...report, id: 'ern_1', date: localDate('2026-05-07') };

function derive(
  events: readonly (typeof report)[],
  session: string,
  bars: readonly DailyBar[],
  splits: readonly PriceSplit[] = [],
) {
  const prices = pricesUpTo(session, bars, splits);
  return deriveData(events, { market, session: prices.lastCompletedSession, bars: prices.bars });
}

test('returns exactly the documented fields of a reaction, in order, with hand-computed values', () => {
  const data = derive([report], DAY, [...BEFORE, OPENING]);
  expect(Object.keys(data ?? {})).toEqual(template.fields);
  expect(JSON.stringify(data)).toBe(
    `{"date":"${DAY}","time":"time-pre-market","reactionDate":"${DAY}",` +
      '"reactionBasis":"session","priceChange":5,"gapChange":2,"volumeRatio":3}',
  );
});

test('keeps the previous price reaction until the first session after the report has ended', () => {
  const bars = [...BEFORE, OPENING];
  expect(derive([former, report], '2026-05-11', BEFORE)).toMatchObject({ date: '2026-05-07' });
  expect(derive([former, report], DAY, bars)).toMatchObject({ date: DAY });
  expect(derive([report], '2026-05-11', BEFORE)).toBeNull();
});

test('returns the same price reaction after later sessions', () => {
  const bars = [...BEFORE, OPENING];
  const later = [...bars, flatBar('2026-05-13', '90')];
  expect(derive([report], '2026-05-13', later)).toEqual(derive([report], DAY, bars));
});

test('returns the same price reaction after a later split', () => {
  const bars = [...BEFORE, OPENING, flatBar('2026-05-13', '52.5', 2_000)];
  const split = { date: localDate('2026-05-13'), ratio: { numerator: 2, denominator: 1 } };
  expect(derive([report], '2026-05-13', bars, [split])).toEqual(
    derive([report], DAY, [...BEFORE, OPENING]),
  );
});

test('returns no price reaction without bars', () => {
  expect(derive([report], DAY, [])).toBeNull();
});
