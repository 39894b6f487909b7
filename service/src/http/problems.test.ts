import { expect, test } from 'vitest';
import { PROBLEMS, problem, renderProblem } from './problems.ts';

const AT = { instance: 'req_1', publicUrl: null };

test.each(Object.entries(PROBLEMS))(
  'gives the problem %s a title, and help text in complete sentences',
  (code, kind) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(kind.status).toBeGreaterThanOrEqual(400);
    expect(kind.title).toMatch(/^[A-Z].*[^.]$/);
    expect(kind.help).toMatch(/^[A-Z][^]*\.$/);
  },
);

test('keeps the standard members of a problem that has additional members', () => {
  const refusal = problem('invalid-date', 'Invalid date.', { members: { parameter: 'date' } });
  expect(JSON.parse(renderProblem(refusal, AT).toString())).toEqual({
    type: '/errors/invalid-date',
    title: 'Invalid date',
    status: 400,
    code: 'invalid-date',
    detail: 'Invalid date.',
    instance: 'req_1',
    parameter: 'date',
  });
});

test('redacts API keys and webhook secrets anywhere in a problem', () => {
  const secrets = ['eds_test_abcDEF123', 'eds_live_abcDEF123', 'whsec_a+b/c-de='];
  for (const secret of secrets) {
    const refusal = problem('invalid-parameter', `${secret}: is too much; x${secret}.`, {
      members: { parameter: secret, list: [{ [secret]: `"${secret}"` }, secret] },
    });
    const body = renderProblem(refusal, AT).toString();
    expect(body).not.toContain(secret.slice(-6));
    expect(JSON.parse(body)).toMatchObject({ parameter: `${secret.replace(/_[^_]*$/, '_')}…` });
  }
});

test('links the explanation from the configured URL of the service', () => {
  const publicUrl = 'https://earnings.example.com';
  const body = renderProblem(problem('conflict', 'no'), { ...AT, publicUrl });
  expect(JSON.parse(body.toString())).toMatchObject({ type: `${publicUrl}/errors/conflict` });
});
