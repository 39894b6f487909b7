import type { Deprecation } from '../../endpoints/endpoint.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import type { JsonObject } from '../openapi/collect-schemas.ts';

/** A read endpoint or a management call. */
interface Operation {
  deprecated?: Deprecation;
}

/**
 * Returns the response headers for a deprecated operation: `Deprecation` (RFC 9745), `Sunset` (RFC
 * 8594) and links, as alternating names and values. Returns null if the operation is not
 * deprecated.
 */
export function deprecationHeaders({ deprecated }: Operation): readonly string[] | null {
  if (deprecated === undefined) return null;
  const { since: deprecatedFrom, sunset, link, successor } = deprecated;
  const headers = ['Deprecation', `@${newYorkInstant(deprecatedFrom, 0) / 1_000}`];
  if (sunset !== null) headers.push('Sunset', new Date(newYorkInstant(sunset, 0)).toUTCString());
  headers.push('Link', `<${link}>; rel="deprecation"; type="text/html"`);
  if (sunset !== null) headers.push('Link', `<${link}>; rel="sunset"; type="text/html"`);
  if (successor !== null) headers.push('Link', `<${successor}>; rel="successor-version"`);
  return headers;
}

/**
 * Returns a sentence about the deprecation for the API reference, or null if the operation is not
 * deprecated.
 */
export function deprecationSentence({ deprecated }: Operation): string | null {
  if (deprecated === undefined) return null;
  const { since: deprecatedFrom, sunset, link, successor } = deprecated;
  const sentences = [`Deprecated since ${deprecatedFrom}.`];
  if (sunset !== null) sentences.push(`Available until at least ${sunset}.`);
  if (successor !== null) sentences.push(`Use ${successor} instead.`);
  return `${sentences.join(' ')} See ${link}.`;
}

/** Returns the OpenAPI fields for a deprecated operation, or no fields if it is not deprecated. */
export function deprecationFields({ deprecated }: Operation): JsonObject {
  if (deprecated === undefined) return {};
  const { sunset, link } = deprecated;
  return {
    deprecated: true,
    externalDocs: { description: 'Deprecation notice and migration', url: link },
    ...(sunset === null ? {} : { 'x-sunset': sunset }),
  };
}
