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
  test('leaves `estimateAsOf` null until the release, because the consensus can still change', () => {
    const event = onlyEvent(derive([nasdaq([EARLY, ahead('1.1')], [EVE, ahead('1.2')])]));
    expect(event).toMatchObject({ epsEstimate: '1.2', estimateAsOf: null, estimateCount: 7 });
  });

  test('excludes consensus values that a source showed together with results, even if the filing followed later', () => {
    const results = row('2026-02-10', { eps: '1.3', epsEstimate: '1.25' });
    const histories = [nasdaq([EVE, row('2026-02-10', { epsEstimate: '1.2' })], [NOON, results])];
    const event = onlyEvent(derive([...histories, filing('2026-02-10T21:30:00Z')]));
    expect(event).toMatchObject({ epsEstimate: '1.2', estimateAsOf: instant(EVE), eps: '1.3' });
  });

  test('leaves `estimateAsOf` null if the EPS consensus was seen too late, even if the revenue consensus was seen in time', () => {
    const revenue = history('yahoo/quote-summary', '2025-12', [
      [EVE, row('2026-02-10', { revenueEstimate: '900' })],
    ]);
    const late = nasdaq([PAST, row('2026-02-10', { eps: '1.3', epsEstimate: '1.25' })]);
    const event = onlyEvent(derive([revenue, late]));
    expect(event).toMatchObject({ epsEstimate: '1.25', revenueEstimate: '900' });
    expect(event.estimateAsOf).toBeNull();
    expect(event.revenueEstimateAsOf).toBe(instant(EVE));
  });

  test('does not apply the time of the EPS consensus to the revenue consensus', () => {
    const late = history('yahoo/quote-summary', '2025-12', [
      [PAST, row('2026-02-10', { revenueEstimate: '900', revenue: '950' })],
    ]);
    const event = onlyEvent(derive([nasdaq([EVE, ahead('1.2')]), late]));
    expect(event).toMatchObject({ epsEstimate: '1.2', estimateAsOf: instant(EVE) });
    expect(event).toMatchObject({ revenueEstimate: '900', revenueEstimateAsOf: null });
  });

  test('records separate times for the EPS consensus and the revenue consensus', () => {
    const other = history('yahoo/quote-summary', '2025-12', [
      [EARLY, row('2026-02-10', { revenueEstimate: '900' })],
    ]);
    const event = onlyEvent(derive([nasdaq([EVE, ahead('1.2')]), other, filed('2025-12-31')]));
    expect(event.estimateAsOf).toBe(instant(EVE));
    expect(event.revenueEstimateAsOf).toBe(instant(EARLY));
  });

  test('freezes the consensus at the last capture before the release and never overwrites it afterwards', () => {
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

  test("freezes the consensus at a filing's acceptance time, even without a result from any source", () => {
    const event = onlyEvent(
      derive([
        nasdaq([EARLY, ahead('1.1')], ['2026-02-10T22:00:00Z', ahead('1.4')]),
        filing('2026-02-10T21:05:00Z'),
      ]),
    );
    expect(event).toMatchObject({ epsEstimate: '1.1', estimateAsOf: instant(EARLY) });
  });

  test('freezes the consensus once figures are filed, even without any other sign of the release', () => {
    const event = onlyEvent(
      derive([nasdaq([EVE, ahead('1.2')], [PAST, ahead('1.4')]), filed('2025-12-31')]),
    );
    expect(event).toMatchObject({ epsEstimate: '1.2', estimateAsOf: instant(EVE), eps: '0.9' });
  });

  test('uses a consensus first seen with the result, but leaves `estimateAsOf` null', () => {
    const event = onlyEvent(
      derive([nasdaq([PAST, row('2026-02-10', { eps: '1.3', epsEstimate: '1.25' })])]),
    );
    expect(event).toMatchObject({ epsEstimate: '1.25', estimateAsOf: null });
  });

  test('uses the consensus from the response with the result if the early capture had none', () => {
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

  test('takes the revenue consensus and the EPS consensus from different sources if necessary', () => {
    const file = history('yahoo/calendar', '2025-12', [
      [EVE, row('2026-02-10', { revenueEstimate: '5000000' })],
    ]);
    const event = onlyEvent(derive([nasdaq([EVE, ahead('1.2')]), file]));
    expect(event).toMatchObject({ epsEstimate: '1.2', revenueEstimate: '5000000' });
  });
});

describe('a result that a source removes', () => {
  const before = [EVE, ahead('1.2')] as const;
  const out = [PAST, row('2026-02-10', { eps: '1.5', epsEstimate: '1.49' })] as const;
  const withdrawn = [LATE, row('2026-02-10', { eps: null, epsEstimate: '1.49' })] as const;

  test('keeps a result that its source removes, the frozen consensus and the reported status', () => {
    const event = onlyEvent(derive([nasdaq(before, out, withdrawn)]));
    expect(event).toMatchObject({
      dateStatus: 'reported',
      eps: '1.5',
      epsEstimate: '1.2',
      estimateAsOf: instant(EVE),
    });
    expect(event).toEqual(onlyEvent(derive([nasdaq(before, out)])));
  });

  test('replaces a removed result with a later correction', () => {
    const corrected = row('2026-02-10', { eps: '1.47', epsEstimate: '1.49' });
    const event = onlyEvent(
      derive([nasdaq(before, out, withdrawn, ['2026-03-02T12:00:00Z', corrected])]),
    );
    expect(event).toMatchObject({ eps: '1.47', epsEstimate: '1.2' });
  });

  test('replaces a removed result with the value in another list from the same provider', () => {
    const surprise = history('nasdaq/earnings-surprise', '2025-12', [
      [PAST, row('2026-02-10', { eps: '1.51', epsEstimate: '1.49' })],
    ]);
    const event = onlyEvent(derive([nasdaq(before, out, withdrawn), surprise]));
    expect(event).toMatchObject({ eps: '1.51', epsEstimate: '1.2' });
  });

  test('keeps a revenue result that its source removes', () => {
    const keyed = history('finnhub/calendar-earnings', '2025Q4', [
      [PAST, row('2026-02-10', { eps: '1.5', revenue: '700' })],
      [LATE, row('2026-02-10', { eps: null, revenue: null })],
    ]);
    expect(onlyEvent(derive([keyed]))).toMatchObject({ revenue: '700', eps: '1.5' });
  });

  test('drops a removed result if it was published before the release', () => {
    const early = row('2026-02-10', { eps: '1.5', epsEstimate: '1.2' });
    expect(onlyEvent(derive([nasdaq([EARLY, early], [EVE, ahead('1.3')])])).eps).toBe('1.5');
    const event = onlyEvent(derive([nasdaq([EARLY, early], withdrawn)]));
    expect(event).toMatchObject({ dateStatus: 'projected', eps: null, epsEstimate: '1.49' });
  });

  test('drops a removed result if the report is still upcoming', () => {
    const revised = row('2026-03-10', { eps: null, epsEstimate: '1.3' });
    expect(onlyEvent(derive([nasdaq(before, out, [LATE, revised])]))).toMatchObject({
      date: '2026-03-10',
      dateStatus: 'projected',
      eps: null,
      epsEstimate: '1.3',
      estimateAsOf: null,
    });
  });

  test('drops a result if an operator empties its cell in a file', () => {
    const file = history('files/earnings', '2025-12', [out, withdrawn]);
    expect(onlyEvent(derive([file]))).toMatchObject({ dateStatus: 'projected', eps: null });
  });

  test('takes result and frozen consensus from a lower-ranked provider if only that one has a result', () => {
    const keyed = history('finnhub/calendar-earnings', '2025Q4', [
      [EVE, row('2026-02-10', { epsEstimate: '1.2' })],
      [PAST, row('2026-02-10', { eps: '1.5', epsEstimate: '1.2' })],
    ]);
    const event = onlyEvent(derive([keyed, nasdaq([EVE, ahead('1.1')], withdrawn)]));
    expect(event).toMatchObject({
      dateStatus: 'reported',
      eps: '1.5',
      epsEstimate: '1.2',
      estimateAsOf: instant(EVE),
    });
  });
});

describe('the basis of EPS', () => {
  test('shows a filed EPS beside an estimate, without comparing the two', () => {
    const event = onlyEvent(derive([nasdaq([EVE, ahead('1.2')]), filed('2025-12-31')]));
    expect(event).toMatchObject({ epsEstimate: '1.2', eps: '0.9', epsGaap: '0.9' });
    expect(event).toMatchObject({ epsBasis: 'gaap', isEpsComparable: false, revenue: '1000000' });
  });

  test("uses the GAAP basis if only filed figures exist and last year's adjusted EPS is unknown", () => {
    const event = onlyEvent(
      derive([nasdaq([EVE, row('2026-02-10', { epsYearAgo: '0.8' })]), filed('2025-12-31')]),
    );
    expect(event).toMatchObject({ eps: '0.9', epsBasis: 'gaap', epsYearAgo: null });
  });

  test("keeps last year's adjusted EPS even without an estimate", () => {
    const event = onlyEvent(
      derive([nasdaq([EVE, row('2026-02-10', { epsEstimate: null, epsYearAgo: '-0.78' })])]),
    );
    expect(event).toMatchObject({ epsEstimate: null, epsYearAgo: '-0.78', epsBasis: 'adjusted' });
  });

  test('leaves EPS and its basis null for a fourth quarter without filed EPS, and keeps the revenue', () => {
    const event = onlyEvent(
      derive([
        filing('2026-02-10T21:05:00Z'),
        filed('2025-12-31', { epsDiluted: null, revenue: { ...figure('700'), derived: true } }),
      ]),
    );
    expect(event).toMatchObject({ eps: null, epsBasis: null, revenue: '700' });
  });

  test('takes EPS and its estimate from a single provider, the preferred one that has a result', () => {
    const other = history('finnhub/calendar', '2025-12', [
      [EVE, row('2026-02-10', { epsEstimate: '9', eps: '9.5' })],
    ]);
    const expected = { epsEstimate: '9', eps: '9.5', isEpsComparable: true };
    expect(onlyEvent(derive([nasdaq([EVE, ahead('1.2')]), other]))).toMatchObject(expected);
    expect(onlyEvent(derive([nasdaq([EVE, ahead(null)]), other]))).toMatchObject(expected);
  });

  test('takes last year’s EPS from the report for that year on the same basis', () => {
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

  test('does not combine figures filed in another currency with calendar figures, which are in dollars', () => {
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

  test('treats a report as published and freezes its consensus when figures are filed in another currency, but shows no result', () => {
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
      dateStatus: 'projected',
    });
  });

  test('shows filed figures in their own currency if no calendar has a figure', () => {
    const silent = nasdaq([EVE, row('2026-02-10', { currency: 'USD' })]);
    expect(onlyEvent(derive([silent, inCrowns]))).toMatchObject({
      currency: 'DKK',
      eps: '0.9',
      epsBasis: 'gaap',
      revenue: '11000000',
    });
  });

  test('combines figures filed in another currency with a source in the same currency', () => {
    const files = history('files/earnings', '2025-12', [
      [EVE, row('2026-02-10', { revenueEstimate: '10000000', currency: 'DKK' })],
    ]);
    expect(onlyEvent(derive([files, inCrowns]))).toMatchObject({
      currency: 'DKK',
      revenue: '11000000',
      revenueEstimate: '10000000',
    });
  });

  test("does not use figures filed in another currency as last year's figures for a report in dollars", () => {
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

  test('does not change `updatedAt` for repeated values', () => {
    const once = onlyEvent(derive([nasdaq(base)]));
    const twice = onlyEvent(derive([nasdaq(base, [EVE, ahead('1.1')])]));
    expect(twice).toEqual(once);
    expect(once.updatedAt).toBe(instant(EARLY));
  });

  test.each([
    ['a changed estimate', { epsEstimate: '1.2' }],
    ['a withdrawn estimate', { epsEstimate: null }],
    ['a changed date', { date: localDate('2026-02-11') }],
    ['a different session', { time: 'time-pre-market' }],
    ['a different number of analysts', { estimateCount: 8 }],
    ['a company’s new name', { name: 'Northgate Group' }],
  ] as const)('changes `updatedAt` for %s', (_, change) => {
    const event = onlyEvent(derive([nasdaq(base, [EVE, { ...ahead('1.1'), ...change }])]));
    expect(event.updatedAt).toBe(instant(EVE));
  });

  test('changes `updatedAt` for a filing that only shows that the report is out', () => {
    const event = onlyEvent(derive([nasdaq(base), filing('2026-02-10T23:00:00Z', PAST)]));
    expect(event).toMatchObject({ time: 'time-after-hours', updatedAt: instant(PAST) });
  });

  test('does not change `updatedAt` if a past row no longer has last year’s EPS', () => {
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

  test('changes `updatedAt` for a new symbol', () => {
    const event = onlyEvent(derive([nasdaq(base)], { renamedAt: instant(LATE) }));
    expect(event.updatedAt).toBe(instant(LATE));
  });
});
