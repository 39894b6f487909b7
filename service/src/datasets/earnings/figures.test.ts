import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import {
  derive,
  figure,
  filed,
  filing,
  instant,
  nasdaq,
  onlyEvent,
  row,
  history,
} from '../../../test/support/earnings-histories.ts';

const EARLY = '2026-01-20T12:00:00Z';
const EVE = '2026-02-09T22:00:00Z';
const NOON = '2026-02-10T17:00:00Z';
const PAST = '2026-02-12T12:00:00Z';
const LATE = '2026-03-01T12:00:00Z';

function ahead(epsEstimate: string | null) {
  return row('2026-02-10', {
    name: 'Northgate Instruments',
    dateStatus: 'confirmed',
    time: 'time-after-hours',
    epsEstimate,
    estimateCount: 7,
  });
}

describe('the consensus', () => {
  test('still moves before the release, with no instant', () => {
    const event = onlyEvent(derive([nasdaq([EARLY, ahead('1.1')], [EVE, ahead('1.2')])]));
    expect(event).toMatchObject({ epsEstimate: '1.2', estimateAsOf: null, estimateCount: 7 });
  });

  test('is not what a source showed beside results, though the filing followed later', () => {
    const results = row('2026-02-10', { eps: '1.3', epsEstimate: '1.25' });
    const histories = [nasdaq([EVE, row('2026-02-10', { epsEstimate: '1.2' })], [NOON, results])];
    const event = onlyEvent(derive([...histories, filing('2026-02-10T21:30:00Z')]));
    expect(event).toMatchObject({ epsEstimate: '1.2', estimateAsOf: instant(EVE), eps: '1.3' });
  });

  test('of EPS has no instant when it was seen too late, though that of revenue was seen in time', () => {
    const revenue = history('yahoo/quote-summary', '2025-12', [
      [EVE, row('2026-02-10', { revenueEstimate: '900' })],
    ]);
    const late = nasdaq([PAST, row('2026-02-10', { eps: '1.3', epsEstimate: '1.25' })]);
    const event = onlyEvent(derive([revenue, late]));
    expect(event).toMatchObject({ epsEstimate: '1.25', revenueEstimate: '900' });
    expect(event.estimateAsOf).toBeNull();
    expect(event.revenueEstimateAsOf).toBe(instant(EVE));
  });

  test('of revenue is not said to be seen in time because that of EPS was', () => {
    const late = history('yahoo/quote-summary', '2025-12', [
      [PAST, row('2026-02-10', { revenueEstimate: '900', revenue: '950' })],
    ]);
    const event = onlyEvent(derive([nasdaq([EVE, ahead('1.2')]), late]));
    expect(event).toMatchObject({ epsEstimate: '1.2', estimateAsOf: instant(EVE) });
    expect(event).toMatchObject({ revenueEstimate: '900', revenueEstimateAsOf: null });
  });

  test('of EPS and that of revenue have each the moment it was seen', () => {
    const other = history('yahoo/quote-summary', '2025-12', [
      [EARLY, row('2026-02-10', { revenueEstimate: '900' })],
    ]);
    const event = onlyEvent(derive([nasdaq([EVE, ahead('1.2')]), other, filed('2025-12-31')]));
    expect(event.estimateAsOf).toBe(instant(EVE));
    expect(event.revenueEstimateAsOf).toBe(instant(EARLY));
  });

  test('is frozen at the last capture before the release; a later one never overwrites it', () => {
    const event = onlyEvent(
      derive([
        nasdaq(
          [EARLY, ahead('1.1')],
          [EVE, ahead('1.2')],
          [PAST, row('2026-02-10', { eps: '1.3', epsEstimate: '1.25' })],
          [LATE, row('2026-02-10', { eps: '1.3', epsEstimate: '1.27' })],
        ),
      ]),
    );
    expect(event).toMatchObject({ epsEstimate: '1.2', eps: '1.3', estimateAsOf: instant(EVE) });
  });

  test('is frozen by a filing alone, at its acceptance', () => {
    const event = onlyEvent(
      derive([
        nasdaq([EARLY, ahead('1.1')], ['2026-02-10T22:00:00Z', ahead('1.4')]),
        filing('2026-02-10T21:05:00Z'),
      ]),
    );
    expect(event).toMatchObject({ epsEstimate: '1.1', estimateAsOf: instant(EARLY) });
  });

  test('is frozen by filed figures alone', () => {
    const event = onlyEvent(
      derive([nasdaq([EVE, ahead('1.2')], [PAST, ahead('1.4')]), filed('2025-12-31')]),
    );
    expect(event).toMatchObject({ epsEstimate: '1.2', estimateAsOf: instant(EVE), eps: null });
  });

  test('first seen beside the result is the source’s own, without an instant', () => {
    const event = onlyEvent(
      derive([nasdaq([PAST, row('2026-02-10', { eps: '1.3', epsEstimate: '1.25' })])]),
    );
    expect(event).toMatchObject({ epsEstimate: '1.25', estimateAsOf: null });
  });

  test('an early capture without one leaves what the source shows beside the result', () => {
    const event = onlyEvent(
      derive([
        nasdaq(
          [EARLY, ahead(null)],
          [PAST, row('2026-02-10', { eps: '1.3', epsEstimate: '1.25' })],
        ),
      ]),
    );
    expect(event).toMatchObject({ epsEstimate: '1.25', estimateAsOf: null });
  });

  test('of revenue counts though another source gives the EPS', () => {
    const file = history('yahoo/calendar', '2025-12', [
      [EVE, row('2026-02-10', { revenueEstimate: '5000000' })],
    ]);
    const event = onlyEvent(derive([nasdaq([EVE, ahead('1.2')]), file]));
    expect(event).toMatchObject({ epsEstimate: '1.2', revenueEstimate: '5000000' });
  });
});

