import type { Instant } from '../platform/instant.ts';
import { isOversizedJson } from './kit/oversized.ts';
import type { SourceResponse } from './provider.ts';

/**
 * Creates a live or recorded response for feeds to read. `text` is the decoded body; a leading
 * byte-order mark is stripped. Throws a `TypeError` if `url` is not an absolute URL.
 */
export function createSourceResponse(raw: {
  url: string;
  status: number;
  contentType: string;
  observedAt: Instant;
  text: string;
}): SourceResponse {
  const parsed = new URL(raw.url);
  const text = raw.text.startsWith('\uFEFF') ? raw.text.slice(1) : raw.text;
  return {
    url: raw.url,
    host: parsed.hostname,
    path: parsed.pathname + parsed.search,
    status: raw.status,
    contentType: raw.contentType,
    observedAt: raw.observedAt,
    text,
    json: parseOnce(text),
  };
}

/** Parses the text only on the first call, since several feeds inspect the same response. */
function parseOnce(text: string): () => unknown {
  let cached: { value: unknown } | undefined;
  return () => (cached ??= { value: parseJson(text) }).value;
}

function parseJson(text: string): unknown {
  if (isOversizedJson(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
