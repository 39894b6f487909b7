import { createSourceResponse } from '../../../src/providers/source-response.ts';
import { loadFixtures } from './fixtures.ts';
import type { Feed, ParseResult, SourceResponse } from '../../../src/providers/provider.ts';

/** Returns one of the SEC provider's fixtures as a response. */
function fixtureResponse(name: string): SourceResponse {
  const fixture = loadFixtures(new URL('../../../src/providers/sec/', import.meta.url).href).find(
    (candidate) => candidate.name === name,
  );
  if (fixture === undefined) throw new Error(`no fixture ${name}`);
  return createSourceResponse(fixture.raw);
}

export function parseFixture(feed: Feed, name: string): ParseResult {
  return feed.parse(fixtureResponse(name));
}

/** Returns a response from that URL with that body. */
export function jsonResponse(url: string, body: unknown): SourceResponse {
  const text = JSON.stringify(body);
  return createSourceResponse({
    url,
    status: 200,
    contentType: 'application/json',
    observedAt: 0,
    text,
  });
}
