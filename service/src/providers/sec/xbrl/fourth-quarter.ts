import type { FiledFigure } from '../../../datasets/earnings/observation.ts';
import { compareDecimals, type Decimal, subtractDecimals } from '../../../domain/decimal.ts';
import type { LocalDate } from '../../../domain/local-date.ts';
import type { Fact } from './facts.ts';
import { isRevenue, revenueFigure } from './filed-figure.ts';

/**
 * Returns the fourth quarter, which is never filed: the year minus its first nine months, with a
 * tag that both have and on one accounting basis. Its filing is the first one with the annual
 * figure, under any tag. `latest` changes only if both sides were restated; otherwise it would mix
 * two bases. Returns null if no tag is shared or the difference is not positive.
 */
export function fourthQuarterFigure(
  year: readonly Fact[],
  nineMonths: readonly Fact[],
): FiledFigure | null {
  const sharedTags = new Set(nineMonths.filter(isRevenue).map((fact) => fact.tag));
  const sameTags = year.filter((fact) => sharedTags.has(fact.tag));
  const yearFigure = revenueFigure(sameTags);
  if (yearFigure === null) return null;
  const nineMonthFigure = nineMonthFigureOf(yearFigure, sameTags, nineMonths);
  if (nineMonthFigure === null) return null;
  const earliest = revenueFigure(year);
  const filing = filingOf(earliest?.first === yearFigure.first ? earliest : yearFigure);
  const subtrahend = valueOnBasisOf(yearFigure, nineMonthFigure);
  const first = subtractDecimals(yearFigure.first, subtrahend.value);
  const areBothRestated =
    yearFigure.latest !== yearFigure.first && nineMonthFigure.latest !== nineMonthFigure.first;
  const latest = areBothRestated
    ? subtractDecimals(yearFigure.latest, nineMonthFigure.latest)
    : first;
  if (compareDecimals(first, '0') <= 0 || compareDecimals(latest, '0') <= 0) return null;
  const dates = areBothRestated
    ? {
        latestFiledDate: laterOf(yearFigure.latestFiledDate, nineMonthFigure.latestFiledDate),
        latestSinceDate: laterOf(yearFigure.latestSinceDate, nineMonthFigure.latestSinceDate),
      }
    : { latestFiledDate: filing.filedDate, latestSinceDate: filing.filedDate };
  const knownDate = laterOf(filing.filedDate, subtrahend.filedDate);
  return {
    ...yearFigure,
    ...filing,
    first,
    latest,
    ...dates,
    derived: true,
    ...(knownDate === filing.filedDate ? {} : { knownDate }),
  };
}

/**
 * Returns the nine-month value on the basis of the year as first filed, with its filing date. If the nine months were
 * restated later and the year was then repeated unchanged, the annual report already had the new
 * basis.
 */
function valueOnBasisOf(
  year: FiledFigure,
  nineMonths: FiledFigure,
): { value: Decimal; filedDate: LocalDate } {
  const isRestated = nineMonths.latest !== nineMonths.first;
  const isRepeated =
    year.latest === year.first && year.latestFiledDate > nineMonths.latestSinceDate;
  return isRestated && isRepeated
    ? { value: nineMonths.latest, filedDate: nineMonths.latestSinceDate }
    : { value: nineMonths.first, filedDate: nineMonths.filedDate };
}

/**
 * Returns the nine-month figure under the year's tag, including restatements under any of the
 * year's tags.
 */
function nineMonthFigureOf(
  yearFigure: FiledFigure,
  year: readonly Fact[],
  nineMonths: readonly Fact[],
): FiledFigure | null {
  const tags = new Set(year.map((fact) => fact.tag));
  const nineMonthFigure = revenueFigure(nineMonths.filter((fact) => tags.has(fact.tag)));
  if (nineMonthFigure?.tag === yearFigure.tag) return nineMonthFigure;
  return revenueFigure(nineMonths.filter((fact) => fact.tag === yearFigure.tag));
}

/**
 * Returns either the filed or the derived fourth quarter. Annual reports with quarterly tables may
 * list only sales, so a larger derived figure is preferred if it was known no later than the filed
 * one.
 */
export function largerFourthQuarter(
  filed: FiledFigure | null,
  derived: FiledFigure | null,
): FiledFigure | null {
  if (filed === null || derived === null) return filed ?? derived;
  if (filed.tag === derived.tag || derived.filedDate > filed.filedDate) return filed;
  return compareDecimals(derived.first, filed.first) > 0 ? derived : filed;
}

function laterOf(a: LocalDate, b: LocalDate): LocalDate {
  return a > b ? a : b;
}

function filingOf(figure: FiledFigure): Pick<FiledFigure, 'accession' | 'form' | 'filedDate'> {
  const { accession, form, filedDate } = figure;
  return { accession, form, filedDate };
}
