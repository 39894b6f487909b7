import { type TInteger, type TString, Type } from 'typebox';
import { SYMBOL_PATTERN } from '../../domain/symbol-pattern.ts';
import { describedAs } from '../openapi/collect-schemas.ts';
import { CALENDAR_DAY } from '../openapi/parameter-schema.ts';

// Texts that a handler parses and rejects with a message of its own. The API description has their
// format, which validation leaves to the handler.

/** An RFC 3339 timestamp, as `readInstant` reads it. */
export function instantText(description: string): TString {
  return describedAs(Type.String({ maxLength: 40, description }), { format: 'date-time' });
}

/** A day, as `parseLocalDate` reads it. */
export function dayText(description: string): TString {
  return describedAs(Type.String({ description }), CALENDAR_DAY);
}

/** A ticker symbol, as `parseSymbol` reads it. */
export function symbolText(description: string): TString {
  return describedAs(Type.String({ minLength: 1, maxLength: 24, description }), {
    pattern: SYMBOL_PATTERN,
  });
}

/** An email address with letters of European languages; `readEmail` reads others too. */
export function emailText(description: string): TString {
  const letters = 'À-ɏ';
  return describedAs(Type.String({ maxLength: 254, description }), {
    pattern: `^[!-?A-~${letters}]{1,64}@[!-?A-~${letters}]+\\.[!-\\-/-?A-~${letters}]+$`,
  });
}

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

/** A name of at least one visible character, as `parseName` reads it. */
export function nameText(description: string): TString {
  const pattern = `^[^${CONTROL}]*[^\\s${CONTROL}][^${CONTROL}]*$`;
  return describedAs(Type.String({ maxLength: 200, description }), { minLength: 1, pattern });
}

/** A line of text without control characters, or an empty text. */
export function lineText(description: string, maxLength = 200): TString {
  return describedAs(Type.String({ maxLength, description }), { pattern: `^[^${CONTROL}]*$` });
}

/** A whole number from 1 to `maximum` that an action validates. */
export function countNumber(maximum: number): TInteger {
  return describedAs(Type.Integer(), { minimum: 1, maximum });
}

/** The `next` value of a page that ends with a row number. */
export function nextNumber(): TInteger {
  return Type.Integer({
    minimum: 1,
    maximum: 999_999_999_999_999,
    description: 'The `next` value of the previous page.',
  });
}

/** The `next` value of a page, as the handler of the list reads it. */
export function nextText(pattern: RegExp): TString {
  return describedAs(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: 'The `next` value of the previous page.',
    }),
    { pattern: pattern.source },
  );
}
