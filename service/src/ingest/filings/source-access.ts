import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SourceClient } from '../../platform/source-client.ts';
import {
  type FeedRequest,
  type SourceResponse,
  SourceResponseError,
} from '../../providers/provider.ts';
import { createSourceResponse } from '../../providers/source-response.ts';

/** `retry`: the request may succeed later. `missing`: the source has no such document. */
export type Read<Value> =
  | { kind: 'read'; value: Value; response: SourceResponse }
  | { kind: 'retry'; reason: string }
  | { kind: 'missing' }
  | { kind: 'stopped' };

export interface SourceAccess {
  clock: Clock;
  log: Log;
  source: SourceClient;
  signal: AbortSignal;
}

/** A list that hangs must not keep the source from everything else for long. */
const TIMEOUT_MS = 10_000;
const COOLDOWN_POLL_MS = 5_000;

/**
 * Makes one request and reads its response. Waits while the source is cooling down, so that a
 * refused request is repeated and not lost. Never throws for what the source does.
 */
export async function readFrom<Value>(
  access: SourceAccess,
  request: FeedRequest,
  read: (response: SourceResponse) => Value,
): Promise<Read<Value>> {
  const { clock, source, signal, log } = access;
  await waitOutCooldown(access);
  if (signal.aborted) return { kind: 'stopped' };
  const timeout = new AbortController();
  const timer = clock.setTimer(TIMEOUT_MS, () => timeout.abort());
  const limited = AbortSignal.any([signal, timeout.signal]);
  const result = await source.fetch({ ...request, signal: limited, attemptsMax: 1 });
  timer.cancel();
  if (signal.aborted) return { kind: 'stopped' };
  if (result.kind === 'unavailable') {
    const reason = result.reason === 'stopped' ? 'timeout' : result.reason;
    log.debug({ event: 'source.unavailable', url: request.url, reason }, 'source request failed');
    return { kind: 'retry', reason };
  }
  const response = createSourceResponse(result.response);
  try {
    return { kind: 'read', value: read(response), response };
  } catch (error) {
    if (!(error instanceof SourceResponseError)) throw error;
    log.debug({ event: 'ingest.response_rejected', reason: error.reason }, error.message);
    if (error.kind === 'not-found') return { kind: 'missing' };
    if (error.kind === 'blocked') refuse(access);
    return { kind: 'retry', reason: error.reason };
  }
}

/** A refusal with HTTP 200 starts the same cooldown as any other. */
function refuse({ source, log }: SourceAccess): void {
  if (source.cooldown() !== null || source.refused === undefined) return;
  const { reason, retryAt } = source.refused();
  log.warn({ event: 'source.unavailable', reason, retryAt }, 'source refuses requests');
}

async function waitOutCooldown({ clock, source, signal }: SourceAccess): Promise<void> {
  for (;;) {
    const cooldown = source.cooldown();
    if (cooldown === null || signal.aborted) return;
    const waitMs = Math.max(1, cooldown.retryAt - clock.now());
    await clock.sleep(Math.min(waitMs, COOLDOWN_POLL_MS), signal);
  }
}