describe('a result that a source takes back', () => {
  const before = [EVE, ahead('1.2')] as const;
  const out = [PAST, row('2026-02-10', { eps: '1.5', epsEstimate: '1.49' })] as const;
  const withdrawn = [LATE, row('2026-02-10', { eps: null, epsEstimate: '1.49' })] as const;

  test('stays as it was last given, and so do the frozen consensus and what is told of the report', () => {
    const event = onlyEvent(derive([nasdaq(before, out, withdrawn)]));
    expect(event).toMatchObject({
      dateStatus: 'reported',
      eps: '1.5',
      epsEstimate: '1.2',
      estimateAsOf: instant(EVE),
    });
    expect(event).toEqual(onlyEvent(derive([nasdaq(before, out)])));
  });

  test('gives way to a correction that follows', () => {
    const corrected = row('2026-02-10', { eps: '1.47', epsEstimate: '1.49' });
    const event = onlyEvent(
      derive([nasdaq(before, out, withdrawn, ['2026-03-02T12:00:00Z', corrected])]),
    );
    expect(event).toMatchObject({ eps: '1.47', epsEstimate: '1.2' });
  });

  test('gives way to what another list of the provider still gives', () => {
    const surprise = history('nasdaq/earnings-surprise', '2025-12', [
      [PAST, row('2026-02-10', { eps: '1.51', epsEstimate: '1.49' })],
    ]);
    const event = onlyEvent(derive([nasdaq(before, out, withdrawn), surprise]));
    expect(event).toMatchObject({ eps: '1.51', epsEstimate: '1.2' });
  });

  test('stays when it is revenue too', () => {
    const keyed = history('finnhub/calendar-earnings', '2025Q4', [
      [PAST, row('2026-02-10', { eps: '1.5', revenue: '700' })],
      [LATE, row('2026-02-10', { eps: null, revenue: null })],
    ]);
    expect(onlyEvent(derive([keyed]))).toMatchObject({ revenue: '700', eps: '1.5' });
  });

  test('is gone when it was given before the release', () => {
    const early = row('2026-02-10', { eps: '1.5', epsEstimate: '1.2' });
    expect(onlyEvent(derive([nasdaq([EARLY, early], [EVE, ahead('1.3')])])).eps).toBe('1.5');
    const event = onlyEvent(derive([nasdaq([EARLY, early], withdrawn)]));
    expect(event).toMatchObject({ dateStatus: 'projected', eps: null, epsEstimate: '1.49' });
  });

  test('is gone when the report turns out to be still to come', () => {
    const revised = row('2026-03-10', { eps: null, epsEstimate: '1.3' });
    expect(onlyEvent(derive([nasdaq(before, out, [LATE, revised])]))).toMatchObject({
      date: '2026-03-10',
      dateStatus: 'projected',
      eps: null,
      epsEstimate: '1.3',
      estimateAsOf: null,
    });
  });

  test('is gone when an operator empties a cell of a file of their own', () => {
    const file = history('files/earnings', '2025-12', [out, withdrawn]);
    expect(onlyEvent(derive([file]))).toMatchObject({ dateStatus: 'projected', eps: null });
  });

  test('of a provider that another then stands before leaves the report out and its consensus frozen', () => {
    const keyed = history('finnhub/calendar-earnings', '2025Q4', [
      [EVE, row('2026-02-10', { epsEstimate: '1.2' })],
      [PAST, row('2026-02-10', { eps: '1.5', epsEstimate: '1.2' })],
    ]);
    const event = onlyEvent(derive([keyed, nasdaq([EVE, ahead('1.1')], withdrawn)]));
    expect(event).toMatchObject({
      dateStatus: 'reported',
      eps: null,
      epsEstimate: '1.1',
      estimateAsOf: instant(EVE),
    });
  });
});

