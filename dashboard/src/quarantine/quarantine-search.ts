import { oneOf, readTextParams } from '../format/search.ts';
import { type QuarantineState, STATES } from './quarantine-state.ts';

/** The quarantine filters, as stored in the URL. The state defaults to open. */
export interface QuarantineSearch {
  state?: QuarantineState;
  provider?: string;
  dataset?: string;
  reason?: string;
  before?: string;
}

export function readQuarantineSearch(search: Record<string, unknown>): QuarantineSearch {
  const state = oneOf(STATES, search['state']);
  return {
    ...(state === undefined || state === 'open' ? {} : { state }),
    ...readTextParams(search, ['provider', 'dataset', 'reason', 'before']),
  };
}
