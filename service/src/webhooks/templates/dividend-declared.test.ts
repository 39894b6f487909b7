import { expect, test } from 'vitest';
import type { Dividend } from '../../datasets/dividends/row.ts';
import { localDate } from '../../domain/local-date.ts';
import { deriveData, pickDeclared, template } from './dividend-declared.ts';

const SEEN_AT = Date.parse('2026-11-10T15:00:00Z');

function makeDividend(known: Partial<Dividend> = {}): Dividend {
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
    ...known,
  };
}

test('data hold exactly the promised fields, in order', () => {
  const data = deriveData(makeDividend());
  expect(Object.keys(data)).toEqual(template.fields);
  expect(JSON.stringify(data)).toBe(
    '{"exDate":"2026-12-01","recordDate":"2026-12-01","paymentDate":"2026-12-15",' +
      '"declarationDate":"2026-11-05","amount":0.42,"currency":"USD","type":"cash",' +
      '"frequency":"quarterly","status":"declared"}',
  );
});

test('what is not known is null, never zero', () => {
  const data = deriveData(makeDividend({ amount: null, recordDate: null, frequency: null }));
  expect(data).toMatchObject({ amount: null, recordDate: null, frequency: null });
});

const special = makeDividend({
  id: 'div_2',
  type: 'special',
  exDate: localDate('2026-11-20'),
  declarationDate: localDate('2026-11-06'),
});
const untold = makeDividend({
  id: 'div_3',
  declarationDate: null,
  exDate: localDate('2027-03-01'),
});

test.each([
  ['the one declared last, though it goes ex sooner', [makeDividend(), special], 'div_2'],
  ['whatever the order of the rows', [special, makeDividend()], 'div_2'],
  ['by the day it was seen first while no source tells when', [special, untold], 'div_3'],
  [
    'of two of one day the later ex-date',
    [makeDividend({ id: 'div_9', exDate: localDate('2026-11-30') }), makeDividend()],
    'div_1',
  ],
  [
    'no projection, though it is later',
    [makeDividend(), makeDividend({ ...untold, status: 'projected' })],
    'div_1',
  ],
  ['the one that was called off', [makeDividend({ ...special, status: 'cancelled' })], 'div_2'],
] as const)('what is told is %s', (_, dividends, expected) => {
  expect(pickDeclared(dividends)?.id).toBe(expected);
});

test('without a declared dividend there is nothing to tell', () => {
  expect(pickDeclared([])).toBeNull();
  expect(pickDeclared([makeDividend({ status: 'projected' })])).toBeNull();
});
