import type { Dividend } from '../../datasets/dividends/row.ts';
import { loadDividendsOfSecurities } from '../../datasets/dividends/store.ts';
import { decimalToNumber } from '../../domain/decimal.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Template, TemplateData } from './template.ts';

/** The dividend that a company declared last: its dates, its amount, and whether it was called off. */
export const template: Template = {
  templateId: 'dividend_declared',
  eventType: 'dividend_declared.changed',
  describe: 'A dividend was declared, or one that was declared was corrected or called off.',
  dataset: 'dividends',
  fields: [
    'exDate',
    'recordDate',
    'paymentDate',
    'declarationDate',
    'amount',
    'currency',
    'type',
    'frequency',
    'status',
  ],
  async build({ db }, securityId) {
    const dividend = pickDeclared(await loadDividendsOfSecurities(db, [securityId]));
    return dividend === null ? null : deriveData(dividend);
  },
  async buildMany({ db }, securityIds) {
    const dividends = await loadDividendsOfSecurities(db, securityIds);
    const data = new Map<string, TemplateData>();
    for (const [securityId, own] of Map.groupBy(dividends, (one) => one.securityId)) {
      const dividend = pickDeclared(own);
      if (dividend !== null) data.set(securityId, deriveData(dividend));
    }
    return data;
  },
};

/**
 * The one that was declared last, called off or not; of two of the same day the one that goes ex
 * later. What is only projected is not told. Null without any.
 */
export function pickDeclared(dividends: readonly Dividend[]): Dividend | null {
  const declared = dividends.filter(({ status }) => status !== 'projected');
  const byDay = declared.toSorted(
    (a, b) =>
      compare(declaredOn(a), declaredOn(b)) || compare(a.exDate, b.exDate) || compare(a.id, b.id),
  );
  return byDay.at(-1) ?? null;
}

/** Amounts are per share as declared; what is not known is null. */
export function deriveData(dividend: Dividend): TemplateData {
  const { exDate, recordDate, paymentDate, declarationDate } = dividend;
  const { amount, currency, type, frequency, status } = dividend;
  return {
    exDate,
    recordDate,
    paymentDate,
    declarationDate,
    amount: amount === null ? null : decimalToNumber(amount),
    currency,
    type,
    frequency,
    status,
  };
}

/** The day of the declaration, or, while no source tells it, the day on which one told of it. */
function declaredOn({ declarationDate, provenance, updatedAt }: Dividend): string {
  if (declarationDate !== null) return declarationDate;
  const seen = Object.values(provenance).map(({ seenAt }) => seenAt);
  return newYorkDate(Math.min(updatedAt, ...seen));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
