import { describe, expect, test } from 'vitest';
import {
  derive,
  filed,
  figure,
  filing,
  history,
  nasdaq,
  row,
} from '../../../test/support/earnings-histories.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { type AlternativeField, alternativesOf } from './alternatives.ts';

const EARLY = '2026-01-20T12:00:00Z';
const EVE = '2026-02-09T22:00:00Z';
const PAST = '2026-02-12T12:00:00Z';
const MARKED = { time: 'time-after-hours' } as const;

function explain(histories: Parameters<typeof derive>[0]) {
  const [report] = derive(histories).reports;
  if (report === undefined) throw new Error('no report');
  return alternativesOf(report, { market: marketCalendar(), splits: [] });
}

/** Returns the reason and the values of a field, with their sources. */
function explained(field: AlternativeField, histories: Parameters<typeof derive>[0]) {
  const alternatives = explain(histories)[field];
  const values = alternatives?.values.map(({ value, source }) => `${source.provider} ${value}`);
  return { reason: alternatives?.reason, values };
}

function finnhub(...values: Parameters<typeof nasdaq>) {
  return history('finnhub/calendar-earnings', '2025Q4', values);
}

describe('the alternatives of a report', () => {
  test('are empty if all sources agree', () => {
    const fields = { epsEstimate: '1.20', ...MARKED };
    const histories = [
      nasdaq([EVE, row('2026-02-10', fields)]),
      finnhub([EVE, row('2026-02-10', { ...fields, epsEstimate: '1.2' })]),
      filing('2026-02-10T21:06:40Z'),
    ];
    expect(explain(histories)).toEqual({});
  });

  test('name the filing that outranks a date', () => {
    const histories = [
      nasdaq([EVE, row('2026-02-12')]),
      finnhub([EVE, row('2026-02-11')]),
      filing('2026-02-10T21:06:40Z'),
    ];
    expect(explained('date', histories)).toEqual({
      reason: 'Filing accepted 2026-02-10T21:06:40Z outranks nasdaq and finnhub.',
      values: ['sec 2026-02-10', 'nasdaq 2026-02-12', 'finnhub 2026-02-11'],
    });
  });

  test('name the session captured ahead that outranks a filing', () => {
    const histories = [
      nasdaq([EVE, row('2026-02-10', { time: 'time-pre-market' })]),
      filing('2026-02-10T21:06:40Z'),
    ];
    expect(explained('time', histories)).toEqual({
      reason: 'Session captured 2026-02-09T22:00:00Z, ahead of the report, outranks sec.',
      values: ['nasdaq time-pre-market', 'sec time-after-hours'],
    });
  });

  test('name the source of the result for its estimate, and when it was last seen', () => {
    const histories = [
      nasdaq([EARLY, row('2026-02-10', { epsEstimate: '1.1' })]),
      finnhub(
        [EVE, row('2026-02-10', { epsEstimate: '1.2' })],
        [PAST, row('2026-02-10', { epsEstimate: '1.2', eps: '1.3' })],
      ),
    ];
    expect(explained('epsEstimate', histories)).toEqual({
      reason:
        'finnhub, the source of the result, last seen 2026-02-09T22:00:00Z before the release, ' +
        'outranks nasdaq.',
      values: ['finnhub 1.2', 'nasdaq 1.1'],
    });
  });

  test('show a filed EPS beside the published result', () => {
    const histories = [
      nasdaq([PAST, row('2026-02-10', { eps: '1.3' })]),
      filed('2025-12-31', { epsDiluted: figure('0.9') }),
    ];
    expect(explained('eps', histories)).toEqual({
      reason: 'nasdaq outranks sec by precedence.',
      values: ['nasdaq 1.3', 'sec 0.9'],
    });
  });

  test.each([
    ['1010000', 'finnhub 1010000', 'finnhub outranks sec: it agrees with the filed revenue'],
    ['1500000', 'sec 1000000', 'Filed revenue outranks finnhub: it differs by more than 3 %'],
  ])('explain the choice between a revenue of %s and the filed one', (revenue, first, reason) => {
    const choice = explained('revenue', [
      finnhub([PAST, row('2026-02-10', { revenue })]),
      filed('2025-12-31'),
    ]);
    expect(choice.values?.[0]).toBe(first);
    expect(choice.values).toHaveLength(2);
    expect(choice.reason).toContain(reason);
  });

  test('give precedence to your own file', () => {
    const histories = [
      history('files/earnings', '2025-12', [[EARLY, row('2026-02-11')]]),
      nasdaq([EVE, row('2026-02-10')]),
    ];
    expect(explained('date', histories)).toEqual({
      reason: 'Your own file outranks nasdaq.',
      values: ['files 2026-02-11', 'nasdaq 2026-02-10'],
    });
  });
});
