import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import {
  derive,
  figure,
  filed,
  filing,
  history,
  instant,
  nasdaq,
  onlyEvent,
  release,
  row,
} from '../../../test/support/earnings-histories.ts';
import { latest } from '../source-records/observation-history.ts';
import type { EarningsEvent } from './row.ts';

const ACCEPTED = '2026-02-10T21:05:00Z';
const EVE = '2026-02-09T22:00:00Z';
const LATE = '2026-03-01T12:00:00Z';
const FULL = { epsGaap: ['0.80'], epsAdjusted: ['1.10'], revenue: ['900'] } as const;

function estimated(fields: Parameters<typeof row>[1] = {}) {
  const { epsBasis: _, ...plain } = row('2026-02-10', { time: 'time-after-hours', ...fields });
  return nasdaq([EVE, { ...plain, epsEstimate: '1' }]);
}

function lastEvent(histories: Parameters<typeof derive>[0]): EarningsEvent {
  const event = derive(histories).events.at(-1);
  if (event === undefined) throw new Error('no event');
  return event;
}

describe('a press release in the filing of a report', () => {
  test('gives the result, with its document and cell as the source', () => {
    const event = onlyEvent(
      derive([
        estimated(),
        filing(ACCEPTED, ACCEPTED),
        ...release(ACCEPTED, { ...FULL, callAt: '2026-02-10T22:00:00Z' }),
      ]),
    );
    expect(event).toMatchObject({
      eps: '1.10',
      epsBasis: 'adjusted',
      epsGaap: '0.80',
      revenue: '900',
      dateStatus: 'reported',
      reportedAt: instant(ACCEPTED),
      callAt: instant('2026-02-10T22:00:00Z'),
      fiscalPeriodEnd: '2025-12-31',
      epsEstimate: '1',
      isEpsComparable: false,
    });
    expect(event.provenance.eps).toEqual({
      provider: 'sec',
      feed: 'release',
      seenAt: instant(ACCEPTED),
      cell: { row: 'epsAdjusted', column: 'Three months ended', offset: 100 },
    });
  });

  test('gives the guidance in the currency of the report, on its share basis', () => {
    const text = 'We expect earnings of $4.00 to $4.40 per share for the year.';
    const range = { period: 'year', low: '4.00', high: '4.40', currency: 'USD', text } as const;
    const guidance = [
      { ...range, metric: 'epsAdjusted' },
      { ...range, metric: 'revenue', currency: 'EUR' },
    ] as const;
    const split = {
      ratio: { numerator: 4, denominator: 1 },
      after: localDate('2026-05-01'),
      date: localDate('2026-05-02'),
      source: { provider: 'nasdaq', feed: 'splits', seenAt: 0 },
    };
    const histories = [filing(ACCEPTED, ACCEPTED), ...release(ACCEPTED, { ...FULL, guidance })];
    const event = onlyEvent(derive(histories, { splits: [split] }));
    expect(event).toMatchObject({ eps: '0.275', epsGaap: '0.2', revenue: '900' });
    expect(event.guidance).toEqual({
      quarter: null,
      year: { eps: null, epsAdjusted: { low: '1', high: '1.1' }, revenue: null },
    });
    expect(onlyEvent(derive([filing(ACCEPTED), ...release(ACCEPTED, FULL)])).guidance).toBeNull();
  });

  test('leaves what it does not state, or what was refused, null', () => {
    const event = onlyEvent(
      derive([
        estimated(),
        filing(ACCEPTED, ACCEPTED),
        ...release(ACCEPTED, { epsGaap: ['0.80'] }),
      ]),
    );
    expect(event).toMatchObject({ eps: '0.80', epsBasis: 'gaap', epsGaap: '0.80', revenue: null });
  });

  test('gives way to the result of a provider, and to the filed EPS', () => {
    const results = nasdaq([EVE, row('2026-02-10')], [LATE, row('2026-02-10', { eps: '1.12' })]);
    const filings = [filing(ACCEPTED, ACCEPTED), ...release(ACCEPTED, FULL)];
    const facts = filed('2025-12-31', { epsDiluted: figure('0.81'), revenue: figure('901') });
    expect(onlyEvent(derive([results, ...filings, facts]))).toMatchObject({
      eps: '1.12',
      epsGaap: '0.81',
      revenue: '901',
    });
  });

  test('is compared with the estimate if earlier results were on the same basis', () => {
    const [before, after] = ['2025-11-04', '2025-09-30'];
    const earlier = history('nasdaq/calendar-earnings', '2025-09', [
      [`${before}T23:00:00Z`, { ...row(before), fiscalPeriodEnd: localDate(after), eps: '1.1' }],
    ]);
    for (const [filedEps, isEpsComparable] of [
      ['0.7', true],
      ['1.1', false],
    ] as const) {
      const { epsBasis: _, ...fields } = latest(earlier).fields as ReturnType<typeof row>;
      const unstated = history('nasdaq/calendar-earnings', '2025-09', [
        [`${before}T23:00:00Z`, fields],
      ]);
      const facts = filed(after, { epsDiluted: figure(filedEps) });
      const event = lastEvent([
        unstated,
        facts,
        estimated(),
        filing(ACCEPTED, ACCEPTED),
        ...release(ACCEPTED, FULL),
      ]);
      expect(event).toMatchObject({ eps: '1.10', epsBasis: 'adjusted', isEpsComparable });
    }
  });

  test('creates the report of a company that no calendar has', () => {
    const event = onlyEvent(derive([filing(ACCEPTED, ACCEPTED), ...release(ACCEPTED, FULL)]));
    expect(event).toMatchObject({ date: '2026-02-10', eps: '1.10', fiscalPeriodEnd: '2025-12-31' });
  });

  test('corrects the figures if an amendment repeats it', () => {
    const amended = '2026-02-11T15:00:00Z';
    const covers = [filing(ACCEPTED, ACCEPTED), filing(amended, amended)].map((each) => {
      const { at, fields } = latest(each);
      const dated = { ...fields, reportDate: localDate('2026-02-10') };
      return history('sec/submissions', each.naturalKey, [[new Date(at).toISOString(), dated]]);
    });
    const histories = [
      ...covers,
      ...release(ACCEPTED, FULL),
      ...release(amended, { epsAdjusted: ['1.13'] }),
    ];
    for (const order of [histories, histories.toReversed()]) {
      expect(onlyEvent(derive(order))).toMatchObject({ eps: '1.13', revenue: '900' });
    }
  });

  test('makes a 6-K a report, which says nothing without it', () => {
    const foreign = history('sec/filing-index', 'x', [
      [ACCEPTED, { ...latest(filing(ACCEPTED)).fields, form: '6-K', items: [] }],
    ] as never);
    expect(derive([foreign]).events).toEqual([]);
    const event = onlyEvent(derive([foreign, ...release(ACCEPTED, { ...FULL, currency: 'EUR' })]));
    expect(event).toMatchObject({ date: '2026-02-10', eps: '1.10', currency: 'EUR' });
  });

  test('has no comparable figures in another currency', () => {
    const histories = [
      estimated(),
      filing(ACCEPTED, ACCEPTED),
      ...release(ACCEPTED, { ...FULL, currency: 'EUR' }),
    ];
    expect(onlyEvent(derive(histories))).toMatchObject({
      eps: null,
      revenue: null,
      currency: 'USD',
    });
  });
});

