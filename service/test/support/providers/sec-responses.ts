import { makeAnswer } from '../../../src/providers/source-response.ts';
import { loadFixtures } from './fixtures.ts';
import type { Answer, Feed, Parsed } from '../../../src/providers/provider.ts';

/** For tests: one of the fixtures beside this file, as an answer. */
function fixtureAnswer(name: string): Answer {
  const fixture = loadFixtures(new URL('../../../src/providers/sec/', import.meta.url).href).find(
    (one) => one.name === name,
  );
  if (fixture === undefined) throw new Error(`no fixture ${name}`);
  return makeAnswer(fixture.raw);
}

export function parseFixture(feed: Feed, name: string): Parsed {
  return feed.parse(fixtureAnswer(name));
}

/** For tests: an answer of that URL with that body. */
export function jsonAnswer(url: string, body: unknown): Answer {
  const text = JSON.stringify(body);
  return makeAnswer({ url, status: 200, contentType: 'application/json', observedAt: 0, text });
}
