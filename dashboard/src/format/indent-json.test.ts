import { expect, test } from 'vitest';
import { indentJson } from './indent-json.ts';

test.each([
  '{}',
  '[ ]',
  '{"a":1,"b":[true,{"c":null}],"d":{},"e":[[]]}',
  String.raw`["a,b","{:}","\"x\\",[[]],-15]`,
  ' [ {"a" : "b"} ,\n2 ] ',
])('indents the JSON %s as JSON.stringify would', (text) => {
  expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
});

test('keeps numbers, escapes, and duplicate keys unchanged when indenting JSON', () => {
  const text = '{"id":12345678901234567890,"amount":1.10,"a":1,"a":2,"name":"\\u00e9"}';
  expect(indentJson(text)).toBe(
    '{\n  "id": 12345678901234567890,\n  "amount": 1.10,\n  "a": 1,\n  "a": 2,\n  "name": "\\u00e9"\n}',
  );
});

test.each(['', 'ok', '"text"', '12', '{"a":', '{a:1}', '[1] [2]'])(
  'returns null when asked to indent text that is not a JSON object or array: %s',
  (text) => {
    expect(indentJson(text)).toBeNull();
  },
);