describe('the basis of EPS', () => {
  test('an adjusted estimate never stands beside a GAAP actual', () => {
    const event = onlyEvent(derive([nasdaq([EVE, ahead('1.2')]), filed('2025-12-31')]));
    expect(event).toMatchObject({ epsEstimate: '1.2', eps: null, epsBasis: 'adjusted' });
    expect(event.revenue).toBe('1000000');
  });

  test('is GAAP where only filed figures give one, and then an adjusted one of last year is left out', () => {
    const event = onlyEvent(
      derive([nasdaq([EVE, row('2026-02-10', { epsYearAgo: '0.8' })]), filed('2025-12-31')]),
    );
    expect(event).toMatchObject({ eps: '0.9', epsBasis: 'gaap', epsYearAgo: null });
  });

  test('EPS of last year is shown though there is no estimate', () => {
    const event = onlyEvent(
      derive([nasdaq([EVE, row('2026-02-10', { epsEstimate: null, epsYearAgo: '-0.78' })])]),
    );
    expect(event).toMatchObject({ epsEstimate: null, epsYearAgo: '-0.78', epsBasis: 'adjusted' });
  });

  test('a fourth quarter without filed EPS has none, and its revenue stands', () => {
    const event = onlyEvent(
      derive([
        filing('2026-02-10T21:05:00Z'),
        filed('2025-12-31', { epsDiluted: null, revenue: { ...figure('700'), derived: true } }),
      ]),
    );
    expect(event).toMatchObject({ eps: null, epsBasis: null, revenue: '700' });
  });

  test('actual and estimate are of one provider, the believed first of those that give any', () => {
    const other = history('finnhub/calendar', '2025-12', [
      [EVE, row('2026-02-10', { epsEstimate: '9', eps: '9.5' })],
    ]);
    expect(onlyEvent(derive([nasdaq([EVE, ahead('1.2')]), other])).eps).toBeNull();
    expect(onlyEvent(derive([nasdaq([EVE, ahead(null)]), other]))).toMatchObject({
      epsEstimate: '9',
      eps: '9.5',
    });
  });

  test('last year’s report gives EPS of a year ago on the same basis', () => {
    const prior = history('nasdaq/calendar-earnings', '2024-12', [
      [
        PAST,
        row('2025-02-11', {
          eps: '1.05',
          epsEstimate: '1',
          fiscalPeriodEnd: localDate('2024-12-31'),
        }),
      ],
    ]);
    const { events } = derive([prior, nasdaq([EVE, ahead('1.2')])]);
    expect(events.map(({ epsYearAgo }) => epsYearAgo)).toEqual([null, '1.05']);
  });
});

