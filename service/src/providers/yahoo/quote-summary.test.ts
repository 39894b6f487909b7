import { describe, expect, it } from 'vitest';
import type { ParsedRow } from '../provider.ts';
import { quoteSummary } from './quote-summary.ts';
import { apiResponse, timestamp } from '../../../test/support/providers/yahoo-responses.ts';

const ESTIMATES = { earningsAverage: 1.15, revenueAverage: 4_188_350_120 };

function parseModules(modules: object, observedAt?: string) {
  const body = { quoteSummary: { result: [modules], error: null } };
  return quoteSummary.parse(
    apiResponse('v10/finance/quoteSummary/MERD?modules=x', body, observedAt),
  );
}

function report(
  events: object,
  otherModules: object = {},
  observedAt?: string,
): ParsedRow | undefined {
  const calendarEvents = { earnings: { ...ESTIMATES, ...events } };
  return parseModules({ calendarEvents, ...otherModules }, observedAt).rows[0];
}

function trend(period: string, endDate: string, change: object = {}): object {
  return {
    period,
    endDate,
    earningsEstimate: { avg: { raw: 1.2 }, numberOfAnalysts: { raw: 9 }, yearAgoEps: { raw: 1 } },
    revenueEstimate: { avg: { raw: 4_000_000_000 }, revenueCurrency: 'USD' },
    ...change,
  };
}

const AFTER_CLOSE = timestamp('2027-01-28', 16 * 60 + 5);

describe('the next report date on a Yahoo company page', () => {
  it('uses the first day of a date range as a projected report date without a session', () => {
    const earningsDate = [timestamp('2027-01-25', 419), timestamp('2027-01-29', 480)];
    expect(report({ earningsDate, isEarningsDateEstimate: true })?.fields).toMatchObject({
      date: '2027-01-25',
      time: 'time-not-supplied',
      dateStatus: 'projected',
    });
    expect(report({ earningsDate })?.fields).toMatchObject({ dateStatus: 'projected' });
  });

  it('reads the next report date from the earnings module, and its consensus only in dollars', () => {
    const page = (financialCurrency: string) => ({
      earnings: {
        earningsChart: {
          quarterly: [
            {
              date: '3Q2026',
              actual: 1.2,
              estimate: 1.15,
            },
          ],
          currentQuarterEstimate: 1.31,
          currentQuarterEstimateDate: '4Q',
          earningsDate: [AFTER_CLOSE],
          isEarningsDateEstimate: false,
        },
        financialCurrency,
      },
    });
    const day = { date: '2027-01-28', time: 'time-after-hours', dateStatus: 'confirmed' };
    const { rows } = parseModules(page('USD'));
    expect(rows.map(({ fields }) => fields)).toMatchObject([{ ...day, epsEstimate: '1.31' }]);
    const [abroad] = parseModules(page('SEK')).rows;
    expect(abroad?.fields).toMatchObject(day);
    expect(Reflect.get(abroad?.fields ?? {}, 'epsEstimate') ?? null).toBeNull();
  });

  it('treats a single estimated timestamp as a projected report date', () => {
    const guess = report({ earningsDate: [AFTER_CLOSE], isEarningsDateEstimate: true });
    expect(guess?.fields).toMatchObject({
      date: '2027-01-28',
      time: 'time-not-supplied',
      dateStatus: 'projected',
    });
  });

  it.each([
    [timestamp('2027-01-28', 7 * 60), 'time-pre-market'],
    [timestamp('2027-01-28', 12 * 60), 'time-during-market'],
    [AFTER_CLOSE, 'time-after-hours'],
    [Date.UTC(2027, 0, 28) / 1000, 'time-not-supplied'],
  ])(
    'treats a report time of %d that is not an estimate as confirmed, with the session %s',
    (at, time) => {
      const sure = report({ earningsDate: [at], isEarningsDateEstimate: false });
      expect(sure?.fields).toMatchObject({ date: '2027-01-28', time, dateStatus: 'confirmed' });
    },
  );

  it.each([
    ['2025-11-28', 12 * 60 + 55, 'time-during-market'],
    ['2025-11-28', 13 * 60, 'time-after-hours'],
    ['2025-11-28', 13 * 60 + 5, 'time-after-hours'],
    ['2025-11-26', 13 * 60 + 5, 'time-during-market'],
    ['2025-11-27', 13 * 60 + 5, 'time-during-market'],
    ['2025-11-27', 16 * 60 + 5, 'time-after-hours'],
  ])("classifies a report on %s at minute %i by that day's close as %s", (date, minute, time) => {
    const earningsDate = [timestamp(date, minute)];
    const sure = report(
      { earningsDate, isEarningsDateEstimate: false },
      {},
      '2025-11-19T22:00:00Z',
    );
    expect(sure?.fields).toMatchObject({ date, time });
  });

  it('sets no date status for a report in an older response without the estimate flag', () => {
    const fields = report({ earningsDate: [Date.UTC(2027, 0, 28) / 1000] })?.fields ?? {};
    expect(Object.keys(fields)).not.toContain('dateStatus');
    expect(fields).toMatchObject({ date: '2027-01-28', revenueEstimate: '4188350120' });
  });

  it('omits the consensus for a past report date, since it may be for the following report', () => {
    const fields = report({ earningsDate: [timestamp('2026-10-29', 970)] })?.fields ?? {};
    expect(Object.keys(fields)).toEqual(['kind', 'symbol', 'date', 'time']);
  });
});

