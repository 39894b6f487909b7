import type { TSchema } from 'typebox';
import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';

/**
 * An endpoint that returns an object for a day and an array for a range has two response types, so
 * the API description contains two operations. The range has a path of its own, because OpenAPI
 * allows only one operation for a path and method.
 */
const RANGE_PATH = '/range';

/**
 * Returns the endpoint for ranges only, at its own path. Returns null if days and ranges have the
 * same type of response.
 */
export function rangeVariant(endpoint: Endpoint): Endpoint | null {
  const types = responseTypes(endpoint);
  if (types === null) return null;
  const ends = rangeNames(endpoint);
  return {
    ...endpoint,
    path: `${endpoint.path}${RANGE_PATH}`,
    summary: `${endpoint.summary} for a range of days`,
    parameters: endpoint.parameters.map((parameter) =>
      ends.has(parameter.name) ? { ...parameter, required: true } : parameter,
    ),
    response: types.range,
    example: [endpoint.example],
  };
}

/** Returns the endpoint for a single day, at the same path. Returns null like `rangeVariant`. */
export function dayVariant(endpoint: Endpoint): Endpoint | null {
  const types = responseTypes(endpoint);
  if (types === null) return null;
  const ends = rangeNames(endpoint);
  return {
    ...endpoint,
    parameters: endpoint.parameters.filter(({ name }) => !ends.has(name)),
    response: types.day,
  };
}

/** Returns true for a parameter that a range replaces. */
export function isDay({ requiredUnless }: Parameter): boolean {
  return requiredUnless !== undefined;
}

/** Returns the names of the parameters for the ends of a range. */
function rangeNames({ parameters }: Endpoint): ReadonlySet<string> {
  return new Set(parameters.flatMap(({ requiredUnless = [] }) => requiredUnless));
}

function responseTypes({
  response,
  parameters,
}: Endpoint): { day: TSchema; range: TSchema } | null {
  if (!('anyOf' in response) || !parameters.some(isDay)) return null;
  const variants = response.anyOf as readonly TSchema[];
  const range = variants.find((variant) => 'type' in variant && variant.type === 'array');
  const day = variants.find((variant) => variant !== range);
  return range === undefined || day === undefined ? null : { day, range };
}
