import type { TSchema } from 'typebox';
import type { Json, JsonObject } from './json.ts';

/**
 * The schema as plain JSON, its named parts (`$id`) moved to `into` and referred to from where they
 * stood. Throws when two different parts share a name.
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
  const known = into[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(collected)) {
    throw new Error(`two different schemas are named ${name}`);
  }
  into[name] = collected;
  return { $ref: `#/components/schemas/${name}` };
}

/** Types write tuples in the older way, which OpenAPI 3.1 (JSON Schema 2020-12) does not take. */
function tupleOf2020(schema: JsonObject): JsonObject {
  const { items, additionalItems = true, ...rest } = schema;
  if (items === undefined || !isList(items)) return schema;
  return { ...rest, prefixItems: items, items: additionalItems };
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
