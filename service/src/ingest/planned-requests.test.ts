import { describe, expect, it } from 'vitest';
import { localDate } from '../domain/local-date.ts';
import type { Feed, PlanContext } from '../providers/provider.ts';
import type { Job } from './jobs.ts';
import { plannedRequests } from './planned-requests.ts';
import { daily } from '../domain/market/due-times.ts';

const CONTEXT: PlanContext = {
  now: 0,
  today: localDate('2026-11-20'),
  symbols: [],
  ciks: new Map(),
  setting: () => undefined,
};

function planned(urls: readonly string[], days?: Job['days']): string[] {
  const job: Job = {
    id: 'source/feed/job',
    provider: 'source',
    feed: 'feed',
    times: daily('03:00'),
    scope: 'all',
    priority: 'routine',
    ...(days !== undefined && { days }),
  };
  const feed: Feed = {
    name: 'feed',
    datasets: [],
    claims: () => false,
    parse: () => ({ rows: [], bad: [] }),
    plan: () => urls.map((url) => ({ url, headers: {} })),
  };
  return plannedRequests(job, feed, CONTEXT).map(({ url }) => url);
}

const DAYS = ['2026-11-14', '2026-11-15', '2026-11-20', '2026-11-21'];

describe('the requests planned for a job', () => {
  it.each(['date', 'from'])(
    "includes requests whose %s parameter is within the job's days",
    (parameter) => {
      const urls = DAYS.map((day) => `https://source.example/?${parameter}=${day}&to=2026-12-31`);
      expect(planned(urls, { from: -5, to: 0 })).toEqual(urls.slice(1, 3));
    },
  );

  it('includes requests without a day', () => {
    const urls = ['https://source.example/?symbol=MERD', 'https://source.example/?date=soon'];
    expect(planned(urls, { from: 0, to: 0 })).toEqual(urls);
  });

  it('includes each request only once', () => {
    const url = 'https://source.example/list';
    expect(planned([url, url])).toEqual([url]);
  });
});
