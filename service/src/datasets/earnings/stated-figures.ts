import { latest } from '../source-records/observation-history.ts';
import type { StatedFigureName } from './observation.ts';
import type { ReportCandidate, StatedFigureHistory } from './report-candidate.ts';
import { sourceOf } from './release.ts';
import type { SourcedValue } from './row.ts';

/** The figures of a report in the company's press release, with their cells. */
export interface StatedFigures {
  epsGaap: SourcedValue<string> | null;
  epsAdjusted: SourcedValue<string> | null;
  revenue: SourcedValue<string> | null;
  /** EPS of the quarter a year before, as the release states it, by basis. */
  yearAgo: Record<'gaap' | 'adjusted', SourcedValue<string> | null>;
  hasFigures: boolean;
  /** True if figures are stated only in another currency, so that none is comparable. */
  isForeign: boolean;
}

/** Returns the figures that a press release states in a report's currency. */
export function statedFigures({ stated }: ReportCandidate, currency: string): StatedFigures {
  const own = stated.filter((history) => latest(history).fields.currency === currency);
  const valueOf = (name: StatedFigureName, part: 'value' | 'yearAgo' = 'value') => {
    const history = own.find((each) => latest(each).fields.figure === name);
    return history === undefined ? null : sourcedPart(history, part);
  };
  return {
    epsGaap: valueOf('epsGaap'),
    epsAdjusted: valueOf('epsAdjusted'),
    revenue: valueOf('revenue'),
    yearAgo: {
      gaap: valueOf('epsGaap', 'yearAgo'),
      adjusted: valueOf('epsAdjusted', 'yearAgo'),
    },
    hasFigures: own.length > 0,
    isForeign: stated.length > 0 && own.length === 0,
  };
}

function sourcedPart(
  history: StatedFigureHistory,
  part: 'value' | 'yearAgo',
): SourcedValue<string> | null {
  const observation = latest(history);
  const value = observation.fields[part];
  if (value === null) return null;
  const source = sourceOf(history, observation, (fields) => fields[part]);
  return { value, source: { ...source, cell: observation.fields.cell } };
}
