import type { TSchema } from 'typebox';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

const DESCRIBED_AS = 'x-described-as';

/**
 * Adds keywords that only the API description has, for a value that its handler validates with a
 * better message.
 */
export function describedAs<T extends TSchema>(schema: T, keywords: JsonObject): T {
  return { ...schema, [DESCRIBED_AS]: keywords };
}

/**
 * Returns the schema as plain JSON. Moves named subschemas (those with an `$id`) to `into` and
 * replaces each with a `$ref`. Throws if two different subschemas have the same name.
 */
export function collectSchemas(schema: TSchema, into: Record<string, JsonObject>): Json {
  return collect(JSON.parse(JSON.stringify(schema)) as Json, into);
}

function collect(schema: Json, into: Record<string, JsonObject>): Json {
  if (isList(schema)) return schema.map((part) => collect(part, into));
  if (schema === null || typeof schema !== 'object') return schema;
  const { $id: name, [DESCRIBED_AS]: described = {}, ...rest } = schema;
  const parts = Object.entries(rest).map(([key, part]) => [key, collect(part, into)] as const);
  const collected = listOfLength({ ...Object.fromEntries(parts), ...(described as JsonObject) });
  if (typeof name !== 'string') return name === undefined ? collected : { $id: name, ...collected };
  const existing = into[name];
  if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(collected)) {
    throw new Error(`two different schemas are named ${name}`);
  }
  into[name] = collected;
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Converts a tuple to a list of fixed length. OpenAPI 3.1 rejects the form that TypeBox generates,
 * and several generators cannot read `prefixItems`. All items must have the same schema.
 */
function listOfLength(schema: JsonObject): JsonObject {
  const { items, additionalItems, ...rest } = schema;
  if (items === undefined || !isList(items)) return schema;
  const [item] = items;
  const texts = new Set(items.map((it) => JSON.stringify(it)));
  if (item === undefined || texts.size > 1 || additionalItems !== false) {
    throw new Error('the API description supports only tuples of equal items');
  }
  return { ...rest, items: item, minItems: items.length, maxItems: items.length };
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
