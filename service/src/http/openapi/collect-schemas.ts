import type { TSchema } from 'typebox';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

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
  const { $id: name, ...rest } = schema;
  const parts = Object.entries(rest).map(([key, part]) => [key, collect(part, into)] as const);
  const collected = tupleOf2020(Object.fromEntries(parts));
  if (typeof name !== 'string') return name === undefined ? collected : { $id: name, ...collected };
  const existing = into[name];
  if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(collected)) {
    throw new Error(`two different schemas are named ${name}`);
  }
  into[name] = collected;
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Converts a tuple from the older form that TypeBox generates to the form in JSON Schema 2020-12,
 * because OpenAPI 3.1 rejects the older one.
 */
function tupleOf2020(schema: JsonObject): JsonObject {
  const { items, additionalItems = true, ...rest } = schema;
  if (items === undefined || !isList(items)) return schema;
  return { ...rest, prefixItems: items, items: additionalItems };
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
