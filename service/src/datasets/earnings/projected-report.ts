import { compareText } from '../../platform/compare.ts';
import { periodEndRule } from './period-end.ts';
import { projectReport } from './projection/project-report.ts';
import type { PastReport } from './projection/report-context.ts';
import { filingSource, type Release, resolveRelease } from './release.ts';
import {
  candidateAt,
  copyCandidates,
  type Derivation,
  type MatchedFiling,
  quarterEnds,
  type ReportCandidate,
} from './report-candidate.ts';
import type { FieldSource } from './row.ts';
import { removeWithdrawn } from './withdrawn-rows.ts';

interface FiledReport extends PastReport {
  filing: MatchedFiling;
}

/**
 * Projects the next report of a company from the reports that it filed, so that it rests on filings
 * alone. Adds nothing if a source names the day of an upcoming report, projected or not, or if the
 * filings show no habit.
 */
export function projectNextReport(derivation: Derivation): Derivation {
  const { input, withdrawals } = derivation;
  const { today, market } = input;
  const reports = [...derivation.candidates.values()].map((candidate) => {
    const { report } = removeWithdrawn(candidate, withdrawals);
    return { report, release: resolveRelease(report, market) };
  });
  const isUpcoming = reports.some(
    ({ release }) => release?.reportedAt === null && release.date >= today,
  );
  const filed = reports.flatMap(toFiledReport).toSorted((a, b) => compareText(a.label, b.label));
  const lastLabel = reports
    .filter(({ report, release }) => release !== null || report.financials !== null)
    .map(({ report }) => report.label)
    .toSorted()
    .at(-1);
  const source = newestSource(filed);
  if (isUpcoming || lastLabel === undefined || source === null) return derivation;
  const endOf = periodEndRule(quarterEnds(derivation.candidates));
  const projected = projectReport({ reports: filed, lastLabel, endOf }, today, market);
  if (projected === null) return derivation;
  const candidates = copyCandidates(derivation.candidates);
  candidateAt(candidates, projected.label).projected = { ...projected, source };
  return { ...derivation, candidates };
}

function toFiledReport({
  report: { label, filing },
  release,
}: {
  report: ReportCandidate;
  release: Release | null;
}): FiledReport[] {
  if (filing === null || release === null) return [];
  return [{ label, date: release.date, time: release.time, filing }];
}

/** Returns the source of the filing that was seen last, since when the projection can be made. */
function newestSource(filed: readonly FiledReport[]): FieldSource | null {
  const sources = filed.map(({ filing }) => filingSource(filing));
  return sources.toSorted((a, b) => b.seenAt - a.seenAt || compareText(a.feed, b.feed))[0] ?? null;
}
