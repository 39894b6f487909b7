import type { Deprecated } from '../../endpoints/endpoint.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import type { JsonObject } from '../openapi/collect-schemas.ts';

/** A read endpoint or a call of the management interface. */
interface Operation {
  deprecated?: Deprecated;
}

/**
 * What answers of an operation say that is to go: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and
 * where to read more; null of one that stays. Names and values in turn.
 */
export function deprecationHeaders({ deprecated }: Operation): readonly string[] | null {
  if (deprecated === undefined) return null;
  const { since, sunset, link, successor } = deprecated;
  const headers = ['Deprecation', `@${newYorkInstant(since, 0) / 1_000}`];
  if (sunset !== null) headers.push('Sunset', new Date(newYorkInstant(sunset, 0)).toUTCString());
  headers.push('Link', `<${link}>; rel="deprecation"; type="text/html"`);
  if (sunset !== null) headers.push('Link', `<${link}>; rel="sunset"; type="text/html"`);
  if (successor !== null) headers.push('Link', `<${successor}>; rel="successor-version"`);
  return headers;
}

/** The same in a sentence, for who reads the description. */
export function deprecationSentence({ deprecated }: Operation): string | null {
  if (deprecated === undefined) return null;
  const { since, sunset, link, successor } = deprecated;
  const parts = [`Deprecated since ${since}`];
  if (sunset !== null) parts.push(`answers until ${sunset} at least`);
  if (successor !== null) parts.push(`use ${successor}`);
  return `${parts.join('; ')}. See ${link}.`;
}

/** How the description marks such an operation; nothing for one that stays. */
export function deprecationFields({ deprecated }: Operation): JsonObject {
  if (deprecated === undefined) return {};
  const { sunset, link } = deprecated;
  return {
    deprecated: true,
    externalDocs: { description: 'Why it goes, and what to do.', url: link },
    ...(sunset === null ? {} : { 'x-sunset': sunset }),
  };
}
