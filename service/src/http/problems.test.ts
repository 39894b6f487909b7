import { expect, test } from 'vitest';
import { PROBLEMS, problem, renderProblem } from './problems.ts';

test.each(Object.entries(PROBLEMS))('%s has a title, and help in whole sentences', (code, kind) => {
  expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  expect(kind.status).toBeGreaterThanOrEqual(400);
  expect(kind.title).toMatch(/^[A-Z].*[^.]$/);
  expect(kind.help).toMatch(/^[A-Z][^]*\.$/);
});

test('members of a case stand beside the common ones, and cannot go missing', () => {
  const refusal = problem('invalid-date', 'Not a date.', { members: { parameter: 'date' } });
  expect(JSON.parse(renderProblem(refusal, 'req_1').toString())).toEqual({
    type: '/errors/invalid-date',
    title: 'Not a date',
    status: 400,
    code: 'invalid-date',
    detail: 'Not a date.',
    instance: 'req_1',
    parameter: 'date',
  });
});
