import { Compile } from 'typebox/schema';
import type { TObject } from 'typebox';
import { problem, type Problem } from '../problems.ts';
import type { Route } from './route.ts';

/** Validates the query and body against the route's schemas. Rejects unknown members. */
export function validateRequest(
  route: Route,
  request: { query: Readonly<Record<string, unknown>>; body: unknown },
): { query: unknown; body: unknown } | { refusal: Problem } {
  const query = coerceQuery(request.query, route.query);
  const queryError = validate(route.query ?? EMPTY, query);
  if (queryError !== null) return { refusal: queryError };
  if (route.body === undefined) {
    if (request.body === undefined || request.body === null) return { query, body: {} };
    return { refusal: invalidParameter('body', 'is not accepted by this call') };
  }
  const body = request.body === undefined ? {} : request.body;
  const bodyError = validate(route.body, body);
  return bodyError === null ? { query, body } : { refusal: bodyError };
}

const EMPTY = { type: 'object', properties: {}, additionalProperties: false };
const compiled = new WeakMap<object, ReturnType<typeof Compile>>();

function validate(schema: object, value: unknown): Problem | null {
  let validator = compiled.get(schema);
  if (validator === undefined) {
    compiled.set(schema, (validator = Compile({ ...schema, additionalProperties: false })));
  }
  if (validator.Check(value)) return null;
  const [, errors] = validator.Errors(value);
  const [error] = errors;
  const path = (error?.instancePath ?? '').split('/').filter(Boolean);
  const [missing] = listParam(error?.params, 'requiredProperties');
  if (missing !== undefined) return missingParameter([...path, missing].join('.'));
  return invalidParameter(path.join('.') || 'body', messageOf(error));
}

interface ValidationError {
  keyword: string;
  message: string;
  params: object;
}

/** Replaces the validator's schema-oriented messages with messages about the value. */
function messageOf(error: ValidationError | undefined): string {
  // The validator checks unknown members against the schema `false`.
  if (error?.keyword === 'boolean') return 'is not accepted by this call';
  const allowed = listParam(error?.params, 'allowedValues');
  if (allowed.length > 0) return `must be one of ${allowed.join(', ')}`;
  return error?.message ?? 'is invalid';
}

function listParam(params: object | undefined, name: string): string[] {
  const value: unknown = new Map<string, unknown>(Object.entries(params ?? {})).get(name);
  return Array.isArray(value) ? value.map(String) : [];
}

function missingParameter(parameter: string): Problem {
  return problem('missing-parameter', `${parameter}: is required.`, { members: { parameter } });
}

function invalidParameter(parameter: string, message: string): Problem {
  return problem('invalid-parameter', `${parameter}: ${message}.`, { members: { parameter } });
}

/**
 * Converts query values, which are strings, to a number or boolean if the schema expects one and
 * the value looks like one.
 */
function coerceQuery(
  query: Readonly<Record<string, unknown>>,
  schema: TObject | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const property: { type?: string } | undefined = schema?.properties[name];
      const type = property?.type;
      const isNumber = type === 'integer' || type === 'number';
      if (isNumber && typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value)) {
        return [name, Number(value)];
      }
      if (type === 'boolean' && (value === 'true' || value === 'false')) {
        return [name, value === 'true'];
      }
      return [name, value];
    }),
  );
}
