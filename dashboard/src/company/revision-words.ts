import type { EarningsRevision, RevisedEarnings } from '../api/reads.gen.ts';
import { formatDate } from '../format/day.ts';
import { formatMoney, formatPerShare } from '../format/money.ts';
import { SESSION_WORDS } from '../format/session.ts';
import { formatNewYork } from '../format/time.ts';

/** Follow from the other fields, or stay the same from the first version on. */
const SILENT: ReadonlySet<string> = new Set([
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

/** What a version says that the one before it did not, in sentences. */
export function tellRevision(
  { row, changedFields }: EarningsRevision,
  before: RevisedEarnings | null,
): string[] {
  if (before === null) return tellFirst(row);
  const told = changedFields.flatMap((field) => {
    const sentence = tellField(field, row, before);
    return sentence === null ? [] : [sentence];
  });
  if (told.length > 0) return told;
  const fields = changedFields.filter((field) => !NEVER_TOLD.has(field));
  return fields.length === 0
    ? ['Only a source changed, or when it was seen.']
    : [`Also known or corrected: ${fields.join(', ')}.`];
}

const NEVER_TOLD: ReadonlySet<string> = new Set(['updatedAt']);

function tellFirst(row: RevisedEarnings): string[] {
  const { currency, epsEstimate, revenueEstimate, eps, revenue } = row;
  return [
    `First known for ${formatDate(row.date)}, ${SESSION_WORDS[row.time]}; the day was ${row.dateStatus}.`,
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

/** Null when there is nothing to say of the field. */
function tellField(field: string, now: RevisedEarnings, then: RevisedEarnings): string | null {
  const { currency } = now;
  switch (field) {
    case 'date':
      return `The day moved from ${formatDate(then.date)} to ${formatDate(now.date)}.`;
    case 'time':
      return `The session: ${SESSION_WORDS[now.time]}, was ${SESSION_WORDS[then.time]}.`;
    case 'dateStatus':
      return `The day is ${now.dateStatus}, was ${then.dateStatus}.`;
    case 'epsEstimate':
      return `EPS estimate ${moved(then.epsEstimate, now.epsEstimate, (it) => formatPerShare(it, currency))}.`;
    case 'revenueEstimate':
      return `Revenue estimate ${moved(then.revenueEstimate, now.revenueEstimate, (it) => formatMoney(it, currency))}.`;
    case 'eps':
      return `${then.eps === null ? 'The result came: EPS' : 'EPS corrected:'} ${moved(then.eps, now.eps, (it) => formatPerShare(it, currency))}.`;
    case 'revenue':
      return `${then.revenue === null ? 'The result came: revenue' : 'Revenue corrected:'} ${moved(then.revenue, now.revenue, (it) => formatMoney(it, currency))}.`;
    case 'reportedAt':
      return now.reportedAt === null ? null : `Released ${formatNewYork(now.reportedAt)}.`;
    case 'estimateAsOf':
      return now.estimateAsOf === null
        ? null
        : `The estimate was kept as it stood ${formatNewYork(now.estimateAsOf)}.`;
    case 'revenueEstimateAsOf':
      return now.revenueEstimateAsOf === null || now.revenueEstimateAsOf === now.estimateAsOf
        ? null
        : `The revenue estimate was kept as it stood ${formatNewYork(now.revenueEstimateAsOf)}.`;
    case 'splitFactor':
      return `Shares were split: figures divided by ${now.splitFactor}.`;
    default:
      return SILENT.has(field) ? null : `${field} changed.`;
  }
}

/** `$1.20 to $1.23`; what was not known before stands alone. */
function moved(
  from: number | null,
  to: number | null,
  format: (value: number | null) => string,
): string {
  if (from === null) return format(to);
  return to === null ? `${format(from)} is no longer known` : `${format(from)} to ${format(to)}`;
}
