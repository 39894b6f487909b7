import { parseInstant } from '../../platform/instant.ts';
import {
  type ConformanceFixture,
  describeProvider,
} from '../../../test/support/providers/conformance.ts';
import { createSandbox, provider } from './index.ts';

const NOW = parseInstant('2026-11-20T22:00:00Z') ?? 0;

/** Generates one response per feed, since the source has no fixtures. */
function fixtures(): ConformanceFixture[] {
  const responses = [...(createSandbox({ companies: 20 }).generateResponses?.(null, NOW) ?? [])];
  return provider.feeds.flatMap(({ name }) => {
    const candidates = responses.filter(({ url }) => !url.endsWith('&part=slips'));
    const response = candidates.findLast(({ url }) => url.includes(`/${name}?`));
    if (response === undefined) return [];
    const { url, status, contentType, observedAt, text } = response;
    const { rows } = response.json() as { rows: unknown[] };
    const raw = { url, status, contentType, observedAt, text };
    const rowsInSource = rows.length * (name === 'companies' ? 2 : 1);
    return [{ name, feed: name, raw, rowsInSource, badRows: 0 }];
  });
}

describeProvider({ provider, fixtures: fixtures(), testUrl: import.meta.url });
