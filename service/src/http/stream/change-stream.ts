import type { ApiKey } from '../../accounts/keys/api-key.ts';
import type { ChangeCursor, ChangeFilter, ChangeRecord } from '../../datasets/changes/load.ts';
import { matchesFilter } from '../../datasets/changes/tail.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { StreamReader, StreamSink } from '../response/http-response.ts';
import {
  changeEvent,
  COMMENT,
  positionEvent,
  RECONNECT_DELAY,
  type StreamedChange,
} from './change-event.ts';
import type { ChangeTail } from './change-tail.ts';

/** Proxies usually close a connection after a minute without data. */
const HEARTBEAT_MS = 15_000;
/** Changes per read of a stream that catches up. */
const PAGE_CHANGES = 200;
/** Events are sent in pieces of about this size. */
const CHUNK_BYTES = 16 * 1024;

export interface ChangeStreamDeps {
  tail: Pick<ChangeTail, 'follow' | 'position'>;
  monotonicMs: () => number;
  loadPage: (
    cursor: ChangeCursor,
    filter: ChangeFilter & { limit: number },
  ) => Promise<ChangeRecord[]>;
  historyFromOf: (key: ApiKey) => LocalDate | null;
  onSent: (events: number) => void;
  onFailed: (error: unknown) => void;
  onClosed: (stream: ChangeStream) => void;
}

export interface StreamSelection {
  dataset: string | null;
  symbols: readonly string[] | null;
  hiddenFields: readonly string[];
}

interface Event {
  id: number;
  bytes: Buffer;
}

/**
 * One connection. Every matching change up to its position has been sent. A stream whose position
 * is that of the tail is current and gets changes from it. Any other reads pages from the store:
 * after the start, and after its client has read too slowly. So it needs no queue.
 */
export class ChangeStream implements StreamReader {
  /** Replaced when the key or its plan changes. */
  key: ApiKey;
  readonly #deps: ChangeStreamDeps;
  readonly #sink: StreamSink;
  /** Null until the stream has found its start: the newest change if the client named none. */
  #cursor: ChangeCursor | null;
  /** Changes before this instant are not sent, if the client named one. */
  readonly #from: number;
  /** The last position that the client knows. */
  #knownPosition: number | null = null;
  #selection: StreamSelection;
  #symbols: ReadonlySet<string> | null;
  #heartbeatAtMs: number;
  #isBlocked = false;
  #isCatchingUp = false;
  #isClosed = false;

  constructor(
    deps: ChangeStreamDeps,
    start: {
      key: ApiKey;
      sink: StreamSink;
      cursor: ChangeCursor | null;
      selection: StreamSelection;
    },
  ) {
    this.#deps = deps;
    this.key = start.key;
    this.#sink = start.sink;
    this.#cursor = start.cursor;
    this.#from =
      start.cursor !== null && 'from' in start.cursor
        ? start.cursor.from
        : Number.NEGATIVE_INFINITY;
    this.#selection = start.selection;
    this.#symbols = symbolSet(start.selection);
    this.#heartbeatAtMs = deps.monotonicMs() + HEARTBEAT_MS;
    this.#isBlocked = !this.#sink.write(RECONNECT_DELAY);
  }

  /** Replaces the symbols, which a changed watchlist names. Applies to changes not yet sent. */
  select(selection: StreamSelection): void {
    this.#selection = selection;
    this.#symbols = symbolSet(selection);
  }

  onDrained(): void {
    this.#isBlocked = false;
    void this.catchUp();
  }

  onClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#deps.onClosed(this);
  }

  end(): void {
    if (this.#isClosed) return;
    this.onClosed();
    this.#sink.end();
  }

  /** Sends changes that were just committed. A stream that is not current reads them later. */
  deliver(changes: readonly StreamedChange[], before: number): void {
    const position = this.#position();
    if (!this.#isIdle() || position === null || position < before) return;
    const historyFrom = this.#deps.historyFromOf(this.key);
    const filter = { dataset: this.#selection.dataset, symbols: this.#symbols, historyFrom };
    const events: Event[] = [];
    for (const change of changes) {
      const { record } = change;
      if (record.id <= position || record.committedAt < this.#from) continue;
      if (matchesFilter(record, filter)) events.push({ id: record.id, bytes: change.event });
    }
    const last = changes.at(-1)?.record.id ?? position;
    if (this.#send(events)) this.#moveTo(last);
  }

  /** Reads pages until the stream is current or its client reads too slowly. Never rejects. */
  async catchUp(): Promise<void> {
    if (!this.#isIdle()) return;
    this.#isCatchingUp = true;
    try {
      // Nothing may be awaited between the last check and the end of catching up: the changes of a
      // commit in between would be missed until the next tick.
      while (!this.#isClosed && !this.#isBlocked && !this.#isCurrent()) await this.#sendPage();
    } catch (error) {
      // A later tick tries again.
      this.#deps.onFailed(error);
    } finally {
      this.#isCatchingUp = false;
    }
  }

  /** Sends a heartbeat if it is due, and resumes reading after a failure. */
  tick(): void {
    if (!this.#isIdle()) return;
    if (!this.#isCurrent()) void this.catchUp();
    if (this.#deps.monotonicMs() < this.#heartbeatAtMs) return;
    const position = this.#position();
    if (position === null || position === this.#knownPosition) this.#write(COMMENT);
    else this.#announce(position);
  }

  async #sendPage(): Promise<void> {
    const { tail } = this.#deps;
    // Everything up to here was visible before the page is read.
    const tailPosition = tail.position ?? (await tail.follow());
    if (this.#isClosed) return;
    if (this.#cursor === null) {
      this.#moveTo(tailPosition);
      return this.#announce(tailPosition);
    }
    if (this.#isCurrent()) return;
    const historyFrom = this.#deps.historyFromOf(this.key);
    const filter = { ...this.#selection, historyFrom, limit: PAGE_CHANGES };
    const page = await this.#deps.loadPage(this.#cursor, filter);
    const events = page
      .filter(({ committedAt }) => committedAt >= this.#from)
      .map((record) => ({ id: record.id, bytes: changeEvent(record) }));
    if (!this.#send(events)) return;
    this.#moveTo(page.at(-1)?.id ?? 0);
    if (page.length < PAGE_CHANGES) this.#moveTo(tailPosition);
  }

  /**
   * Returns false if the connection is closed or the client reads too slowly. The position is then
   * that of the last event that was sent.
   */
  #send(events: readonly Event[]): boolean {
    let next = 0;
    while (next < events.length) {
      if (this.#isClosed || this.#isBlocked) return false;
      const chunk: Buffer[] = [];
      for (let size = 0; size < CHUNK_BYTES && next < events.length; next += 1) {
        const { bytes } = events[next] as Event;
        chunk.push(bytes);
        size += bytes.length;
      }
      const { id } = events[next - 1] as Event;
      this.#moveTo(id);
      this.#knownPosition = id;
      this.#deps.onSent(chunk.length);
      this.#write(chunk.length === 1 ? (chunk[0] as Buffer) : Buffer.concat(chunk));
    }
    return !this.#isClosed;
  }

  #announce(position: number): void {
    this.#knownPosition = position;
    this.#write(positionEvent(position));
  }

  #write(bytes: Buffer): void {
    this.#heartbeatAtMs = this.#deps.monotonicMs() + HEARTBEAT_MS;
    if (!this.#sink.write(bytes)) this.#isBlocked = true;
  }

  #moveTo(position: number): void {
    this.#cursor = { afterId: Math.max(position, this.#position() ?? 0) };
  }

  #isCurrent(): boolean {
    const position = this.#position();
    const tailPosition = this.#deps.tail.position;
    return position !== null && tailPosition !== null && position >= tailPosition;
  }

  #position(): number | null {
    return this.#cursor !== null && 'afterId' in this.#cursor ? this.#cursor.afterId : null;
  }

  #isIdle(): boolean {
    return !this.#isClosed && !this.#isBlocked && !this.#isCatchingUp;
  }
}

function symbolSet({ symbols }: StreamSelection): ReadonlySet<string> | null {
  return symbols === null ? null : new Set(symbols);
}
