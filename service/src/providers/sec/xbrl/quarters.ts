import type { FiledFigure, FinancialsObservation } from '../../../datasets/earnings/observation.ts';
import type { LocalDate } from '../../../domain/local-date.ts';
import type { Fact } from './facts.ts';
import { epsFigure, revenueFigure } from './filed-figure.ts';
import { fourthQuarterFigure, largerFourthQuarter } from './fourth-quarter.ts';
import { labelOf, periodEndsByFiling } from './fiscal-labels.ts';
import {
  clusterQuarters,
  groupByPeriod,
  isYear,
  lastQuarterOf,
  type Period,
  periodKey,
  quartersOf,
} from './periods.ts';

export interface CompanyFacts {
  cik: string;
  currency: string;
  /** Facts about revenue and earnings per share, in `currency`. */
  facts: readonly Fact[];
}

interface FourthQuarter {
  year: Period;
  nineMonths: Period;
}

/**
 * Returns the reported fiscal quarters, oldest first: every period with revenue or earnings per
 * share. If the fourth quarter's revenue was never filed, it is derived. Its earnings per share are
 * not derived, since the number of shares differs between quarters.
 */
export function deriveQuarters({ cik, currency, facts }: CompanyFacts): FinancialsObservation[] {
  const filed = groupByPeriod(facts);
  const yearEnds = filed.filter(isYear).map((year) => year.end);
  const calendar = { periodEndByFiling: periodEndsByFiling(facts), yearEnds };
  const { periods, fourthQuarters } = addFourthQuarters(filed);
  return clusterQuarters(quartersOf(periods)).flatMap((cluster) => {
    const [main] = cluster;
    if (main === undefined) return [];
    const revenue = largerFourthQuarter(
      firstFigure(cluster, (period) => revenueFigure(period.facts)),
      firstFigure(cluster, (period) => derivedRevenue(fourthQuarters.get(periodKey(period)))),
    );
    const epsDiluted = firstFigure(cluster, (period) => epsFigure(period.facts));
    if (revenue === null && epsDiluted === null) return [];
    const year =
      revenue?.derived === true ? fourthQuarters.get(periodKey(main))?.year.facts : undefined;
    const label = labelOf(main.end, [...main.facts, ...(year ?? [])], calendar);
    const { start: periodStart, end: periodEnd } = main;
    const figures = { revenue, epsDiluted, epsDilutedYear: epsOfYearEnding(periodEnd, filed) };
    return [{ kind: 'financials', cik, periodStart, periodEnd, ...label, currency, ...figures }];
  });
}

function epsOfYearEnding(end: LocalDate, filed: readonly Period[]): FiledFigure | null {
  const years = filed.filter((period) => period.end === end && isYear(period));
  return firstFigure(years, (year) => epsFigure(year.facts));
}

/**
 * Returns the filed periods and, for each year with nine months, its fourth quarter, which may have
 * no facts.
 */
function addFourthQuarters(filed: readonly Period[]): {
  periods: Period[];
  fourthQuarters: ReadonlyMap<string, FourthQuarter>;
} {
  const fourthQuarters = new Map<string, FourthQuarter>();
  const periods = [...filed];
  const knownKeys = new Set(filed.map(periodKey));
  for (const year of filed.filter(isYear)) {
    const last = lastQuarterOf(year, filed);
    if (last === null) continue;
    const quarter: Period = { start: last.start, end: year.end, facts: [] };
    fourthQuarters.set(periodKey(quarter), { year, nineMonths: last.nineMonths });
    if (!knownKeys.has(periodKey(quarter))) periods.push(quarter);
  }
  return { periods, fourthQuarters };
}

function derivedRevenue(quarter: FourthQuarter | undefined): FiledFigure | null {
  if (quarter === undefined) return null;
  return fourthQuarterFigure(quarter.year.facts, quarter.nineMonths.facts);
}

function firstFigure(
  cluster: readonly Period[],
  find: (period: Period) => FiledFigure | null,
): FiledFigure | null {
  for (const period of cluster) {
    const figure = find(period);
    if (figure !== null) return figure;
  }
  return null;
}
