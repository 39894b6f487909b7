import { expect, test } from 'vitest';
import { ApiProblem, canRetry } from './problem.ts';

test.each([
  [0, true],
  [400, true],
  [403, false],
  [404, false],
  [410, false],
  [429, true],
  [500, true],
])('given the HTTP status %i, canRetry returns %s', (status, expected) => {
  expect(canRetry(new ApiProblem({ code: 'x', status, detail: 'y' }))).toBe(expected);
});
