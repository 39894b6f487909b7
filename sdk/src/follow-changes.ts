import { readEvents } from './event-stream.ts';
import { ReadError } from './read-error.ts';
import type { Change } from './reads.gen.ts';
import { isTemporary } from './retry.ts';

/** The client, as seen by the code that follows changes. */
export interface ChangeSource {
  /**
   * Opens the stream after a position; null starts where the caller wanted to. Throws a `ReadError`
   * if the service rejects the request.
   */
  open(position: string | null): Promise<Response>;
  /** Yields pages of the list of changes after a position; null starts as `open` does. */
  list(position: string | null): AsyncIterable<{ data: readonly Change[] }>;
  wait(milliseconds: number): Promise<void>;
  waitSecondsMax: number;
  isAborted(): boolean;
}

/** Used until the service says how long to wait before reconnecting. */
const RECONNECT_MS = 3_000;

/** Yields each change once, in order, and reconnects until the service rejects the request. */
export async function* followChanges(
  source: ChangeSource,
): AsyncGenerator<Change, void, undefined> {
  const state: FollowState = { position: null, reconnectMs: RECONNECT_MS, failures: 0 };
  let caughtUpTo: string | null | undefined;
  for (;;) {
    let delayMs: number;
    try {
      yield* readStream(source, state);
      delayMs = delayOrThrow(null, state, source.waitSecondsMax);
    } catch (error) {
      if (isPositionRefused(error) && caughtUpTo !== state.position) {
        for await (const { data } of source.list(state.position)) {
          for (const change of data) if (advance(state, change.id)) yield change;
        }
        caughtUpTo = state.position;
        continue;
      }
      if (source.isAborted() || !isTemporary(error)) throw error;
      delayMs = delayOrThrow(error, state, source.waitSecondsMax);
    }
    await source.wait(delayMs);
  }
}

interface FollowState {
  /** Everything up to here was yielded. */
  position: string | null;
  reconnectMs: number;
  /** Connections in a row that delivered no event. */
  failures: number;
}

async function* readStream(
  source: ChangeSource,
  state: FollowState,
): AsyncGenerator<Change, void, undefined> {
  state.failures += 1;
  const { body, headers } = await source.open(state.position);
  if (body === null || headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    throw new Error('the response is not a stream of events: is baseUrl the address of a service?');
  }
  for await (const { id, data, retryMs } of readEvents(body)) {
    state.reconnectMs = retryMs ?? state.reconnectMs;
    if (retryMs === null) state.failures = 0;
    if (id === null || !advance(state, id)) continue;
    if (data !== null) yield JSON.parse(data) as Change;
  }
}

/** Moves to a later position. Returns false for a repeated change. */
function advance(state: FollowState, id: string): boolean {
  const { position } = state;
  if (position !== null && (id.length - position.length || (id > position ? 1 : 0)) <= 0) {
    return false;
  }
  state.position = id;
  return true;
}

/** Returns whether the stream cannot continue from the position, but the list of changes may. */
function isPositionRefused(failure: unknown): boolean {
  if (!(failure instanceof ReadError)) return false;
  return failure.status === 410 || failure.problem?.parameter === 'Last-Event-ID';
}

function delayOrThrow(failure: unknown, state: FollowState, waitSecondsMax: number): number {
  if (failure instanceof ReadError && failure.retryAfterSeconds !== null) {
    if (failure.retryAfterSeconds > waitSecondsMax) throw failure;
    return failure.retryAfterSeconds * 1_000 * (1 + Math.random() / 10);
  }
  const doublings = Math.max(0, state.failures - 1);
  const longest = Math.min(waitSecondsMax * 1_000, state.reconnectMs * 2 ** doublings);
  // Jitter prevents the clients of a restarted service from reconnecting at the same time.
  return longest * (0.5 + Math.random() / 2);
}
