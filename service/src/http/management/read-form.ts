import { Compile } from 'typebox/schema';
import type { TObject } from 'typebox';
import { problem } from '../problems.ts';
import type { Problem } from '../problems.ts';
import type { Route } from './route.ts';

/** What was sent, held against the schemas of the call, which are closed: a member too many is a fault. */
export function readForm(
  route: Route,
  sent: { query: Readonly<Record<string, unknown>>; body: unknown },
): { query: unknown; body: unknown } | { refusal: Problem } {
  const query = numbersIn(sent.query, route.query);
  const inQuery = faultOf(route.query ?? EMPTY, query);
  if (inQuery !== null) return { refusal: inQuery };
  if (route.body === undefined) {
    if (sent.body === undefined || sent.body === null) return { query, body: {} };
    return { refusal: bad('body', 'is not taken by this call') };
  }
  const inBody = faultOf(route.body, sent.body ?? {});
  return inBody === null ? { query, body: sent.body ?? {} } : { refusal: inBody };
}

const EMPTY = { type: 'object', properties: {}, additionalProperties: false };
const compiled = new WeakMap<object, ReturnType<typeof Compile>>();

function faultOf(schema: object, value: unknown): Problem | null {
  let validator = compiled.get(schema);
  if (validator === undefined) {
    compiled.set(schema, (validator = Compile({ ...schema, additionalProperties: false })));
  }
  if (validator.Check(value)) return null;
  const [, faults] = validator.Errors(value);
  const [fault] = faults;
  const path = (fault?.instancePath ?? '').split('/').filter(Boolean).join('.');
  return bad(path === '' ? nameIn(fault) : path, fault?.message ?? 'will not do');
}

/** The member a fault is about when it is about one that is missing, or one too many. */
function nameIn(fault: unknown): string {
  const params = (fault as { params?: Record<string, unknown> } | undefined)?.params ?? {};
  const named = params['requiredProperties'] ?? params['additionalProperties'];
  return Array.isArray(named) && typeof named[0] === 'string' ? named[0] : 'body';
}

function bad(parameter: string, fault: string): Problem {
  return problem('invalid-parameter', `${parameter}: ${fault}.`, { members: { parameter } });
}

/** A query is text: what the schema calls a number or a flag is read as one where it looks like one. */
function numbersIn(
  query: Readonly<Record<string, unknown>>,
  schema: TObject | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const property: { type?: string } | undefined = schema?.properties[name];
      const kind = property?.type;
      const isNumber = kind === 'integer' || kind === 'number';
      if (isNumber && typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value)) {
        return [name, Number(value)];
      }
      if (kind === 'boolean' && (value === 'true' || value === 'false')) {
        return [name, value === 'true'];
      }
      return [name, value];
    }),
  );
}
