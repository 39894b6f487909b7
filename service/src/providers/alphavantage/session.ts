import type { SessionMarker } from '../../datasets/earnings/observation.ts';
import { readText } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';

const MARKERS: ReadonlyMap<string | null, SessionMarker> = new Map([
  [null, 'time-not-supplied'],
  ['pre-market', 'time-pre-market'],
  ['post-market', 'time-after-hours'],
]);

/** `pre-market`, `post-market` or nothing. */
export function readSession(row: JsonObject, key: string): SessionMarker {
  const word = readText(row, key);
  const marker = MARKERS.get(word);
  if (marker !== undefined) return marker;
  throw new RowError('bad-marker', `${key} is ${JSON.stringify(word)}`.slice(0, 100));
}
