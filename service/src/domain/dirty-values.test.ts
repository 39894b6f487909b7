import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeDecimal } from './decimal.ts';
import {
  parseIsoDate,
  parseMonthDayYear,
  parseMonthYear,
  parseSlashDate,
  parseWeekdayDate,
} from './dirty-date.ts';
import { parseCount, parseDollars, parseEpsDollars, parsePlain } from './dirty-number.ts';
import { DirtyValueError } from './dirty-value-error.ts';
import { parseLocalDate } from './local-date.ts';

const pieces = fc.constantFrom(...'0123456789$,.()-+%KMBTe/ '.split(''), 'May', 'Mon,', '2024');
const likely = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
const anyText = fc.oneof(likely, fc.string({ unit: 'binary' }));

/** Returns the parsed value, or null if `parse` returns null or throws a `DirtyValueError`. */
function valueOf<T>(parse: (text: string) => T | null, text: string): T | null {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof DirtyValueError && error.text === text) return null;
    throw error;
  }
}

describe('parsers, for any text', () => {
  it.each([
    ['dollars', parseDollars],
    ['EPS', parseEpsDollars],
    ['plain numbers', parsePlain],
  ])('either parses any text as %s to a normalized decimal or rejects it', (_grammar, parse) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const value = valueOf(parse, text);
        expect(value === null || normalizeDecimal(value) === value).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('either parses any text as a count to a non-negative integer or rejects it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const value = valueOf(parseCount, text);
        expect(value === null || (Number.isSafeInteger(value) && value >= 0)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['month/day/year', parseSlashDate],
    ['weekday', parseWeekdayDate],
    ['ISO', parseIsoDate],
    ['long', parseMonthDayYear],
  ])('either parses any text as a %s date to a real day or rejects it', (_grammar, parse) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const date = valueOf(parse, text);
        expect(date === null || parseLocalDate(date) === date).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('either parses any text as a month to a number from 1 to 12 or rejects it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const month = valueOf(parseMonthYear, text)?.month ?? 1;
        expect(month >= 1 && month <= 12).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

it('round-trips any number of cents through dollar text', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), (cents) => {
      const amount = (Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
      const text = cents < 0 ? `($${amount})` : `$${amount}`;
      expect(Number(parseDollars(text))).toBe(cents / 100);
    }),
  );
});
