import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import {
  type BodyOf,
  choice,
  clockTime,
  date,
  instant,
  named,
  nullable,
  number,
} from './fields.ts';

const schema = named('Sample', {
  on: date('A day.'),
  at: nullable(instant('A moment.')),
  opens: clockTime('A time.'),
  state: choice(['open', 'closed'], 'A state.'),
  price: nullable(number('A price.')),
});

const good: BodyOf<typeof schema> = {
  on: '2026-11-20',
  at: null,
  opens: '09:30',
  state: 'open',
  price: 1.25,
};

test('accepts a response body that matches the schema', () => {
  expect(Compile(schema).Check(good)).toBe(true);
  expect(Compile(schema).Check({ ...good, at: '2026-11-20T14:30:00Z' })).toBe(true);
});

test.each([
  ['an impossible day', { ...good, on: '2026-02-30' }],
  ['a date in place of an instant', { ...good, at: '2026-11-20' }],
  ['a time past midnight', { ...good, opens: '24:00' }],
  ['a word outside the set', { ...good, state: 'ajar' }],
  ['null where a value is promised', { ...good, state: null }],
  ['a text in place of a number', { ...good, price: '1.25' }],
  ['a field left out', { ...good, price: undefined }],
])('rejects a response body with %s', (_, body) => {
  expect(Compile(schema).Check(body)).toBe(false);
});

test("generates plain JSON Schema that includes the schema's name", () => {
  expect(JSON.parse(JSON.stringify(schema))).toMatchObject({
    $id: 'Sample',
    required: ['on', 'at', 'opens', 'state', 'price'],
    properties: { state: { type: 'string', enum: ['open', 'closed'] } },
  });
});
