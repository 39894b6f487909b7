import { describe, expect, it } from 'vitest';
import vectors from '../../../vectors/dirty-values/dates.json' with { type: 'json' };
import {
  monthEnd,
  parseIsoDate,
  parseMonthDayYear,
  parseMonthYear,
  parseSlashDate,
  parseWeekdayDate,
} from './dirty-date.ts';
import { DirtyValueError } from './dirty-value-error.ts';

interface DateCase {
  grammar: string;
  text: string;
  value?: string | null;
  refused?: boolean;
}
const cases: DateCase[] = vectors.cases;

const GRAMMARS: Readonly<Record<string, (text: string) => string | null>> = {
  slash: parseSlashDate,
  weekday: parseWeekdayDate,
  iso: parseIsoDate,
  long: parseMonthDayYear,
  month: (text) => {
    const month = parseMonthYear(text);
    return month === null ? null : monthEnd(month).slice(0, 7);
  },
};

function parserOf(grammar: string): (text: string) => string | null {
  const parse = GRAMMARS[grammar];
  if (parse === undefined) throw new Error(`no such grammar: ${grammar}`);
  return parse;
}

describe('dates as written by sources', () => {
  it.each(cases.filter(({ refused }) => refused !== true))(
    'in the $grammar date format, parses $text as $value',
    ({ grammar, text, value }) => {
      expect(parserOf(grammar)(text)).toBe(value);
    },
  );

  it.each(cases.filter(({ refused }) => refused === true))(
    'in the $grammar date format, rejects $text',
    ({ grammar, text }) => {
      expect(() => parserOf(grammar)(text)).toThrow(DirtyValueError);
    },
  );
});

describe('monthEnd', () => {
  it.each([
    [2024, 2, '2024-02-29'],
    [2023, 2, '2023-02-28'],
    [2025, 12, '2025-12-31'],
  ])('for the month %i-%i, returns the last day %s', (year, month, date) => {
    expect(monthEnd({ year, month })).toBe(date);
  });
});
