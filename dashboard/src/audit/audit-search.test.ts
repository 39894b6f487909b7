import { expect, test } from 'vitest';
import { readAuditSearch, toAuditQuery } from './audit-search.ts';

test('a link keeps its filters, and what is none is left out', () => {
  const search = { customer: 'cus_1', by: 'per_1', act: 'key.', from: '2026-11-19', before: 7 };
  expect(readAuditSearch(search)).toEqual(search);
  expect(readAuditSearch({ by: 7, act: '', from: 'yesterday', to: '2026-13-45' })).toEqual({});
});

test('the last day counts to its end', () => {
  const { from = '', to = '' } = toAuditQuery({ from: '2026-11-19', to: '2026-11-19' });
  expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
});
