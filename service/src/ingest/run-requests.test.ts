import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { memoryLog } from '../../test/support/logs.ts';
import type { FetchResult } from '../platform/source-client.ts';
import { emptyReport } from './report.ts';
import { runRequests } from './run-requests.ts';

test('goes on with other hosts at once while one host of the source cools down', async () => {
  const clock = fakeClock(0);
  const fetched: string[] = [];
  const log = memoryLog();
  const fetch = ({ url }: { url: string }): Promise<FetchResult> => {
    fetched.push(url);
    if (url.includes('closed')) {
      const cooldown = { reason: 'blocked', retryAt: 600_000, isHostOnly: true } as const;
      return Promise.resolve({ kind: 'unavailable', ...cooldown });
    }
    const response = { url, status: 200, contentType: 'text/plain', observedAt: 0, text: 'ok' };
    return Promise.resolve({ kind: 'response', response });
  };
  const urls = ['https://closed.example/1', 'https://open.example/1', 'https://open.example/2'];
  const made: string[] = [];
  const outcome = await runRequests(
    {
      clock,
      log,
      source: { fetch, cooldown: () => null },
      ingest: () =>
        Promise.resolve({
          provider: 'agencies',
          feed: null,
          isDamaged: false,
          datasets: [emptyReport(null, 'ingested')],
        }),
      signal: new AbortController().signal,
      onMade: ({ url }) => void made.push(url),
    },
    urls.map((url) => ({ url, headers: {} })),
  );
  expect({ outcome, fetched, made }).toEqual({
    outcome: 'done',
    fetched: urls,
    made: urls.slice(1),
  });
  expect(log.entries.map(({ fields }) => fields['retryAt'])).toContain('1970-01-01T00:10:00Z');
});
