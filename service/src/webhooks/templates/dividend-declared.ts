import { Type } from 'typebox';
import {
  DIVIDEND_FREQUENCIES,
  DIVIDEND_STATUSES,
  DIVIDEND_TYPES,
} from '../../datasets/dividends/observation.ts';
import type { Dividend } from '../../datasets/dividends/row.ts';
import { loadDividendsOfSecurities } from '../../datasets/dividends/store.ts';
import { decimalToNumber } from '../../domain/decimal.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { compareText } from '../../platform/compare.ts';
import { choice, day, defineTemplate, nullable, type TemplateData } from './template.ts';

/** The most recently declared dividend of a company: its dates, amount and status. */
export const template = defineTemplate({
  templateId: 'dividend_declared',
  eventType: 'dividend_declared.changed',
  describe: 'A dividend was declared, or a declared dividend was corrected or cancelled.',
  dataset: 'dividends',
  data: Type.Object({
    exDate: day('First day on which a buyer does not receive the dividend.'),
    recordDate: nullable(day('Day on which holders are determined.')),
    paymentDate: nullable(day('Day of payment.')),
    declarationDate: nullable(day('Day of the declaration.')),
    amount: nullable(Type.Number({ description: 'Amount per share, as declared.' })),
    currency: Type.String({ description: 'ISO 4217 code.' }),
    type: choice(DIVIDEND_TYPES, 'Kind of dividend.'),
    frequency: nullable(choice(DIVIDEND_FREQUENCIES, 'Payment frequency.')),
    status: choice(
      DIVIDEND_STATUSES.filter((status) => status !== 'projected'),
      'Projected dividends are not sent.',
    ),
  }),
  async build({ db }, securityId) {
    const dividend = pickDeclared(await loadDividendsOfSecurities(db, [securityId]));
    return dividend === null ? null : deriveData(dividend);
  },
  async buildMany({ db }, securityIds) {
    const dividends = await loadDividendsOfSecurities(db, securityIds);
    const data = new Map<string, TemplateData>();
    for (const [securityId, group] of Map.groupBy(dividends, (row) => row.securityId)) {
      const dividend = pickDeclared(group);
      if (dividend !== null) data.set(securityId, deriveData(dividend));
    }
    return data;
  },
});

/**
 * Returns the most recently declared dividend, cancelled or not. If two were declared on the same
 * day, returns the one with the later ex-date. Ignores projected dividends. Returns null if there
 * is none.
 */
export function pickDeclared(dividends: readonly Dividend[]): Dividend | null {
  const declared = dividends.filter(({ status }) => status !== 'projected');
  const byDay = declared.toSorted(
    (a, b) =>
      compareText(declaredOn(a), declaredOn(b)) ||
      compareText(a.exDate, b.exDate) ||
      compareText(a.id, b.id),
  );
  return byDay.at(-1) ?? null;
}

/** Returns the event data. Amounts are per share as declared. Unknown fields are null. */
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

/**
 * Returns the declaration date or, if there is none, the day on which the dividend was first seen.
 */
function declaredOn({ declarationDate, provenance, updatedAt }: Dividend): string {
  if (declarationDate !== null) return declarationDate;
  const seenTimes = Object.values(provenance).map(({ seenAt }) => seenAt);
  return newYorkDate(Math.min(updatedAt, ...seenTimes));
}
