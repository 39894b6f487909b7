import {
  type Static,
  type TNull,
  type TNumber,
  type TObject,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  Type,
} from 'typebox';

/**
 * Building blocks of response schemas: one function per kind of field, so that dates, percentages
 * and instants are described alike everywhere. Every field is always present. Fields that may be
 * unknown are wrapped in `nullable`.
 */

/** A value that is `null` if unknown, never an empty text or a zero. */
export function nullable<T extends TSchema>(schema: T): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()]);
}

/**
 * An object with a name in the API description (`EarningsRow`) and a type of that name in client
 * libraries. Names are unique across endpoints.
 */
export function named<P extends TProperties>(
  name: string,
  properties: P,
  describe?: string,
): TObject<P> {
  const description = describe === undefined ? {} : { description: describe };
  return Type.Object(properties, { $id: name, ...description });
}

export function text(describe: string): TString {
  return Type.String({ description: describe });
}

/** A civil date, `YYYY-MM-DD`. */
export function date(describe: string): TString {
  return Type.String({ format: 'date', description: describe });
}

/** An instant, RFC 3339 in UTC with `Z`. */
export function instant(describe: string): TString {
  return Type.String({ format: 'date-time', description: describe });
}

/** New York clock time, `HH:MM`. */
export function clockTime(describe: string): TString {
  return Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: describe });
}

/** A canonical ticker symbol, such as `BRK.B`. */
export function symbol(describe = 'Ticker symbol in its canonical spelling.'): TString {
  return Type.String({ minLength: 1, maxLength: 24, description: describe });
}

export function number(describe: string): TNumber {
  return Type.Number({ description: describe });
}

/** Percentage points: 8.7 means 8.7 %. */
export function percent(describe: string): TNumber {
  return Type.Number({ description: `${describe} In percentage points, 4 decimals.` });
}

export function integer(describe: string) {
  return Type.Integer({ description: describe });
}

export function flag(describe: string) {
  return Type.Boolean({ description: describe });
}

export function list<T extends TSchema>(items: T, describe: string) {
  return Type.Array(items, { description: describe });
}

/** Either of two schemas, depending on the parameters. */
export function either<A extends TSchema, B extends TSchema>(first: A, second: B): TUnion<[A, B]> {
  return Type.Union([first, second]);
}

/** A closed set of values. */
export function choice<const V extends readonly string[]>(values: V, describe: string) {
  return Type.Enum([...values] as [...V], { type: 'string', description: describe });
}

/** TypeScript type of a body that matches the schema. */
export type BodyOf<T extends TSchema> = Static<T>;
