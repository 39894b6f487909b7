import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multiplyDecimals, roundTo } from './decimal.ts';
import { localDate } from './local-date.ts';
import {
  deriveShareSplits,
  factorOfSplits,
  type RefiledFigure,
  type ShareSplit,
  toTodaysBasis,
} from './share-splits.ts';

/**
 * Returns a figure that was filed as `first` on one day and as `latest` on a later day, and filed
 * again on a third day if given.
 */
function refiled(
  first: string,
  filed: string,
  latest: string,
  since: string,
  lastFiled = since,
): RefiledFigure {
  return {
    first,
    filedDate: localDate(filed),
    latest,
    latestSinceDate: localDate(since),
    latestFiledDate: localDate(lastFiled),
  };
}

/**
 * Returns the four quarters of a year, each refiled a year later, with a split between July and
 * October 2024.
 */
function yearAround(ratioOf: (eps: string) => string): RefiledFigure[] {
  return [
    refiled('4.12', '2023-10-28', ratioOf('4.12'), '2024-10-28'),
    refiled('5.08', '2024-01-28', ratioOf('5.08'), '2025-01-28'),
    refiled('3.36', '2024-04-28', ratioOf('3.36'), '2025-04-28'),
    refiled('3.92', '2024-07-28', ratioOf('3.92'), '2025-07-28'),
  ];
}

function brief(splits: readonly ShareSplit[]): string[] {
  return splits.map(
    ({ date, after, ratio }) => `${ratio.numerator}:${ratio.denominator} ${after} ${date}`,
  );
}

describe('splits', () => {
  it('detects a split from four quarters, between the last filing before the split and the first one after it', () => {
    const figures = yearAround((eps) => roundTo(multiplyDecimals(eps, '0.25'), 2));
    expect(brief(deriveShareSplits(figures))).toEqual(['4:1 2024-07-28 2024-10-28']);
  });

  it('detects a reverse split by a company with losses', () => {
    const figures = [
      refiled('-0.31', '2024-04-28', '-3.10', '2025-04-28'),
      refiled('-0.27', '2024-07-28', '-2.72', '2025-07-28'),
      refiled('-0.22', '2023-10-28', '-2.18', '2024-10-28'),
    ];
    expect(brief(deriveShareSplits(figures))).toEqual(['1:10 2024-07-28 2024-10-28']);
  });

  it('detects a split from a single refiled quarter if its cents determine the ratio', () => {
    expect(brief(deriveShareSplits([refiled('2.48', '2023-08-28', '0.25', '2024-08-28')]))).toEqual(
      ['10:1 2023-08-28 2024-08-28'],
    );
    expect(deriveShareSplits([refiled('0.81', '2023-08-28', '0.08', '2024-08-28')])).toEqual([]);
    expect(deriveShareSplits([refiled('0.30', '2023-08-28', '0.20', '2024-08-28')])).toEqual([]);
  });

  it('detects a split from three quarters with the same ratio, even if none is exact', () => {
    const figures = [
      refiled('0.12', '2023-10-28', '0.06', '2024-10-28'),
      refiled('0.14', '2024-01-28', '0.07', '2025-01-28'),
      refiled('0.16', '2024-04-28', '0.08', '2025-04-28'),
    ];
    expect(deriveShareSplits(figures.slice(0, 2))).toEqual([]);
    expect(brief(deriveShareSplits(figures))).toEqual(['2:1 2024-04-28 2024-10-28']);
  });

  it('dates a split by the first filing with adjusted figures, not by the last', () => {
    const twice = refiled('7.47', '2023-07-24', '1.07', '2024-07-23', '2025-01-28');
    expect(brief(deriveShareSplits([twice]))).toEqual(['7:1 2023-07-24 2024-07-23']);
  });

  it('separates two splits within a year, although some figures combine both', () => {
    const figures = [
      refiled('6.00', '2023-10-28', '3.00', '2024-10-28'),
      refiled('6.60', '2024-01-28', '3.30', '2025-01-28'),
      refiled('9.00', '2024-04-28', '1.50', '2025-04-28'),
      refiled('9.60', '2024-07-28', '1.60', '2025-07-28'),
      refiled('4.20', '2024-10-28', '1.40', '2025-10-28'),
      refiled('4.50', '2025-01-28', '1.50', '2026-01-28'),
    ];
    expect(brief(deriveShareSplits(figures))).toEqual([
      '2:1 2024-07-28 2024-10-28',
      '3:1 2025-01-28 2025-04-28',
    ]);
  });

  it('detects the same splits for any order of the figures', () => {
    const figures = [
      ...yearAround((eps) => roundTo(multiplyDecimals(eps, '0.25'), 2)),
      refiled('3.00', '2020-01-28', '1.00', '2021-01-28'),
      refiled('3.30', '2020-04-28', '1.10', '2021-04-28'),
      refiled('1.30', '2020-07-28', '1.28', '2021-07-28'),
    ];
    const splits = deriveShareSplits(figures);
    expect(splits).toHaveLength(2);
    fc.assert(
      fc.property(fc.shuffledSubarray(figures, { minLength: figures.length }), (shuffled) => {
        expect(deriveShareSplits(shuffled)).toEqual(splits);
      }),
    );
  });
});

