import type { FiledFigure } from '../../../datasets/earnings/observation.ts';
import { compareDecimals, subtractDecimals } from '../../../domain/decimal.ts';
import type { LocalDate } from '../../../domain/local-date.ts';
import type { Fact } from './facts.ts';
import { isRevenue, revenueFigure } from './filed-figure.ts';

/**
 * The fourth quarter, which is never filed: the year less its first nine months, by a tag that both
 * have; its filing is the one that first gave that year's sum, under any tag. `latest` moves only
 * when both sides were restated, else it would mix two ways of counting. Null when the difference
 * is not positive.
 */
export function fourthQuarterFigure(
  year: readonly Fact[],
  nineMonths: readonly Fact[],
): FiledFigure | null {
  const shared = new Set(nineMonths.filter(isRevenue).map((fact) => fact.tag));
  const sameTags = year.filter((fact) => shared.has(fact.tag));
  const whole = revenueFigure(sameTags.length > 0 ? sameTags : year);
  if (whole === null) return null;
  const part = partOf(whole, sameTags, nineMonths);
  if (part === null) return null;
  const earliest = revenueFigure(year);
  const filing = filingOf(earliest?.first === whole.first ? earliest : whole);
  const first = subtractDecimals(whole.first, part.first);
  const areBothRestated = whole.latest !== whole.first && part.latest !== part.first;
  const latest = areBothRestated ? subtractDecimals(whole.latest, part.latest) : first;
  if (compareDecimals(first, '0') <= 0 || compareDecimals(latest, '0') <= 0) return null;
  const dates = areBothRestated
    ? {
        latestFiledDate: laterOf(whole.latestFiledDate, part.latestFiledDate),
        latestSinceDate: laterOf(whole.latestSinceDate, part.latestSinceDate),
      }
    : { latestFiledDate: filing.filedDate, latestSinceDate: filing.filedDate };
  return { ...whole, ...filing, first, latest, ...dates, derived: true };
}

/** Nine months under the tag of the year, restatements under any tag of the year included. */
function partOf(
  whole: FiledFigure,
  year: readonly Fact[],
  nineMonths: readonly Fact[],
): FiledFigure | null {
  const tags = new Set(year.map((fact) => fact.tag));
  const part = revenueFigure(nineMonths.filter((fact) => tags.has(fact.tag)));
  if (part?.tag === whole.tag) return part;
  const sameTag = nineMonths.filter((fact) => fact.tag === whole.tag);
  return revenueFigure(sameTag.length > 0 ? sameTag : nineMonths);
}

/**
 * The filed fourth quarter or the derived one. Annual reports that list quarters may give sales
 * alone there: then the larger derived one counts, if it was known no later.
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
