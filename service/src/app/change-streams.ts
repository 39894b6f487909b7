import { topics } from '../datasets/topics.gen.ts';
import type { DataSource } from '../http/response/cached-response.ts';
import { ChangeStreams } from '../http/stream/change-streams.ts';
import type { AppContext } from './context.ts';
import type { ReadApiAccess } from './read-api.ts';
import type { CachedReads } from './response-cache.ts';

/** Opens this process's streams. The notifications that invalidate cached responses wake them. */
export function openChangeStreams(
  { db, clock, log, metrics }: AppContext,
  parts: { access: ReadApiAccess; cachedReads: CachedReads; dataSource: DataSource },
): ChangeStreams {
  const { access, cachedReads, dataSource } = parts;
  const streams = new ChangeStreams({ db, clock, log, keys: access.keys, dataSource });
  cachedReads.onStale((stale) => {
    if (stale === 'all' || [...stale].includes(topics.changes.any)) streams.wake();
  });
  metrics.streams(streams);
  return streams;
}
