import { expect, test } from 'vitest';
import type { Dividend } from '../../datasets/dividends/row.ts';
import { localDate } from '../../domain/local-date.ts';
import { deriveData, pickDeclared, template } from './dividend-declared.ts';

const SEEN_AT = Date.parse('2026-11-10T15:00:00Z');

function makeDividend(overrides: Partial<Dividend> = {}): Dividend {
  return {
    id: 'div_1',
    securityId: 'sec_1',
    symbol: 'ACME',
    name: 'Acme Anvils Inc.',
    exDate: localDate('2026-12-01'),
    recordDate: localDate('2026-12-01'),
    paymentDate: localDate('2026-12-15'),
    declarationDate: localDate('2026-11-05'),
    amount: '0.4200',
    splitAdjustedAmount: '0.4200',
    currency: 'USD',
    type: 'cash',
    frequency: 'quarterly',
    annualizedAmount: '1.68',
    status: 'declared',
    flags: [],
    provenance: {},
    updatedAt: SEEN_AT,
    ...overrides,
  };
}

test('returns exactly the documented fields of a dividend, in order', () => {
  const data = deriveData(makeDividend());
  expect(Object.keys(data)).toEqual(template.fields);
  expect(JSON.stringify(data)).toBe(
    '{"exDate":"2026-12-01","recordDate":"2026-12-01","paymentDate":"2026-12-15",' +
      '"declarationDate":"2026-11-05","amount":0.42,"currency":"USD","type":"cash",' +
      '"frequency":"quarterly","status":"declared"}',
  );
});

test('returns null, never zero, for unknown dividend values', () => {
  const data = deriveData(makeDividend({ amount: null, recordDate: null, frequency: null }));
  expect(data).toMatchObject({ amount: null, recordDate: null, frequency: null });
});

const special = makeDividend({
  id: 'div_2',
  type: 'special',
  exDate: localDate('2026-11-20'),
  declarationDate: localDate('2026-11-06'),
});
const undated = makeDividend({
  id: 'div_3',
  declarationDate: null,
  exDate: localDate('2027-03-01'),
});

test.each([
  [
    'the dividend declared last, even if it has an earlier ex-date',
    [makeDividend(), special],
    'div_2',
  ],
  ['the same dividend for any order of the rows', [special, makeDividend()], 'div_2'],
  [
    'a dividend without a declaration date by the day on which it was first seen',
    [special, undated],
    'div_3',
  ],
  [
    'the later ex-date if two dividends were declared on the same day',
    [makeDividend({ id: 'div_9', exDate: localDate('2026-11-30') }), makeDividend()],
    'div_1',
  ],
  [
    'no projected dividend, even if it is later',
    [makeDividend(), makeDividend({ ...undated, status: 'projected' })],
    'div_1',
  ],
  ['a cancelled dividend', [makeDividend({ ...special, status: 'cancelled' })], 'div_2'],
] as const)('picks %s', (_, dividends, expected) => {
  expect(pickDeclared(dividends)?.id).toBe(expected);
});

test('returns no data if no dividend was declared', () => {
  expect(pickDeclared([])).toBeNull();
  expect(pickDeclared([makeDividend({ status: 'projected' })])).toBeNull();
});