describe('the quarter of the next report on a Yahoo company page', () => {
  const events = { earningsDate: [AFTER_CLOSE], isEarningsDateEstimate: false };

  it('assigns the next report to the current quarter in the estimates module, and fills in its figures', () => {
    const earningsTrend = { trend: [trend('0q', '2026-12-31'), trend('+1q', '2027-03-31')] };
    const { rows, bad } = parseModules({
      calendarEvents: { earnings: { ...events, ...ESTIMATES } },
      earningsTrend,
    });
    expect(bad).toEqual([]);
    expect(rows.map(({ naturalKey }) => naturalKey)).toEqual(['2026-12', 'ahead:2027-03']);
    expect(rows[0]?.fields).toMatchObject({
      kind: 'calendar',
      fiscalPeriodEnd: '2026-12-31',
      epsEstimate: '1.15',
      estimateCount: 9,
      epsYearAgo: '1',
      revenueEstimate: '4188350120',
    });
    expect(rows[1]?.fields).toMatchObject({
      kind: 'figures',
      fiscalPeriodEnd: '2027-03-31',
      epsEstimate: '1.2',
      revenueEstimate: '4000000000',
    });
  });

  it.each(['2027-03-31', '2026-10-20', '2027-01-28'])(
    'does not assign the next report to the quarter that ends on %s, which has a different report',
    (end) => {
      const row = report(events, { earningsTrend: { trend: [trend('0q', end)] } });
      expect(row?.naturalKey).toBe('date:2027-01-28');
    },
  );

  it('omits estimates in other currencies', () => {
    const estimates = {
      avg: { raw: 68_000_000_000 },
      revenueCurrency: 'DKK',
      earningsCurrency: 'DKK',
    };
    const change = { earningsEstimate: estimates, revenueEstimate: estimates };
    const row = report(events, { earningsTrend: { trend: [trend('0q', '2026-12-31', change)] } });
    expect(Object.keys(row?.fields ?? {})).not.toContain('epsEstimate');
    expect(Object.keys(row?.fields ?? {})).not.toContain('revenueEstimate');
  });

  it('returns no row for a quarter without estimates or for a year', () => {
    const noEstimates = { earningsEstimate: { avg: {} }, revenueEstimate: { avg: {} } };
    const earningsTrend = {
      trend: [trend('+1q', '2027-03-31', noEstimates), trend('0y', '2026-12-31')],
    };
    expect(parseModules({ earningsTrend })).toEqual({ rows: [], bad: [] });
  });
});

describe('estimates in detail on a Yahoo company page', () => {
  const events = { earningsDate: [AFTER_CLOSE], isEarningsDateEstimate: false };
  const range = { earningsLow: 1.1, earningsHigh: 1.2, revenueLow: 4e9, revenueHigh: 4.3e9 };

  it('reads range, number of analysts, past means and revisions from the estimates module', () => {
    const quarter = trend('0q', '2026-12-31', {
      earningsEstimate: { avg: { raw: 1.2 }, low: { raw: 1.1 }, high: 1.3, numberOfAnalysts: 9 },
      revenueEstimate: { avg: 4e9, low: 3.9e9, high: 4.2e9, numberOfAnalysts: 7 },
      epsTrend: { current: 1.2, '7daysAgo': { raw: 1.19 }, '30daysAgo': 1.1, '90daysAgo': {} },
      epsRevisions: { upLast7days: { raw: 0 }, upLast30days: 2, downLast7Days: 1 },
    });
    expect(report(events, { earningsTrend: { trend: [quarter] } })?.fields).toMatchObject({
      epsConsensus: {
        mean: '1.2',
        low: '1.1',
        high: '1.3',
        count: 9,
        mean7DaysAgo: '1.19',
        mean30DaysAgo: '1.1',
        mean60DaysAgo: null,
        mean90DaysAgo: null,
        revisions: { upLast7Days: 0, downLast7Days: 1, upLast30Days: 2, downLast30Days: null },
      },
      revenueConsensus: { mean: '4000000000', low: '3900000000', high: '4200000000', count: 7 },
    });
  });

  it('reads the range next to the report date if there is no estimates module', () => {
    expect(report({ ...events, ...range })?.fields).toMatchObject({
      epsConsensus: { mean: '1.15', low: '1.1', high: '1.2', count: null, revisions: null },
      revenueConsensus: { low: '4000000000', high: '4300000000', count: null },
    });
  });

  it('omits past means in another currency, and a range of zeros', () => {
    const quarter = trend('0q', '2026-12-31', {
      earningsEstimate: { avg: 1.2, low: 1.1, high: 1.3 },
      revenueEstimate: { avg: 0, low: 0, high: 0, numberOfAnalysts: 0 },
      epsTrend: { '7daysAgo': 12.5, epsTrendCurrency: 'SEK' },
    });
    const fields = report(events, { earningsTrend: { trend: [quarter] } })?.fields ?? {};
    expect(fields).toMatchObject({ epsConsensus: { low: '1.1', mean7DaysAgo: null } });
    expect(Object.keys(fields)).not.toContain('revenueConsensus');
  });

  it('rejects a report whose lowest estimate is above the highest', () => {
    const body = { calendarEvents: { earnings: { ...events, ...range, earningsLow: 1.3 } } };
    expect(parseModules(body)).toMatchObject({ rows: [], bad: [{ reason: 'low-above-high' }] });
  });
});