describe('figures filed in another currency', () => {
  const inCrowns = filed('2025-12-31', { currency: 'DKK', revenue: figure('11000000') });
  const revenueAhead = history('finnhub/calendar-earnings', '2025Q4', [
    [EVE, row('2026-02-10', { revenueEstimate: '8000000' })],
  ]);

  test('stand beside no figures of calendars, which are in dollars', () => {
    const past = nasdaq([PAST, row('2026-02-10', { eps: '0.63', epsEstimate: '0.6' })]);
    expect(onlyEvent(derive([past, revenueAhead, inCrowns]))).toMatchObject({
      currency: 'USD',
      eps: '0.63',
      epsEstimate: '0.6',
      epsBasis: 'adjusted',
      revenue: null,
      revenueEstimate: '8000000',
      dateStatus: 'reported',
    });
  });

  test('tell that the report is out, and freeze its consensus, though none is shown', () => {
    const late = nasdaq([EVE, ahead('1.2')], [PAST, ahead('1.4')]);
    expect(onlyEvent(derive([late, inCrowns]))).toMatchObject({
      currency: 'USD',
      eps: null,
      revenue: null,
      dateStatus: 'reported',
      epsEstimate: '1.2',
      estimateAsOf: instant(EVE),
    });
    expect(onlyEvent(derive([revenueAhead, inCrowns]))).toMatchObject({
      currency: 'USD',
      eps: null,
      epsBasis: null,
      revenue: null,
      dateStatus: 'reported',
    });
  });

  test('are shown in it where no calendar gives a figure', () => {
    const silent = nasdaq([EVE, row('2026-02-10', { currency: 'USD' })]);
    expect(onlyEvent(derive([silent, inCrowns]))).toMatchObject({
      currency: 'DKK',
      eps: '0.9',
      epsBasis: 'gaap',
      revenue: '11000000',
    });
  });

  test('are shown beside those of a source that gives them in that currency', () => {
    const files = history('files/earnings', '2025-12', [
      [EVE, row('2026-02-10', { revenueEstimate: '10000000', currency: 'DKK' })],
    ]);
    expect(onlyEvent(derive([files, inCrowns]))).toMatchObject({
      currency: 'DKK',
      revenue: '11000000',
      revenueEstimate: '10000000',
    });
  });

  test('are not those of a year ago of a report in dollars', () => {
    const prior = nasdaq([PAST, row('2025-02-11', { fiscalPeriodEnd: localDate('2024-12-31') })]);
    const { events } = derive([
      { ...prior, naturalKey: '2024-12' },
      filed('2024-12-31', { currency: 'DKK' }),
      nasdaq([EVE, row('2026-02-10')]),
      filed('2025-12-31'),
    ]);
    expect(events.map(({ currency, epsYearAgo }) => [currency, epsYearAgo])).toEqual([
      ['DKK', null],
      ['USD', null],
    ]);
  });
});

describe('updatedAt', () => {
  const base = [EARLY, ahead('1.1')] as const;

  test('repeating what was said changes nothing', () => {
    const once = onlyEvent(derive([nasdaq(base)]));
    const twice = onlyEvent(derive([nasdaq(base, [EVE, ahead('1.1')])]));
    expect(twice).toEqual(once);
    expect(once.updatedAt).toBe(instant(EARLY));
  });

  test.each([
    ['an estimate that moves', { epsEstimate: '1.2' }],
    ['an estimate that is withdrawn', { epsEstimate: null }],
    ['a date that moves', { date: localDate('2026-02-11') }],
    ['another marker', { time: 'time-pre-market' }],
    ['another count of analysts', { estimateCount: 8 }],
    ['a company’s new name', { name: 'Northgate Group' }],
  ] as const)('%s is news', (_, change) => {
    const event = onlyEvent(derive([nasdaq(base, [EVE, { ...ahead('1.1'), ...change }])]));
    expect(event.updatedAt).toBe(instant(EVE));
  });

  test('a filing that only tells that the report is out is news', () => {
    const event = onlyEvent(derive([nasdaq(base), filing('2026-02-10T23:00:00Z', PAST)]));
    expect(event).toMatchObject({ time: 'time-after-hours', updatedAt: instant(PAST) });
  });

  test('a row of the past that leaves out last year’s EPS changes nothing of it', () => {
    const calendar = nasdaq(
      [EARLY, { ...ahead('1.1'), epsYearAgo: '0.8' }],
      [EVE, ahead('1.1')],
      [PAST, { ...ahead('1.1'), epsYearAgo: '0.8' }],
    );
    expect(onlyEvent(derive([calendar]))).toMatchObject({
      epsYearAgo: '0.8',
      updatedAt: instant(EARLY),
    });
  });

  test('a new symbol is news', () => {
    const event = onlyEvent(derive([nasdaq(base)], { renamedAt: instant(LATE) }));
    expect(event.updatedAt).toBe(instant(LATE));
  });
});
