import { describe, expect, it } from 'vitest';
import vectors from '../../../vectors/dirty-values/numbers.json' with { type: 'json' };
import {
  parseCount,
  parseDollars,
  parseEpsDollars,
  parseJsonNumber,
  parsePlain,
} from './dirty-number.ts';
import { DirtyValueError } from './dirty-value-error.ts';

interface NumberCase {
  grammar: string;
  text: string;
  value?: string | number | null;
  refused?: boolean;
}
const cases: NumberCase[] = vectors.cases;

const GRAMMARS: Readonly<Record<string, (text: string) => string | number | null>> = {
  dollars: parseDollars,
  eps: parseEpsDollars,
  plain: parsePlain,
  count: parseCount,
};

function parserOf(grammar: string): (text: string) => string | number | null {
  const parse = GRAMMARS[grammar];
  if (parse === undefined) throw new Error(`no such grammar: ${grammar}`);
  return parse;
}

describe('numbers as written by sources', () => {
  it.each(cases.filter(({ refused }) => refused !== true))(
    'in the $grammar number format, parses $text as $value',
    ({ grammar, text, value }) => {
      expect(parserOf(grammar)(text)).toBe(value);
    },
  );

  it.each(cases.filter(({ refused }) => refused === true))(
    'in the $grammar number format, rejects $text',
    ({ grammar, text }) => {
      expect(() => parserOf(grammar)(text)).toThrow(DirtyValueError);
    },
  );

  it('reports an invalid number with its format, its text and the expected kind of value', () => {
    expect(() => parseDollars('about $3')).toThrow(
      expect.objectContaining({ kind: 'number', grammar: 'dollar amount', text: 'about $3' }),
    );
  });
});

describe('parseJsonNumber', () => {
  it.each([
    [0.1, '0.1'],
    [0, '0'],
    [-0, '0'],
    [2.675, '2.675'],
    [1e-7, '0.0000001'],
    [8.1000752e7, '81000752'],
    [-15.2, '-15.2'],
    [1.7961999999999998, '1.7962'],
    [-0.13333333333333333, '-0.133333333333'],
    [45.33918380737305, '45.339183807373'],
    [null, null],
    [undefined, null],
  ])('parses the JSON number %s as %s', (value, text) => {
    expect(parseJsonNumber(value)).toBe(text);
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [1e300], [1e-30], ['1'], [true], [{}], [[]]])(
    'rejects %s as a JSON number',
    (value) => {
      expect(() => parseJsonNumber(value)).toThrow(DirtyValueError);
    },
  );
});
