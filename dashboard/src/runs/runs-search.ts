import { oneOf, readTextParams } from '../format/search.ts';
import { OUTCOMES, type RunOutcome } from './run-labels.ts';

/** The filters for ingest runs, as stored in the URL. */
export interface RunsSearch {
  provider?: string;
  outcome?: RunOutcome;
  before?: number;
}

export function readRunsSearch(search: Record<string, unknown>): RunsSearch {
  const outcome = oneOf(OUTCOMES, search['outcome']);
  const before = Number(search['before']);
  return {
    ...readTextParams(search, ['provider']),
    ...(outcome === undefined ? {} : { outcome }),
    ...(Number.isSafeInteger(before) && before > 0 ? { before } : {}),
  };
}
