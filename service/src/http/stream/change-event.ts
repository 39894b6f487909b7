import type { ChangeRecord } from '../../datasets/changes/load.ts';
import type { TailRecord } from '../../datasets/changes/tail.ts';
import { formatPosition, renderChange } from '../../endpoints/rows/change-row.ts';

/** Server-sent events (the event stream format of the HTML standard). */

/** The delay after which a browser reconnects. */
const RECONNECT_MS = 3_000;

export const COMMENT = Buffer.from(':\n\n');

/** Renders a change as an event. JSON text contains no line breaks. */
export function changeEvent(record: ChangeRecord): Buffer {
  const row = renderChange(record);
  return Buffer.from(`id: ${row.id}\nevent: change\ndata: ${JSON.stringify(row)}\n\n`);
}

/** Returns an event without data. Clients remember its id, and show nothing. */
export function positionEvent(position: number): Buffer {
  return Buffer.from(`id: ${formatPosition(position)}\n\n`);
}

export const RECONNECT_DELAY = Buffer.from(`retry: ${RECONNECT_MS}\n\n`);

/** A change whose event is rendered at most once, however many streams it is sent to. */
export class StreamedChange {
  readonly record: TailRecord;
  #event: Buffer | null = null;

  constructor(record: TailRecord) {
    this.record = record;
  }

  get event(): Buffer {
    return (this.#event ??= changeEvent(this.record));
  }
}
