import { parseInstant } from '../../../src/platform/instant.ts';
import type { makeAnswer } from '../../../src/providers/source-response.ts';
import { loadFixtures } from './fixtures.ts';
import { providers } from '../../../src/providers/registry.gen.ts';
import type { Feed, Provider } from '../../../src/providers/provider.ts';
import { createSandbox } from '../../../src/providers/sandbox/index.ts';

/** An answer in the shape of its source, good or a refusal, and who reads it. */
export interface KnownAnswer {
  provider: Provider;
  feed: Feed;
  /** Of the fixture it comes from. */
  name: string;
  raw: Parameters<typeof makeAnswer>[0];
}

/** Of what is made up there is as much as one likes. */
const ROWS = 20;
const NOW = parseInstant('2026-11-20T22:00:00Z') ?? 0;

/** Answers of every feed of every provider: their fixtures, and what the sandbox makes up. */
export function knownAnswers(): KnownAnswer[] {
  return providers.flatMap((provider) =>
    provider.answers === undefined ? kept(provider) : made(provider),
  );
}

function kept(provider: Provider): KnownAnswer[] {
  const here = new URL(`../../../src/providers/${provider.name}/`, import.meta.url).href;
  return loadFixtures(here).flatMap(({ name, feed: feedName, raw }) => {
    const feed = provider.feeds.find((one) => one.name === feedName);
    return feed === undefined ? [] : [{ provider, feed, name, raw }];
  });
}

function made(provider: Provider): KnownAnswer[] {
  const answers = [...(createSandbox({ companies: 20 }).answers?.(null, NOW) ?? [])];
  return provider.feeds.flatMap((feed) => {
    const answer = answers.findLast((each) => each.url.includes(`/${feed.name}?`));
    if (answer === undefined) return [];
    const { url, status, contentType, observedAt } = answer;
    const body = answer.json() as { rows: unknown[] };
    const text = JSON.stringify({ ...body, rows: body.rows.slice(0, ROWS) });
    return [
      { provider, feed, name: feed.name, raw: { url, status, contentType, observedAt, text } },
    ];
  });
}