describe('a press release that fails a check', () => {
  test.each([
    ['Halden Mills (NYSE: HLDN) reports results', 'release-of-other-company'],
    ['Halden Mills reports results', 'release-of-other-company'],
    ['The company (NASDAQ: NRTH) reports results', null],
    ['NORTHGATE INSTRUMENTS, INC. reports results', null],
  ])('by its opening "%s" is quarantined as %s', (opening, reason) => {
    const derived = derive([
      estimated(),
      filing(ACCEPTED, ACCEPTED),
      ...release(ACCEPTED, { ...FULL, opening }),
    ]);
    expect(onlyEvent(derived).eps).toBe(reason === null ? '1.10' : null);
    expect([...derived.quarantined.values()][0]?.reason ?? null).toBe(reason);
  });

  test('by its period is quarantined, and so are its figures', () => {
    const derived = derive([
      estimated(),
      filing(ACCEPTED, ACCEPTED),
      ...release(ACCEPTED, { ...FULL, periodEnd: '2025-09-30' }),
    ]);
    expect(onlyEvent(derived)).toMatchObject({ eps: null, revenue: null });
    expect([...derived.quarantined.values()].map(({ reason }) => reason).toSorted()).toEqual([
      'release-not-used',
      'release-not-used',
      'release-not-used',
      'release-period-differs',
    ]);
  });

  test('by its filing is quarantined', () => {
    const { quarantined } = derive([estimated(), ...release(ACCEPTED, { revenue: ['900'] })]);
    expect([...quarantined.values()].map(({ reason }) => reason)).toEqual([
      'release-not-in-report',
      'release-not-used',
    ]);
  });
});