describe('the conference call on a Yahoo company page', () => {
  const callAt = timestamp('2027-01-28', 17 * 60);

  it('returns the call as a row of its own, even if it is the call after the last report', () => {
    const events = { earningsDate: [AFTER_CLOSE], isEarningsDateEstimate: true };
    const calendarEvents = { earnings: { ...events, earningsCallDate: [callAt] } };
    expect(parseModules({ calendarEvents }).rows.slice(1)).toEqual([
      {
        dataset: 'earnings',
        entityKey: 'MERD',
        naturalKey: 'call:2027-01-28',
        fields: { kind: 'call', symbol: 'MERD', callAt: callAt * 1000 },
      },
    ]);
  });

  it('skips a date without a time and rejects an unreadable one', () => {
    const earningsCallDate = [Date.UTC(2027, 0, 28) / 1000, 'soon'];
    const { rows, bad } = parseModules({ calendarEvents: { earnings: { earningsCallDate } } });
    expect([rows, bad.map(({ reason }) => reason)]).toEqual([[], ['bad-date']]);
  });
});

describe('results of past quarters on a Yahoo company page', () => {
  const quarter = { raw: Date.UTC(2026, 8, 30) / 1000 };

  it('keys past results by quarter-end, which is only a date, with adjusted EPS', () => {
    const history = [{ epsActual: { raw: 1.21 }, epsEstimate: { raw: 1.15 }, quarter }];
    expect(parseModules({ earningsHistory: { history } }).rows).toEqual([
      {
        dataset: 'earnings',
        entityKey: 'MERD',
        naturalKey: 'result:2026-09',
        fields: {
          kind: 'figures',
          symbol: 'MERD',
          fiscalPeriodEnd: '2026-09-30',
          fiscalPeriodPrecision: 'month',
          eps: '1.21',
          epsEstimate: '1.15',
        },
      },
    ]);
  });

  it('skips past quarters without figures and rejects past results in another currency', () => {
    const history = [
      { epsActual: {}, epsEstimate: {}, quarter },
      { epsActual: { raw: 6 }, epsEstimate: {}, quarter, currency: 'DKK' },
    ];
    const { rows, bad } = parseModules({ earningsHistory: { history } });
    expect([rows, bad.map(({ reason }) => reason)]).toEqual([[], ['foreign-currency']]);
  });
});

describe('the company profile on a Yahoo company page', () => {
  const price = { symbol: 'MERD', longName: 'Meridian Harbor', exchange: 'NMS', currency: 'USD' };

  it('returns the source’s own classification and the market value', () => {
    const { rows } = parseModules({
      assetProfile: { sector: 'Technology', industry: 'Software', country: 'United States' },
      price: { ...price, marketCap: 48_210_551_000 },
      defaultKeyStatistics: { sharesOutstanding: 1000, impliedSharesOutstanding: 1010 },
    });
    expect(rows).toMatchObject([
      {
        fields: {
          companyName: 'Meridian Harbor',
          exchange: 'Nasdaq',
          sector: 'Technology',
          sharesOutstanding: '1000',
        },
        quote: { symbol: 'MERD', marketCap: '48210551000' },
      },
    ]);
  });

  it('omits the share count if there are several share classes', () => {
    const { rows } = parseModules({
      price,
      defaultKeyStatistics: { sharesOutstanding: 1000, impliedSharesOutstanding: 2200 },
    });
    expect(Object.keys(rows[0]?.fields ?? {})).not.toContain('sharesOutstanding');
  });

  it('recognizes the company by its symbol in any case', () => {
    expect(parseModules({ price: { ...price, symbol: 'merd' } }).rows).toHaveLength(1);
  });
});

describe('a Yahoo page for a different company', () => {
  const calendarEvents = { earnings: { ...ESTIMATES, earningsDate: [AFTER_CLOSE] } };

  it.each([
    { price: { symbol: 'TIDE' } },
    { quoteType: { symbol: 'TIDE' } },
    { price: { symbol: 'MERD' }, quoteType: { symbol: 'MERD.L' } },
  ])('rejects a page for a different company with all its modules: %j', (naming) => {
    const expectedError = { kind: 'error-answer', reason: 'symbol-mismatch' };
    expect(() => parseModules({ ...naming, calendarEvents })).toThrow(
      expect.objectContaining(expectedError),
    );
  });

  it.each([{ price: { symbol: null } }, { quoteType: {} }])(
    'accepts a page without a symbol: %j',
    (naming) => {
      expect(parseModules({ ...naming, calendarEvents }).rows).toHaveLength(1);
    },
  );
});
