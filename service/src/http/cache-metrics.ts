import type { Metrics } from '../platform/metrics.ts';
import type { ResponseCache } from './response-cache.ts';

/** The same cache, of which look-ups are counted. */
export function instrumentCache(cache: ResponseCache, metrics: Metrics): ResponseCache {
  let hits = 0;
  let misses = 0;
  metrics.counterOf(
    {
      name: 'afterbell_answer_cache_lookups_total',
      help: 'Look-ups of kept answers; result is hit or miss.',
      labels: ['result'],
    },
    () => [
      { value: hits, labels: { result: 'hit' } },
      { value: misses, labels: { result: 'miss' } },
    ],
  );
  metrics.gauge(
    { name: 'afterbell_answer_cache_bytes', help: 'Size of the answers that are kept.' },
    () => [{ value: cache.sizeBytes() }],
  );
  return {
    ...cache,
    get(key, now) {
      const answer = cache.get(key, now);
      if (answer === null) misses += 1;
      else hits += 1;
      return answer;
    },
  };
}