describe('unchanged share counts', () => {
  it.each([
    ['an ordinary restatement', refiled('0.33', '2024-04-28', '0.35', '2025-04-28')],
    ['a restatement of a large EPS', refiled('11.20', '2024-04-28', '10.86', '2025-04-28')],
    ['EPS so small that several ratios fit', refiled('0.02', '2024-04-28', '0.01', '2025-04-28')],
    ['EPS halved at ten cents', refiled('0.10', '2024-04-28', '0.05', '2025-04-28')],
    ['a profit that became a loss', refiled('0.50', '2024-04-28', '-0.25', '2025-04-28')],
    ['a profit that became nothing', refiled('0.50', '2024-04-28', '0', '2025-04-28')],
    ['an unusual ratio', refiled('11.00', '2024-04-28', '10.00', '2025-04-28')],
    ['a figure filed once', refiled('2.00', '2024-04-28', '2.00', '2024-04-28')],
  ])('detects no split from %s', (_, figure) => {
    expect(deriveShareSplits([figure])).toEqual([]);
  });

  it('detects no split from many quarters of a few cents', () => {
    const figures = ['2024-01-28', '2024-04-28', '2024-07-28', '2023-10-28'].map((filed) =>
      refiled('0.08', filed, '0.04', '2024-10-28'),
    );
    expect(deriveShareSplits(figures)).toEqual([]);
  });

  it('detects no split from one restated quarter while the others are unchanged', () => {
    const figures = yearAround((eps) => eps);
    const halved = refiled('4.00', '2024-02-28', '2.00', '2024-10-28');
    expect(deriveShareSplits([halved])).toHaveLength(1);
    expect(deriveShareSplits([...figures, halved])).toEqual([]);
  });

  it('detects no split from one quarter that contradicts all the other quarters', () => {
    const figures = yearAround((eps) => roundTo(multiplyDecimals(eps, '0.25'), 2));
    const odd = refiled('6.00', '2024-02-28', '2.00', '2024-10-28');
    expect(brief(deriveShareSplits([...figures, odd]))).toEqual(['4:1 2024-07-28 2024-10-28']);
  });
});

describe("figures on today's basis", () => {
  const splits = [
    { date: '2021-08-20', numerator: 4, denominator: 1 },
    { date: '2024-08-28', numerator: 1, denominator: 10 },
  ].map(({ date, ...ratio }) => ({ date: localDate(date), after: localDate('2020-01-01'), ratio }));

  it.each([
    ['2021-08-19', '25'],
    ['2021-08-20', '100'],
    ['2024-08-27', '100'],
    ['2024-08-28', '10'],
  ])('divides a figure from %s by later splits: 10 becomes %s', (date, eps) => {
    expect(toTodaysBasis('10', splits, localDate(date))).toBe(eps);
  });

  it('keeps four additional decimals in a split-adjusted figure, rounded half away from zero', () => {
    const ratio = { numerator: 7, denominator: 1 };
    const seven = [{ date: localDate('2024-07-23'), after: localDate('2024-04-24'), ratio }];
    expect(toTodaysBasis('13.81', seven, localDate('2023-01-24'))).toBe('1.972857');
    expect(toTodaysBasis('-13.81', seven, localDate('2023-01-24'))).toBe('-1.972857');
    expect(factorOfSplits([])).toBe('1');
  });
});
