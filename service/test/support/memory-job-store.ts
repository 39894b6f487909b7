import type { JobStore } from '../../src/ingest/job-store.ts';
import type { LiveDeps } from '../../src/ingest/live-feeds.ts';
import type { Instant } from '../../src/platform/instant.ts';
import type { Db } from '../../src/storage/db.ts';

/** Creates an in-memory job store whose contents a test can inspect and change. */
export function memoryJobStore() {
  const progress = new Map<string, Instant>();
  const respondedAt = new Map<string, Instant>();
  const pending: (Parameters<JobStore['finishRequest']>[0] & { urgent: boolean })[] = [];
  const finished: { url: string; outcome: string }[] = [];
  const failed: string[] = [];
  const close = (url: string): void => {
    const index = pending.findIndex((request) => request.url === url);
    if (index >= 0) pending.splice(index, 1);
  };
  const jobs: JobStore = {
    loadProgress: (id) => Promise.resolve(progress.get(id) ?? null),
    saveProgress: (id, at) => Promise.resolve(void progress.set(id, at)),
    nextRequest: (provider, { isUrgentOnly, exceptHosts }) =>
      Promise.resolve(
        pending.find(
          (request) =>
            request.provider === provider &&
            (request.urgent || !isUrgentOnly) &&
            !exceptHosts.includes(new URL(request.url).host),
        ) ?? null,
      ),
    finishRequest(request, outcome) {
      finished.push({ url: request.url, outcome });
      close(request.url);
      return Promise.resolve();
    },
    failRequest(request) {
      failed.push(request.url);
      close(request.url);
      return Promise.resolve();
    },
    recordRequests(_, requests) {
      pending.push(...requests.map((request) => ({ ...request, urgent: false })));
      return Promise.resolve(requests.length);
    },
    loadResponseTimes: () => Promise.resolve(respondedAt),
  };
  return { jobs, progress, respondedAt, open: pending, finished, failed };
}

/** A lease without competition: the work starts immediately and never loses the lease. */
export const uncontestedLease: LiveDeps['withLease'] = (_, signal, { work }) =>
  work({ signal, db: NO_STORE });

const NO_STORE: Db = {
  engine: 'pglite',
  query: () => Promise.reject(new Error('no store in this test')),
  execute: () => Promise.reject(new Error('no store in this test')),
  transaction: () => Promise.reject(new Error('no store in this test')),
  readSnapshot: () => Promise.reject(new Error('no store in this test')),
  close: () => Promise.resolve(),
};
