import { describe, expect, test } from 'vitest';
import { localDate, type LocalDate } from '../../domain/local-date.ts';
import { derive, figure, filed, history, row } from '../../../test/support/earnings-histories.ts';
import type { CalendarObservation } from './observation.ts';

const ENDS = ['2025-03-31', '2025-06-30', '2025-09-30', '2025-12-31'].map(localDate);
const REPORTS = ['2025-05-06', '2025-08-05', '2025-11-04', '2026-02-10'].map(localDate);

/** Returns one calendar row of a provider for a quarter, without a stated basis. */
function calendar(quarter: number, fields: Partial<CalendarObservation>, feed = 'nasdaq/calendar') {
  const { epsBasis: _, ...unstated } = row(dateAt(REPORTS, quarter));
  const observation = { ...unstated, fiscalPeriodEnd: dateAt(ENDS, quarter), ...fields };
  return history(feed, dateAt(ENDS, quarter), [
    [`${dateAt(REPORTS, quarter)}T23:00:00Z`, observation],
  ]);
}

function filedEps(quarter: number, eps: string) {
  return filed(dateAt(ENDS, quarter), { epsDiluted: figure(eps) });
}

function dateAt(dates: readonly LocalDate[], quarter: number): LocalDate {
  const date = dates[quarter];
  if (date === undefined) throw new RangeError(`quarter ${quarter}`);
  return date;
}

function lastEvent(histories: Parameters<typeof derive>[0]) {
  const event = derive(histories).events.at(-1);
  if (event === undefined) throw new Error('no event');
  return event;
}

describe('the basis that filings show', () => {
  test.each([
    ['gaap', '1.10', '1.1'],
    ['gaap', '1.10', '1.104'],
    ['adjusted', '1.10', '0.85'],
    ['adjusted', '1.10', '-0.4'],
    [null, '1.10', '1.11'],
  ])('is %s for a result of %s and a filed EPS of %s', (basis, eps, epsGaap) => {
    const event = lastEvent([calendar(0, { eps, epsEstimate: '1' }), filedEps(0, epsGaap)]);
    expect(event).toMatchObject({ eps, epsGaap, epsBasis: basis, isEpsComparable: true });
  });

  test('is unknown without a filing', () => {
    expect(lastEvent([calendar(0, { eps: '1.1', epsEstimate: '1' })])).toMatchObject({
      epsBasis: null,
      epsGaap: null,
      isEpsComparable: true,
    });
  });

  test.each([
    ['gaap', ['1.1', '1.2']],
    ['adjusted', ['1.1', '0.4']],
  ])('carries over to later quarters as %s', (basis, [first = '', second = '']) => {
    const event = lastEvent([
      calendar(0, { eps: '1.1' }),
      filedEps(0, first),
      calendar(1, { eps: '1.2' }),
      filedEps(1, second),
      calendar(2, { epsEstimate: '1.3' }),
    ]);
    expect(event).toMatchObject({ eps: null, epsBasis: basis });
    expect(event.provenance.epsBasis?.provider).toBe('sec');
  });

  test('does not override a basis that a source states', () => {
    const stated = calendar(0, { eps: '1.1', epsBasis: 'ffo' }, 'files/earnings');
    expect(lastEvent([stated, filedEps(0, '0.3')])).toMatchObject({
      eps: '1.1',
      epsGaap: '0.3',
      epsBasis: 'ffo',
    });
  });
});

describe('a filed EPS beside an estimate', () => {
  const estimate = calendar(1, { epsEstimate: '1.3' }, 'finnhub/calendar-earnings');

  test('is the result, and is compared if the company publishes no adjusted figure', () => {
    const earlier = [calendar(0, { eps: '1.1' }), filedEps(0, '1.1')];
    expect(lastEvent([...earlier, estimate, filedEps(1, '1.4')])).toMatchObject({
      eps: '1.4',
      epsEstimate: '1.3',
      epsBasis: 'gaap',
      isEpsComparable: true,
    });
  });

  test.each([
    ['the company publishes adjusted figures', [calendar(0, { eps: '1.1' }), filedEps(0, '0.7')]],
    ['nothing shows whether the company adjusts', []],
  ])('is the result, but is not compared if %s', (_, earlier) => {
    expect(lastEvent([...earlier, estimate, filedEps(1, '1.4')])).toMatchObject({
      eps: '1.4',
      epsEstimate: '1.3',
      epsBasis: 'gaap',
      isEpsComparable: false,
    });
  });
});

describe('last year’s EPS', () => {
  const nextYear = (fields: Partial<CalendarObservation>, feed?: string) => {
    const { observations, ...rest } = calendar(0, fields, feed);
    return {
      ...rest,
      naturalKey: '2026-03-31',
      observations: observations.map((observation) => ({
        ...observation,
        at: Date.parse('2026-05-05T23:00:00Z'),
        fields: {
          ...observation.fields,
          date: localDate('2026-05-05'),
          fiscalPeriodEnd: localDate('2026-03-31'),
        } as CalendarObservation,
      })),
    };
  };

  test('comes from the same provider’s result for that year', () => {
    const event = lastEvent([calendar(0, { eps: '1.1' }), nextYear({ eps: '1.3' })]);
    expect(event.epsYearAgo).toBe('1.1');
  });

  test('is the filed EPS of that year beside a filed EPS', () => {
    const event = lastEvent([
      calendar(0, { eps: '1.1' }),
      filedEps(0, '0.7'),
      nextYear({}),
      filed('2026-03-31', { epsDiluted: figure('0.8') }),
    ]);
    expect(event).toMatchObject({ eps: '0.8', epsYearAgo: '0.7' });
  });

  test('is unknown if only a result on another or unknown basis is known', () => {
    const event = lastEvent([
      calendar(0, { eps: '1.1' }, 'finnhub/calendar-earnings'),
      nextYear({ eps: '1.3' }),
    ]);
    expect(event.epsYearAgo).toBeNull();
  });
});