describe('a figure with its value of the year before', () => {
  const prior = filed('2024-12-31', {
    epsDiluted: { ...figure('0.70'), filedDate: localDate('2025-02-20') },
    revenue: { ...figure('850'), filedDate: localDate('2025-02-20') },
  });

  test.each([
    ['epsGaap', '0.70', true],
    ['epsGaap', '0.71', true],
    ['epsGaap', '0.17', false],
    ['revenue', '860', true],
    ['revenue', '850000', false],
    ['revenue', '410', false],
  ] as const)('%s %s is served if it was stored so: %s', (name, yearAgo, isServed) => {
    const derived = derive([
      prior,
      estimated(),
      filing(ACCEPTED, ACCEPTED),
      ...release(ACCEPTED, { [name]: ['900', yearAgo] }),
    ]);
    const event = derived.events.at(-1);
    expect(name === 'revenue' ? event?.revenue : event?.epsGaap).toBe(isServed ? '900' : null);
    const reason = [...derived.quarantined.values()].find(
      ({ reason: it }) => it === 'year-ago-differs',
    );
    expect(reason?.detail ?? null).toBe(
      isServed
        ? null
        : `${name} 900: the value beside it for the year before is ${yearAgo}, not ${name === 'revenue' ? '850' : '0.70'}`,
    );
  });

  test('is checked on the share basis of the release', () => {
    const split = {
      ratio: { numerator: 4, denominator: 1 },
      after: localDate('2025-06-01'),
      date: localDate('2025-06-02'),
      source: { provider: 'nasdaq', feed: 'splits', seenAt: 0 },
    };
    for (const [yearAgo, eps] of [
      ['0.175', '0.20'],
      ['0.70', null],
    ] as const) {
      const { events } = derive(
        [
          prior,
          estimated(),
          filing(ACCEPTED, ACCEPTED),
          ...release(ACCEPTED, { epsGaap: ['0.20', yearAgo] }),
        ],
        { splits: [split] },
      );
      expect(events.at(-1)?.epsGaap ?? null).toBe(eps);
    }
  });

  test('is quarantined if its scale does not fit earlier revenue', () => {
    const derived = derive([
      prior,
      estimated(),
      filing(ACCEPTED, ACCEPTED),
      ...release(ACCEPTED, { revenue: ['900000'] }),
    ]);
    expect(derived.events.at(-1)?.revenue).toBeNull();
    expect([...derived.quarantined.values()].map(({ reason }) => reason)).toContain(
      'unlike-known-revenue',
    );
  });

  test('is served after an operator accepted it', () => {
    const histories = release(ACCEPTED, { revenue: ['900', '410'] }).map((each) => ({
      ...each,
      observations: each.observations.map((observation) => ({ ...observation, isAccepted: true })),
    }));
    const event = lastEvent([prior, estimated(), filing(ACCEPTED, ACCEPTED), ...histories]);
    expect(event.revenue).toBe('900');
  });

  test('gives the EPS of the year before if it is not stored', () => {
    const event = onlyEvent(
      derive([
        filing(ACCEPTED, ACCEPTED),
        ...release(ACCEPTED, { epsGaap: ['0.80', '0.60'], epsAdjusted: ['1.10', '0.95'] }),
      ]),
    );
    expect(event).toMatchObject({ eps: '1.10', epsYearAgo: '0.95' });
  });
});
