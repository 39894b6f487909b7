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
 * Building blocks for response schemas: one function for each kind of field, so that dates,
 * percentages and instants are described consistently. Every field is always present. A field that
 * may be unknown is wrapped in `nullable`.
 */

/** Returns a schema for a value that is `null` if unknown, never an empty string or zero. */
export function nullable<T extends TSchema>(schema: T): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()]);
}

/**
 * Returns a schema for an object that has a name in the API description (such as `EarningsRow`) and
 * a type with that name in client libraries. Names are unique across endpoints.
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

/** Returns a schema for a civil date, `YYYY-MM-DD`. */
export function date(describe: string): TString {
  return Type.String({ format: 'date', description: describe });
}

/** Returns a schema for an instant, RFC 3339 in UTC with `Z`. */
export function instant(describe: string): TString {
  return Type.String({ format: 'date-time', description: describe });
}

/** Returns a schema for New York clock time, `HH:MM`. */
export function clockTime(describe: string): TString {
  return Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: describe });
}

/** Returns a schema for a ticker symbol in canonical form, such as `BRK.B`. */
export function symbol(describe = 'Ticker symbol in its canonical spelling.'): TString {
  return Type.String({ minLength: 1, maxLength: 24, description: describe });
}

export function number(describe: string): TNumber {
  return Type.Number({ description: describe });
}

/** Returns a schema for percentage points: 8.7 means 8.7 %. */
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

/**
 * Returns a schema that matches either of two schemas, for responses whose format depends on the
 * parameters.
 */
export function either<A extends TSchema, B extends TSchema>(first: A, second: B): TUnion<[A, B]> {
  return Type.Union([first, second]);
}

/** Returns a schema for a closed set of values. */
export function choice<const V extends readonly string[]>(values: V, describe: string) {
  return Type.Enum([...values] as [...V], { type: 'string', description: describe });
}

/** TypeScript type for a body that matches the schema. */
export type BodyOf<T extends TSchema> = Static<T>;
