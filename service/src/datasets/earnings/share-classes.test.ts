import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import {
  derive,
  figure,
  filed,
  filing,
  history,
  row,
} from '../../../test/support/earnings-histories.ts';
import { shareReports } from './share-classes.ts';

const PAST = '2026-02-12T12:00:00Z';

type Rows = Parameters<typeof shareReports>[0]['own'];

/** Returns a class's row in one source's calendar for the quarter that ended in December 2025. */
function rowOf(symbol: string, fields: Parameters<typeof row>[1], feed = 'nasdaq/calendar') {
  return {
    ...history(feed, '2025-12', [[PAST, row('2026-02-10', { symbol, ...fields })]]),
    entityKey: symbol,
  };
}

function eventOf(own: Rows, others: Rows, filings: Rows = [filing('2026-02-10T21:06:40Z')]) {
  const { events } = derive(shareReports({ own, filed: filings, others: [others] }));
  expect(events).toHaveLength(1);
  return events[0];
}

describe('the share classes of one company', () => {
  const revenueRow = rowOf(
    'NRTHL',
    { eps: '1.2', revenue: '900', time: 'time-pre-market' },
    'finnhub/calendar',
  );

  test('have the same date, session and company figures', () => {
    const rows = [filing('2026-02-10T12:06:40Z')];
    const [own, other] = [[rowOf('NRTH', {})], [rowOf('NRTHL', {}), revenueRow]];
    const [a, b] = [eventOf(own, other, rows), eventOf(other, own, rows)];
    for (const field of ['date', 'time', 'dateStatus', 'revenue', 'reportedAt'] as const) {
      expect(a?.[field]).toBe(b?.[field]);
    }
    expect(a).toMatchObject({ revenue: '900', dateStatus: 'reported' });
  });

  test('have the same reports if only one class is in the calendars', () => {
    expect(eventOf([], [revenueRow])).toMatchObject({ date: '2026-02-10', revenue: '900' });
  });

  test('share per-share figures if a source shows the same ones for both', () => {
    const estimates = { epsEstimate: '1.10' };
    const own = [rowOf('NRTH', estimates)];
    const other = [rowOf('NRTHL', { epsEstimate: '1.11' }), revenueRow];
    expect(eventOf(own, other)).toMatchObject({ eps: '1.2', revenue: '900' });
  });

  test('share per-share figures if a calendar without periods shows the same ones for both', () => {
    const [own = [], other = []] = ['NRTH', 'NRTHL'].map((symbol) => [
      rowOf(symbol, { epsEstimate: '1.1', fiscalPeriodEnd: null }, 'files/calendar'),
    ]);
    expect(eventOf(own, [...other, revenueRow])).toMatchObject({ eps: '1.2', revenue: '900' });
  });

  test('share per-share figures if a single one of several differs', () => {
    const quarters = ['2025-03', '2025-06', '2025-09'];
    const rowsOf = (symbol: string, estimates: readonly string[]) =>
      quarters.map((quarter, i) => ({
        ...history('nasdaq/calendar', quarter, [
          [
            PAST,
            row(`${quarter}-28`, {
              symbol,
              epsEstimate: estimates[i] ?? null,
              fiscalPeriodEnd: localDate(`${quarter}-28`),
            }),
          ],
        ]),
        entityKey: symbol,
      }));
    const own = [rowOf('NRTH', {}), ...rowsOf('NRTH', ['1', '1.1', '1.5'])];
    const other = [rowOf('NRTHL', {}), ...rowsOf('NRTHL', ['1', '1.1', '1.2']), revenueRow];
    const { events } = derive(shareReports({ own, filed: [], others: [other] }));
    expect(events.at(-1)).toMatchObject({ eps: '1.2', revenue: '900' });
  });

  test.each([
    ['a source shows different ones', { epsEstimate: '1650' }],
    ['no source shows whether they are the same', {}],
  ])('do not share per-share figures if %s', (_, fields) => {
    const event = eventOf(
      [rowOf('NRTH.A', fields)],
      [rowOf('NRTH', { epsEstimate: '1.1' }), revenueRow],
    );
    expect(event).toMatchObject({ eps: null, epsEstimate: null, ...fields, revenue: '900' });
  });

  test('do not use a filed EPS that belongs to another class', () => {
    const filings = [filed('2025-12-31', { epsDiluted: figure('1800') })];
    const small = rowOf('NRTH', { eps: '1.2', fiscalPeriodEnd: localDate('2025-12-31') });
    expect(eventOf([small], [], filings)).toMatchObject({ eps: '1.2', epsGaap: null });
    const large = rowOf('NRTH.A', { eps: '1790' });
    expect(eventOf([large], [small], filings)).toMatchObject({ eps: '1790', epsGaap: '1800' });
  });
});
