import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { validateRequest } from './validate-request.ts';
import type { Route } from './route.ts';

const BODY = Type.Object({
  name: Type.String(),
  role: Type.Optional(Type.Enum(['owner', 'member'])),
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  rows: Type.Optional(Type.Array(Type.Object({ symbol: Type.String() }))),
});

test.each([
  [{ name: 'a', nmae: 'b' }, 'nmae', 'nmae: is not accepted by this call.'],
  [{ name: 'a', role: 'king' }, 'role', 'role: must be one of owner, member.'],
  [{ name: 'a', count: 0 }, 'count', 'count: must be >= 1.'],
  [[], 'body', 'body: must be object.'],
  [null, 'body', 'body: must be object.'],
])('reports the invalid member of the request body %j', (body, parameter, detail) => {
  const route = { body: BODY } as unknown as Route;
  expect(validateRequest(route, { query: {}, body })).toMatchObject({
    refusal: { detail, members: { parameter } },
  });
});

test.each([
  [{}, 'name'],
  [{ name: 'a', rows: [{ symbol: 'A' }, {}] }, 'rows.1.symbol'],
])('reports the missing member of the request body %j', (body, parameter) => {
  const route = { body: BODY } as unknown as Route;
  const members = { parameter };
  const refusal = { code: 'missing-parameter', detail: `${parameter}: is required.`, members };
  expect(validateRequest(route, { query: {}, body })).toMatchObject({ refusal });
});
