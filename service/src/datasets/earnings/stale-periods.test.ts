import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import {
  derive,
  figure,
  filed,
  filing,
  quarantineReasons,
  instant,
  row,
  history,
} from '../../../test/support/earnings-histories.ts';

const SEPTEMBER = { fiscalPeriodEnd: localDate('2025-09-30') };
const DECEMBER = { fiscalPeriodEnd: localDate('2025-12-31') };
const REPORTED = '2025-10-28';
const COMING = '2026-02-10';

describe('an upcoming report listed under the previous quarter, whose figures were filed long before', () => {
  const day = localDate('2025-10-30');
  const asFiled = { filedDate: day, latestFiledDate: day, latestSinceDate: day };
  const quarter = filed('2025-09-30', {
    revenue: { ...figure('1000000'), ...asFiled },
    epsDiluted: { ...figure('0.9'), ...asFiled },
  });
  const out = [quarter, filing('2025-10-28T20:30:00Z')];
  const stale = row(COMING, { ...SEPTEMBER, epsEstimate: '2' });

  function historyOf(feed: string, ...observations: Parameters<typeof history>[2][number][]) {
    return history(feed, '2025-09', observations);
  }

  test('does not move a published report when its quarter is listed again for an upcoming day', () => {
    const derived = derive([
      ...out,
      historyOf('nasdaq/calendar-earnings', ['2026-01-20T12:00:00Z', stale]),
    ]);
    expect(derived.events).toMatchObject([
      { date: REPORTED, dateStatus: 'reported', revenue: '1000000', time: 'time-after-hours' },
      { date: COMING, dateStatus: 'projected', revenue: null, epsEstimate: '2' },
    ]);
    expect(quarantineReasons(derived)).toEqual([]);
  });

  test('merges an upcoming report listed under the previous quarter with the same report under the correct quarter', () => {
    const right = history('nasdaq/calendar-earnings', '2025-12', [
      ['2026-01-20T12:00:00Z', row(COMING, DECEMBER)],
    ]);
    const wrong = historyOf('alphavantage/earnings-calendar', ['2026-01-21T12:00:00Z', stale]);
    expect(derive([...out, right, wrong]).events).toMatchObject([
      { date: REPORTED, fiscalPeriodEnd: '2025-09-30' },
      { date: COMING, fiscalPeriodEnd: '2025-12-31', dateStatus: 'projected' },
    ]);
  });

  test("keeps a source's earlier values for the previous report when it lists the next report under the same quarter", () => {
    const ahead = { ...SEPTEMBER, epsEstimate: '1', time: 'time-pre-market' } as const;
    const corrected = historyOf(
      'nasdaq/calendar-earnings',
      ['2025-10-20T12:00:00Z', row(REPORTED, ahead)],
      ['2025-10-29T12:00:00Z', row(REPORTED, { ...SEPTEMBER, epsEstimate: '1', eps: '1.1' })],
      ['2026-01-20T12:00:00Z', stale],
    );
    expect(derive([...out, corrected]).events).toMatchObject([
      { date: REPORTED, epsEstimate: '1', eps: '1.1', time: 'time-pre-market', markerAhead: true },
      { date: COMING, epsEstimate: '2', eps: null },
    ]);
  });

  test('withdraws a report listed under the previous quarter when its row is withdrawn', () => {
    const corrected = historyOf('nasdaq/calendar-earnings', ['2026-01-20T12:00:00Z', stale]);
    const withdrawals = new Map([[corrected, instant('2026-01-22T12:00:00Z')]]);
    expect(derive([...out, corrected], { withdrawals }).events).toMatchObject([{ date: REPORTED }]);
  });
});
