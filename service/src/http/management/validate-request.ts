import { Compile } from 'typebox/schema';
import type { TObject } from 'typebox';
import { problem, type Problem } from '../problems.ts';
import type { Route } from './route.ts';

/** What was sent, held against the schemas of the call, which are closed: a member too many is a fault. */
export function validateRequest(
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
  const missing = missingIn(fault);
  const path = (fault?.instancePath ?? '').split('/').filter(Boolean);
  if (missing !== null) return lacking([...path, missing].join('.'));
  return bad(path.join('.') || 'body', sayFault(fault));
}

/** The member that a fault says is missing. */
function missingIn(fault: Fault | undefined): string | null {
  const [name] = listOf(fault?.params, 'requiredProperties');
  return name ?? null;
}

interface Fault {
  keyword: string;
  message: string;
  params: object;
}

/** What the validator says of its schema, as whoever sent the value is told of it. */
function sayFault(fault: Fault | undefined): string {
  // A member too many stands under a schema that nothing fits.
  if (fault?.keyword === 'boolean') return 'is not taken by this call';
  const allowed = listOf(fault?.params, 'allowedValues');
  if (allowed.length > 0) return `must be one of ${allowed.join(', ')}`;
  return fault?.message ?? 'will not do';
}

function listOf(params: object | undefined, name: string): string[] {
  const value: unknown = new Map<string, unknown>(Object.entries(params ?? {})).get(name);
  return Array.isArray(value) ? value.map(String) : [];
}

function lacking(parameter: string): Problem {
  return problem('missing-parameter', `${parameter}: is wanted.`, { members: { parameter } });
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
