import { latest } from '../source-records/observation-history.ts';
import type { StatedGuidance } from './observation.ts';
import { sourceOf } from './release.ts';
import type { ReportCandidate } from './report-candidate.ts';
import type { FieldSource, Guidance, GuidanceRanges } from './row.ts';

/**
 * Returns the guidance in a report's press release that is in the report's currency and says which
 * period it is for. Null if there is none.
 */
export function guidanceOf(
  { release }: ReportCandidate,
  currency: string,
): { guidance: Guidance; source: FieldSource } | null {
  if (release === null) return null;
  const observation = latest(release);
  const stated = (observation.fields.guidance ?? []).filter((each) => each.currency === currency);
  const guidance = { quarter: rangesOf(stated, 'quarter'), year: rangesOf(stated, 'year') };
  if (guidance.quarter === null && guidance.year === null) return null;
  const source = sourceOf(release, observation, (fields) => JSON.stringify(fields.guidance));
  return { guidance, source };
}

/** Returns the first range of each metric, because releases repeat them. */
function rangesOf(
  stated: readonly StatedGuidance[],
  period: 'quarter' | 'year',
): GuidanceRanges | null {
  const ranges = stated.filter((each) => each.period === period);
  if (ranges.length === 0) return null;
  const rangeOf = (metric: StatedGuidance['metric']) => {
    const range = ranges.find((each) => each.metric === metric);
    return range === undefined ? null : { low: range.low, high: range.high };
  };
  return { eps: rangeOf('eps'), epsAdjusted: rangeOf('epsAdjusted'), revenue: rangeOf('revenue') };
}
