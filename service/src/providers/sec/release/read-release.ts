import { findAdjustedEps, findGaapEps, epsCandidates } from './find-eps.ts';
import { findRevenue } from './find-revenue.ts';
import type { Figure, Finding, Refusal } from './figure.ts';
import { findMentions, perShareMentions } from './prose.ts';
import { readReleaseText, type ReleaseText } from './release-text.ts';
import {
  type ConferenceCall,
  findCall,
  findNextReport,
  type NextReport,
} from './conference-call.ts';
import { findGuidance, type Guidance } from './guidance.ts';
import { documentCurrency } from './scale.ts';
import { type ReportedPeriod, settlePeriod } from './settle-period.ts';
import { endOf, isSameEnd } from './period.ts';
import { labelTable, type LabeledTable } from './table-traits.ts';

/** The results that a release states. Values that fail a check are null and listed in `refused`. */
export interface Release {
  /** Start of the text, which shows whose release it is. */
  opening: string;
  periodEnd: Figure | null;
  currency: Figure | null;
  epsDilutedGaap: Figure | null;
  epsAdjusted: Figure | null;
  revenue: Figure | null;
  /** Null if the release names no range. */
  guidance: Guidance[] | null;
  callAt: ConferenceCall | null;
  nextReportOn: NextReport | null;
  refused: Refusal[];
}

/** A shorter text holds no results: the exhibit is a picture, or was cut off. */
const TEXT_LENGTH_MIN = 200;
const OPENING_LENGTH = 1500;

/** Reads the results of a quarter from an exhibit. Never throws. */
export function readRelease(source: string): Release {
  const text = readReleaseText(source);
  const length = text.passages.reduce((sum, passage) => sum + passage.text.length, 0);
  if (length < TEXT_LENGTH_MIN && text.tables.length === 0) return nothing('no-text');
  const tables = text.tables.map(labelTable);
  const reported = settlePeriod(tables, text.passages);
  if (reported === null) return nothing('no-period');
  return readFigures(text, reported);
}

function readFigures(text: ReleaseText, reported: ReportedPeriod): Release {
  const tables = text.tables.map(labelTable);
  const mentions = findMentions(text.passages);
  const perShare = perShareMentions(mentions);
  const currency = documentCurrency(
    text.passages,
    tables.map(({ title }) => title),
  );
  const candidates = epsCandidates(tables, reported, currency);
  const hasDiscontinued = tables.some(({ rows }) =>
    rows.some(({ label }) => /\bdiscontinued\b/i.test(label)),
  );
  const eps = findGaapEps(candidates, perShare, { currency, hasDiscontinued });
  const adjusted = findAdjustedEps(candidates, perShare, currency);
  const revenue = findRevenue(tables, reported, { mentions, currency });
  const release = {
    epsDilutedGaap: figureOf(eps),
    epsAdjusted: figureOf(adjusted),
    revenue: figureOf(revenue),
    refused: [eps, adjusted, revenue].flatMap(refusalOf),
  };
  const hasResults =
    release.epsDilutedGaap !== null || release.revenue !== null || release.epsAdjusted !== null;
  if (!hasResults && release.refused.length === 0) {
    if (!hasLongerPeriod(tables, reported)) return nothing('no-results');
    release.refused.push({ field: 'epsDilutedGaap', reason: 'no-quarter' });
  }
  const { end, column, offset } = reported;
  const opening = text.passages.map((passage) => passage.text).join('\n');
  const guidance = findGuidance(text.passages, currency);
  return {
    opening: opening.slice(0, OPENING_LENGTH),
    periodEnd: { value: end, unit: 'date', row: '', column, offset },
    currency: currencyOf(release),
    ...release,
    guidance: guidance.length === 0 ? null : guidance,
    callAt: findCall(text.passages, end),
    nextReportOn: findNextReport(text.passages, end),
  };
}

function nothing(reason: string): Release {
  return {
    opening: '',
    periodEnd: null,
    currency: null,
    epsDilutedGaap: null,
    epsAdjusted: null,
    revenue: null,
    guidance: null,
    callAt: null,
    nextReportOn: null,
    refused: [{ field: 'document', reason }],
  };
}

/** Returns true if results of a half or a whole year are shown, but none of its last quarter. */
function hasLongerPeriod(tables: readonly LabeledTable[], reported: ReportedPeriod): boolean {
  return tables.some(
    (table) =>
      !table.isExcluded &&
      table.perShare.some((label) => label !== null) &&
      table.columns.some(({ period }) => {
        const end = endOf(period);
        return (period.months ?? 0) > 3 && end !== null && isSameEnd(end, reported.end);
      }),
  );
}

/** The currency of the figures, in the cell of the first of them. */
function currencyOf(
  figures: Pick<Release, 'epsDilutedGaap' | 'epsAdjusted' | 'revenue'>,
): Figure | null {
  const figure = figures.revenue ?? figures.epsDilutedGaap ?? figures.epsAdjusted;
  if (figure === null) return null;
  return { ...figure, value: figure.unit.slice(0, 3), unit: 'ISO 4217' };
}

function figureOf(finding: Finding): Figure | null {
  return finding !== null && 'figure' in finding ? finding.figure : null;
}

function refusalOf(finding: Finding): Refusal[] {
  return finding !== null && 'refusal' in finding ? [finding.refusal] : [];
}
