import { parseInstant } from '../../../src/platform/instant.ts';
import type { createSourceResponse } from '../../../src/providers/source-response.ts';
import { loadFixtures } from './fixtures.ts';
import { providers } from '../../../src/providers/registry.gen.ts';
import type { Feed, Provider } from '../../../src/providers/provider.ts';
import { createSandbox } from '../../../src/providers/sandbox/index.ts';

/** An answer in the shape of its source, good or a refusal, and who reads it. */
export interface SampleResponse {
  provider: Provider;
  feed: Feed;
  /** Of the fixture it comes from. */
  name: string;
  raw: Parameters<typeof createSourceResponse>[0];
}

/** Of what is made up there is as much as one likes. */
const ROWS = 20;
const NOW = parseInstant('2026-11-20T22:00:00Z') ?? 0;

/** Answers of every feed of every provider: their fixtures, and what the sandbox makes up. */
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
