import { expect, test } from 'vitest';
import { securityOf } from '../../../test/support/stored-earnings.ts';
import { localDate } from '../../domain/local-date.ts';
import { lastHolder } from './last-holder.ts';
import type { Security } from './row.ts';

const OPEN = null;

test('a symbol means who has it, whatever the order in which holders come', () => {
  const had = holderOf('AAAX', '2010-06-30');
  const has = holderOf('OLDS', OPEN);
  expect(lastHolder('OLDS', [had, has])).toBe(has);
  expect(lastHolder('OLDS', [has, had])).toBe(has);
});

test('a symbol that nobody has means who had it last, renamed since or gone', () => {
  const first = holderOf('AAAX', '2010-06-30');
  const renamed = holderOf('BBBX', '2025-06-30');
  const gone = holderOf('OLDS', '2020-06-30');
  expect(lastHolder('OLDS', [first, renamed, gone])).toBe(renamed);
  expect(lastHolder('OLDS', [gone, first])).toBe(gone);
});

test('of two holders without an end the one that is still called so is meant', () => {
  const own = holderOf('OLDS', OPEN);
  const other = holderOf('ZZZX', OPEN);
  expect(lastHolder('OLDS', [own, other])).toBe(own);
  expect(lastHolder('OLDS', [other, own])).toBe(own);
});

test('a symbol that no security ever had means nothing', () => {
  expect(lastHolder('NONE', [holderOf('OLDS', OPEN)])).toBeNull();
});

/** A security with this symbol now, and with OLDS until the day. */
function holderOf(symbol: string, to: string | null): Security {
  const until = to === null ? null : localDate(to);
  const spans = [{ symbol: 'OLDS', from: null, to: until }];
  if (symbol !== 'OLDS') spans.push({ symbol, from: null, to: null });
  return securityOf(symbol, { symbols: spans });
}
