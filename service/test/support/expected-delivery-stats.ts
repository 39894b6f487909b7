import { newYorkDate, newYorkInstant } from '../../src/domain/new-york.ts';
import type {
  AttemptSlice,
  StatsRange,
  SystemSlice,
} from '../../src/webhooks/stats/delivery-stats.ts';

export interface AttemptRow {
  endpointId: string;
  startedAt: number;
  state: string;
  code: string | null;
  status: number | null;
  durationMs: number | null;
}

/**
 * Computes delivery statistics from each attempt individually. The store's statements must return
 * the same numbers.
 */
export function expectedAttemptSlices(
  attempts: readonly AttemptRow[],
  span: StatsRange,
): AttemptSlice[] {
  const groups = Map.groupBy(attemptsIn(attempts, span), (attempt) =>
    JSON.stringify([attempt.endpointId, timeOf(attempt, span)]),
  );
  const slices = [...groups.values()].map((group) => {
    const durations = group.flatMap(({ durationMs }) => durationMs ?? []).toSorted((a, b) => a - b);
    const percentile = (share: number) =>
      durations[Math.ceil(share * durations.length) - 1] ?? null;
    return {
      endpointId: group[0]?.endpointId ?? '',
      ...sumOf(group, span),
      p50Ms: percentile(0.5),
      p95Ms: percentile(0.95),
    };
  });
  return slices.toSorted((a, b) =>
    a.endpointId === b.endpointId ? a.at - b.at : a.endpointId < b.endpointId ? -1 : 1,
  );
}

export function expectedSystemSlices(
  attempts: readonly AttemptRow[],
  span: StatsRange,
): SystemSlice[] {
  const groups = Map.groupBy(attemptsIn(attempts, span), (attempt) => timeOf(attempt, span));
  return [...groups.values()].map((group) => sumOf(group, span)).toSorted((a, b) => a.at - b.at);
}

function attemptsIn(attempts: readonly AttemptRow[], { from, to }: StatsRange): AttemptRow[] {
  return attempts.filter(
    ({ startedAt, state }) => state !== 'started' && startedAt >= from && startedAt < to,
  );
}

function timeOf({ startedAt }: AttemptRow, { by }: StatsRange): number {
  if (by === 'hour') return startedAt - (startedAt % 3_600_000);
  return newYorkInstant(newYorkDate(startedAt), 0);
}

function sumOf(group: readonly AttemptRow[], span: StatsRange): SystemSlice {
  const [first] = group;
  const at = first === undefined ? 0 : timeOf(first, span);
  const slice: SystemSlice = { at, delivered: 0, failed: 0, errors: {} };
  for (const attempt of group) {
    const error = errorOf(attempt);
    if (error === null) slice.delivered += 1;
    else {
      slice.failed += 1;
      slice.errors[error] = (slice.errors[error] ?? 0) + 1;
    }
  }
  return slice;
}

function errorOf({ state, code, status }: AttemptRow): string | null {
  if (state === 'unknown') return 'unknown';
  if (code !== null) return code;
  if (status === null) return 'unknown';
  if (status < 200) return 'redirect';
  if (status < 300) return null;
  if (status < 400) return 'redirect';
  return status < 500 ? 'http_4xx' : 'http_5xx';
}
