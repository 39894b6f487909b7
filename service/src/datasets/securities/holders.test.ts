import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { securityOf } from '../../../test/support/stored-earnings.ts';
import { holderAt } from './holders.ts';

const FIRST = securityOf('BAR', {
  id: 'sec_first',
  symbols: [
    { symbol: 'BAR', from: null, to: localDate('2025-10-02'), names: ['Barton Group Inc.'] },
  ],
});
const SECOND = securityOf('BAR', {
  id: 'sec_second',
  symbols: [
    { symbol: 'BAR', from: localDate('2025-10-03'), to: null, names: ['Barclay Mining Corp.'] },
  ],
});
const holderOf = holderAt([FIRST, SECOND]);

test.each([
  ['the holder on the day without a name', '2025-09-01', null, 'sec_first'],
  ['the holder that the row names on its day', '2025-09-01', 'Barton Group', 'sec_first'],
  ['a later holder that the row names', '2025-09-01', 'BARCLAY MINING CORPORATION', 'sec_second'],
  [
    'an earlier holder that the row names',
    '2026-02-01',
    'Barton Group Inc Common Stock',
    'sec_first',
  ],
  ['no holder if the row names another company', '2026-02-01', 'Rio Tools Inc.', null],
])('resolves a symbol of two companies to %s', (_, day, company, id) => {
  expect(holderOf('BAR', localDate(day), company)).toBe(id);
});

test('ignores the name if only one company had the symbol', () => {
  expect(holderAt([SECOND])('BAR', localDate('2026-02-01'), 'Rio Tools Inc.')).toBe('sec_second');
});
