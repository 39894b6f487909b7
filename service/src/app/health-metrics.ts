import type { DatasetFreshness } from '../datasets/freshness/freshness.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Clock } from '../platform/clock.ts';
import { readDiskSpace } from '../platform/disk-space.ts';
import type { Metrics } from '../platform/metrics.ts';

/** So that hasty scrapers do not load the store; nothing becomes late within seconds. */
const LOOK_EVERY_MS = 30_000;

/** Whether this process should be given work, and the room it has left. */
export function showHealth(
  metrics: Metrics,
  { readiness, dataDir }: { readiness: Pick<Readiness, 'state'>; dataDir: string },
): void {
  metrics.gauge({ name: 'afterbell_ready', help: 'Whether /readyz says ready: 1 or 0.' }, () => [
    { value: readiness.state() === 'ready' ? 1 : 0 },
  ]);
  metrics.gauge(
    { name: 'afterbell_disk_free_bytes', help: 'Room left on the disk that holds DATA_DIR.' },
    async () => {
      const space = await readDiskSpace(dataDir);
      return space === null ? [] : [{ value: space.freeBytes }];
    },
  );
}

/** How fresh the data sets are that a source ever filled; nothing while the store is away. */
export function showFreshness(
  metrics: Metrics,
  { load, clock }: { load: () => Promise<readonly DatasetFreshness[]>; clock: Clock },
): void {
  const freshness = freshnessNow(load, clock);
  metrics.gauge(
    {
      name: 'afterbell_dataset_late',
      help: 'Whether the last good answer is older than the newest run that was due: 1 or 0.',
      labels: ['dataset'],
    },
    async () =>
      (await freshness())
        .filter(({ state }) => state === 'late' || state === 'fresh')
        .map(({ dataset, state }) => ({ value: state === 'late' ? 1 : 0, labels: { dataset } })),
  );
  metrics.gauge(
    {
      name: 'afterbell_dataset_age_seconds',
      help: 'Time since a source last answered well for the data set.',
      labels: ['dataset'],
    },
    async () =>
      (await freshness()).flatMap(({ dataset, lastSuccessAt }) =>
        lastSuccessAt === null
          ? []
          : [{ value: (clock.now() - lastSuccessAt) / 1_000, labels: { dataset } }],
      ),
  );
}

function freshnessNow(
  load: () => Promise<readonly DatasetFreshness[]>,
  clock: Clock,
): () => Promise<readonly DatasetFreshness[]> {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let found: Promise<readonly DatasetFreshness[]> = Promise.resolve([]);
  return () => {
    if (clock.monotonicMs() - lookedAtMs >= LOOK_EVERY_MS) {
      lookedAtMs = clock.monotonicMs();
      found = load().catch(() => []);
    }
    return found;
  };
}
