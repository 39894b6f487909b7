import { expect, test } from 'vitest';
import { securityOf } from '../../../test/support/stored-earnings.ts';
import { localDate } from '../../domain/local-date.ts';
import { lastHolder } from './last-holder.ts';
import type { Security } from './row.ts';

const OPEN = null;

test("returns a symbol's current holder, regardless of order", () => {
  const had = holderOf('AAAX', '2010-06-30');
  const has = holderOf('OLDS', OPEN);
  expect(lastHolder('OLDS', [had, has])).toBe(has);
  expect(lastHolder('OLDS', [has, had])).toBe(has);
});

test('returns the last holder of a symbol no longer in use, whether it was renamed or removed', () => {
  const first = holderOf('AAAX', '2010-06-30');
  const renamed = holderOf('BBBX', '2025-06-30');
  const removed = holderOf('OLDS', '2020-06-30');
  expect(lastHolder('OLDS', [first, renamed, removed])).toBe(renamed);
  expect(lastHolder('OLDS', [removed, first])).toBe(removed);
});

test('prefers the holder with the current symbol if two holders have no end date', () => {
  const current = holderOf('OLDS', OPEN);
  const other = holderOf('ZZZX', OPEN);
  expect(lastHolder('OLDS', [current, other])).toBe(current);
  expect(lastHolder('OLDS', [other, current])).toBe(current);
});

test('returns null for a symbol that no security ever had', () => {
  expect(lastHolder('NONE', [holderOf('OLDS', OPEN)])).toBeNull();
});

/** Builds a security that has this symbol now and had OLDS until the given day. */
function holderOf(symbol: string, to: string | null): Security {
  const until = to === null ? null : localDate(to);
  const spans = [{ symbol: 'OLDS', from: null, to: until }];
  if (symbol !== 'OLDS') spans.push({ symbol, from: null, to: null });
  return securityOf(symbol, { symbols: spans });
}
