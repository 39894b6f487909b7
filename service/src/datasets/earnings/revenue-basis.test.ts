import { describe, expect, it } from 'vitest';
import { resolveRevenue } from './revenue-basis.ts';
import {
  derive,
  figure,
  filed,
  onlyEvent,
  row,
  history,
} from '../../../test/support/earnings-histories.ts';

function revenueFrom(value: string, provider = 'finnhub') {
  return { value, source: { provider, feed: 'calendar-earnings', seenAt: 1 } };
}

const FILED = { value: '1000', source: { provider: 'sec', feed: 'companyfacts', seenAt: 2 } };

describe('revenue', () => {
  it.each([
    ['the calendar value within 3 % of the filing', '1030', '1000', '1030'],
    ['the calendar value 3 % below the filing', '970', '1000', '970'],
    ['the filed value if further apart and closer to the consensus', '850', '1005', '1000'],
    ['the calendar value if further apart and closer to the consensus', '850', '860', '850'],
    ['the filed value if further apart without a consensus', '1031', null, '1000'],
    ['the filed value if both are equally close to the consensus', '800', '900', '1000'],
  ])(
    'chooses revenue by its distance from the filing and the consensus: %s',
    (_rule, calendar, consensus, expected) => {
      expect(resolveRevenue(revenueFrom(calendar), FILED, consensus)?.value).toBe(expected);
    },
  );

  it('compares revenue by absolute value for a quarter with trading losses', () => {
    const loss = { ...FILED, value: '-1000' };
    expect(resolveRevenue(revenueFrom('-1020'), loss, '-1000')?.value).toBe('-1020');
  });

  it('takes revenue from the only source that has it', () => {
    expect(resolveRevenue(revenueFrom('850'), null, null)?.value).toBe('850');
    expect(resolveRevenue(null, FILED, '850')?.value).toBe('1000');
    expect(resolveRevenue(null, null, '850')).toBeNull();
  });

  it('always takes revenue from an operator’s file if there is one', () => {
    expect(resolveRevenue(revenueFrom('850', 'files'), FILED, '1000')?.value).toBe('850');
  });

  it('takes revenue from the filing, once it exists, if the calendar excludes partner payments', () => {
    const calendar = history('finnhub/calendar-earnings', '2025Q4', [
      ['2026-02-09T22:00:00Z', row('2026-02-10', { revenueEstimate: '1005' })],
      ['2026-02-11T12:00:00Z', row('2026-02-10', { revenue: '850', revenueEstimate: '1005' })],
    ]);
    const before = onlyEvent(derive([calendar]));
    const after = onlyEvent(derive([calendar, filed('2025-12-31', { revenue: figure('1000') })]));
    expect([before.revenue, after.revenue]).toEqual(['850', '1000']);
    expect(after.provenance.revenue?.provider).toBe('sec');
  });
});
