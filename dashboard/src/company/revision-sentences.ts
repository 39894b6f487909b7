import type { EarningsRevision, RevisedEarnings } from '@afterbell/sdk';
import { formatDate } from '../format/day.ts';
import { formatMoney, formatPerShare } from '../format/money.ts';
import { SESSION_WORDS } from '../format/session.ts';
import { formatNewYork } from '../format/time.ts';

/**
 * Fields that have no sentence because they are derived from other fields or never change after the
 * first version.
 */
const WITHOUT_SENTENCE: ReadonlySet<string> = new Set([
  'id',
  'symbol',
  'updatedAt',
  'currency',
  'epsBasis',
  'fiscalPeriodEnd',
  'fiscalYear',
  'fiscalQuarter',
  'epsSurprise',
  'epsSurprisePercent',
  'revenueSurprise',
  'epsYearAgo',
  'revenueSurprisePercent',
  'epsOutcome',
  'revenueOutcome',
  'estimateCount',
  'name',
]);

/** Describes what changed in a version compared with the previous one. */
export function describeRevision(
  { row, changedFields }: EarningsRevision,
  previous: RevisedEarnings | null,
): string[] {
  if (previous === null) return describeFirst(row);
  const sentences = changedFields.flatMap((field) => {
    const sentence = describeField(field, row, previous);
    return sentence === null ? [] : [sentence];
  });
  if (sentences.length > 0) return sentences;
  const fields = changedFields.filter((field) => !IGNORED.has(field));
  return fields.length === 0
    ? ['Only the source, its timestamp or past means changed.']
    : [`Updated: ${fields.join(', ')}.`];
}

const IGNORED: ReadonlySet<string> = new Set(['updatedAt']);

function describeFirst(row: RevisedEarnings): string[] {
  const { currency, epsEstimate, revenueEstimate, eps, revenue } = row;
  return [
    `Added with ${formatDate(row.date)}, ${SESSION_WORDS[row.time]}; date ${row.dateStatus}.`,
    ...(epsEstimate === null && revenueEstimate === null
      ? []
      : [
          `Estimates: EPS ${formatPerShare(epsEstimate, currency)}, revenue ${formatMoney(revenueEstimate, currency)}.`,
        ]),
    ...(eps === null && revenue === null
      ? []
      : [
          `Results: EPS ${formatPerShare(eps, currency)}, revenue ${formatMoney(revenue, currency)}.`,
        ]),
  ];
}

/** Describes a changed field. Returns null if the field has no sentence. */
function describeField(field: string, now: RevisedEarnings, then: RevisedEarnings): string | null {
  const { currency } = now;
  switch (field) {
    case 'date':
      return `Date moved from ${formatDate(then.date)} to ${formatDate(now.date)}.`;
    case 'time':
      return `Session changed from ${SESSION_WORDS[then.time]} to ${SESSION_WORDS[now.time]}.`;
    case 'dateStatus':
      return `Date status changed from ${then.dateStatus} to ${now.dateStatus}.`;
    case 'projection':
      return now.projection === null
        ? 'A source names the date.'
        : `Date projected from past reports: ${formatInterval(now.projection.interval80)} with 80 %.`;
    case 'epsEstimate':
      return `EPS estimate ${estimateText(then.epsEstimate, now.epsEstimate, (amount) => formatPerShare(amount, currency))}.`;
    case 'revenueEstimate':
      return `Revenue estimate ${estimateText(then.revenueEstimate, now.revenueEstimate, (amount) => formatMoney(amount, currency))}.`;
    case 'eps':
      return `${then.eps === null ? 'Results: EPS' : 'EPS corrected'} ${changeText(then.eps, now.eps, (amount) => formatPerShare(amount, currency))}.`;
    case 'epsGaap':
      return `${then.epsGaap === null ? 'Filed EPS' : 'Filed EPS corrected'} ${changeText(then.epsGaap, now.epsGaap, (amount) => formatPerShare(amount, currency))}.`;
    case 'revenue':
      return `${then.revenue === null ? 'Results: revenue' : 'Revenue corrected'} ${changeText(then.revenue, now.revenue, (amount) => formatMoney(amount, currency))}.`;
    case 'reportedAt':
      return now.reportedAt === null ? null : `Released ${formatNewYork(now.reportedAt)}.`;
    case 'estimateAsOf':
      return now.estimateAsOf === null
        ? null
        : `Estimate frozen as of ${formatNewYork(now.estimateAsOf)}.`;
    case 'revenueEstimateAsOf':
      return now.revenueEstimateAsOf === null || now.revenueEstimateAsOf === now.estimateAsOf
        ? null
        : `Revenue estimate frozen as of ${formatNewYork(now.revenueEstimateAsOf)}.`;
    case 'callAt':
      return now.callAt === null
        ? 'Conference call removed.'
        : `Conference call ${formatNewYork(now.callAt)}.`;
    case 'estimates':
      return 'Range of estimates updated.';
    case 'splitFactor':
      return `Stock split: per-share figures divided by ${now.splitFactor}.`;
    default:
      return WITHOUT_SENTENCE.has(field) ? null : `${field} changed.`;
  }
}

function formatInterval({ from, to }: { from: string; to: string }): string {
  return from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`;
}

/**
 * Returns a phrase such as `changed from $1.20 to $1.23` or `removed (was $1.20)`, or just the new
 * value.
 */
function estimateText(
  from: number | null,
  to: number | null,
  format: (value: number | null) => string,
): string {
  if (from === null) return format(to);
  return to === null
    ? `removed (was ${format(from)})`
    : `changed from ${format(from)} to ${format(to)}`;
}

/** Returns a phrase such as `from $1.20 to $1.23`, or just the new value. */
function changeText(
  from: number | null,
  to: number | null,
  format: (value: number | null) => string,
): string {
  return from === null ? format(to) : `from ${format(from)} to ${format(to)}`;
}
