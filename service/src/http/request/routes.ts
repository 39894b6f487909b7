import type { Endpoint } from '../../endpoints/endpoint.ts';
import { rangeVariant } from './day-or-range.ts';

export interface RouteMatch {
  endpoint: Endpoint;
  /** Path parameters by name, still percent-encoded. */
  pathParameters: ReadonlyMap<string, string>;
}

export type FindRoute = (path: string) => RouteMatch | null;

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/**
 * Creates a function that finds the endpoint for a path. A segment in braces matches one non-empty
 * segment. An endpoint for a day or a range also has the path of its range variant.
 */
export function createRoutes(endpoints: readonly Endpoint[]): FindRoute {
  const fixed = new Map<string, RouteMatch>();
  const patterns: { endpoint: Endpoint; segments: readonly string[] }[] = [];
  for (const endpoint of endpoints.flatMap((it) => [it, rangeVariant(it) ?? []].flat())) {
    if (fixed.has(endpoint.path)) throw new Error(`two endpoints share ${endpoint.path}`);
    if (endpoint.path.includes('{')) patterns.push({ endpoint, segments: split(endpoint.path) });
    else fixed.set(endpoint.path, { endpoint, pathParameters: NO_PARAMETERS });
  }

  return (path) => {
    const match = fixed.get(path);
    if (match !== undefined) return match;
    const pathSegments = split(path);
    for (const { endpoint, segments } of patterns) {
      const pathParameters = matchSegments(segments, pathSegments);
      if (pathParameters !== null) return { endpoint, pathParameters };
    }
    return null;
  };
}

function matchSegments(
  segments: readonly string[],
  pathSegments: readonly string[],
): Map<string, string> | null {
  if (segments.length !== pathSegments.length) return null;
  const pathParameters = new Map<string, string>();
  for (const [index, segment] of segments.entries()) {
    const text = pathSegments[index] ?? '';
    if (!segment.startsWith('{')) {
      if (segment !== text) return null;
    } else if (text === '') return null;
    else pathParameters.set(segment.slice(1, -1), text);
  }
  return pathParameters;
}

function split(path: string): string[] {
  return path.split('/');
}
