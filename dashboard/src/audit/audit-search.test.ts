import { expect, test } from 'vitest';
import { readAuditSearch, readSystemAuditSearch, toAuditQuery } from './audit-search.ts';

test('keeps the audit log filters from a link and drops invalid ones', () => {
  const search = { by: 'per_1', act: 'key.', from: '2026-11-19', before: 7 };
  expect(readAuditSearch(search)).toEqual(search);
  const ofOne = { ...search, customer: 'cus_1' };
  expect(readSystemAuditSearch(ofOne)).toEqual(ofOne);
  expect(readAuditSearch({ by: 7, act: '', from: 'yesterday', to: '2026-13-45' })).toEqual({});
});

test("includes the whole last day of the audit log's date range", () => {
  const { from = '', to = '' } = toAuditQuery({ from: '2026-11-19', to: '2026-11-19' });
  expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
});
