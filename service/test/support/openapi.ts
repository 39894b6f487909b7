import { Compile } from 'typebox/schema';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * Throws, naming every fault, unless the body is what the endpoint documents: every documented
 * field is there and no other. (The published schema lets us add fields; a test does not.)
 */
export function expectMatchesOpenApi(endpoint: Pick<Endpoint, 'name' | 'response'>, body: unknown) {
  const sent: unknown = JSON.parse(JSON.stringify(body));
  const schema = closed(JSON.parse(JSON.stringify(endpoint.response)) as Json);
  const [fits, faults] = Compile(schema as object).Errors(sent);
  if (fits) return;
  const lines = faults.map((fault) => `  ${fault.instancePath || '(whole body)'} ${fault.message}`);
  throw new Error(`${endpoint.name} does not match its schema:\n${lines.join('\n')}`);
}

/** The schema with every object that lists its properties closed to others. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => name !== '$id')
      .map(([name, value]) => [name, closed(value)]),
  );
  const isOpen = inner.type === 'object' && 'properties' in inner;
  return isOpen && !('additionalProperties' in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}
