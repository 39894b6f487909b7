import { Compile } from 'typebox/schema';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * Throws with all violations unless the body matches the schema and has no undocumented field. The
 * published schema permits additional fields, but tests do not.
 */
export function expectMatchesOpenApi(endpoint: Pick<Endpoint, 'name' | 'response'>, body: unknown) {
  const json: unknown = JSON.parse(JSON.stringify(body));
  const schema = withoutAdditions(JSON.parse(JSON.stringify(endpoint.response)) as Json);
  const [fits, faults] = Compile(schema as object).Errors(json);
  if (fits) return;
  const lines = faults.map((fault) => `  ${fault.instancePath || '(whole body)'} ${fault.message}`);
  throw new Error(`${endpoint.name} does not match its schema:\n${lines.join('\n')}`);
}

/** Disallows additional properties in every object schema that lists properties. */
function withoutAdditions(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutAdditions);
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => name !== '$id')
      .map(([name, value]) => [name, withoutAdditions(value)]),
  );
  const isOpen = inner.type === 'object' && 'properties' in inner;
  return isOpen && !('additionalProperties' in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}
