import { expect, it } from 'vitest';
import { readPublishedText } from './published-text.ts';

it.each([
  ['0.4%', '0.4%'],
  ['n/a', null],
  ['—', null],
  ['&nbsp;', null],
])('a figure published as %j is %j', (actual, text) => {
  expect(readPublishedText({ actual }, 'actual')).toBe(text);
});

it('a sentence is no figure', () => {
  expect(() => readPublishedText({ actual: 'x'.repeat(61) }, 'actual')).toThrow(
    expect.objectContaining({ reason: 'overlong-text' }),
  );
});
