import { parseInstant } from '../../../src/platform/instant.ts';
import type { createSourceResponse } from '../../../src/providers/source-response.ts';
import { loadFixtures } from './fixtures.ts';
import { providers } from '../../../src/providers/registry.gen.ts';
import type { Feed, Provider } from '../../../src/providers/provider.ts';
import { createSandbox } from '../../../src/providers/sandbox/index.ts';

/** A valid response or an error in its source's format, with the feed that reads it. */
export interface SampleResponse {
  provider: Provider;
  feed: Feed;
  /** Name of the fixture. */
  name: string;
  raw: Parameters<typeof createSourceResponse>[0];
}

/** Row limit for generated responses. */
const ROWS = 20;
const NOW = parseInstant('2026-11-20T22:00:00Z') ?? 0;

/** Loads responses for every feed from every provider, from fixtures and from the sandbox. */
export function loadSampleResponses(): SampleResponse[] {
  return providers.flatMap((provider) =>
    provider.generateResponses === undefined
      ? loadProviderFixtures(provider)
      : generateSamples(provider),
  );
}

function loadProviderFixtures(provider: Provider): SampleResponse[] {
  const folderUrl = new URL(`../../../src/providers/${provider.name}/`, import.meta.url).href;
  return loadFixtures(folderUrl).flatMap(({ name, feed: feedName, raw }) => {
    const feed = provider.feeds.find((candidate) => candidate.name === feedName);
    return feed === undefined ? [] : [{ provider, feed, name, raw }];
  });
}

function generateSamples(provider: Provider): SampleResponse[] {
  const responses = [...(createSandbox({ companies: 20 }).generateResponses?.(null, NOW) ?? [])];
  return provider.feeds.flatMap((feed) => {
    const response = responses.findLast((candidate) => candidate.url.includes(`/${feed.name}?`));
    if (response === undefined) return [];
    const { url, status, contentType, observedAt } = response;
    const body = response.json() as { rows: unknown[] };
    const text = JSON.stringify({ ...body, rows: body.rows.slice(0, ROWS) });
    return [
      { provider, feed, name: feed.name, raw: { url, status, contentType, observedAt, text } },
    ];
  });
}
