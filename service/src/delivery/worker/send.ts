import { deliveryHeaders, type SigningSecrets } from '../../webhooks/message/delivery-headers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ClaimedDelivery } from '../claim/claimed-delivery.ts';
import type { PostOutcome, WebhookAgent } from '../send/agent.ts';
import type { AttemptResult } from '../record/attempt-result.ts';

export interface SendDeps {
  clock: Clock;
  agent: WebhookAgent;
  brand: string;
  /** Whether the clocks still go on as they did when they were compared. */
  isClockTrusted(): boolean;
}

/**
 * Signs and posts one claimed delivery. Never throws: whatever happens is an outcome. Whether the
 * lease still holds is asked on the monotonic clock right before the first byte. That clock stands
 * while the machine sleeps, and the wall clock then jumps: nothing is sent on either.
 */
export async function sendDelivery(
  { clock, agent, brand, isClockTrusted: isClockBelieved }: SendDeps,
  claimed: ClaimedDelivery,
  secrets: SigningSecrets | undefined,
): Promise<AttemptResult> {
  if (secrets === undefined) {
    const outcome = failed('the endpoint has no secret to sign with', false);
    return { delivery: claimed, outcome, requestHeaders: [], at: clock.now() };
  }
  const body = Buffer.from(claimed.body, 'utf8');
  const now = clock.now();
  const startedMs = clock.monotonicMs();
  const headers = deliveryHeaders({ brand, deliveryId: claimed.id, now, body, secrets });
  const request = {
    url: claimed.url,
    headers,
    body,
    beforeFirstByte: () => clock.monotonicMs() < claimed.sendByMs && isClockBelieved(),
  };
  const outcome = await agent.post(request).catch((error: unknown) => {
    return failed(`the attempt broke: ${error instanceof Error ? error.message : 'unknown'}`, true);
  });
  // By the clock that never steps: the next attempt is planned from here, and one that was set
  // meanwhile would make it early or late by as much.
  const at = now + Math.round(clock.monotonicMs() - startedMs);
  return { delivery: claimed, outcome, requestHeaders: headers, at };
}

function failed(detail: string, maySent: boolean): PostOutcome {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };
  return {
    kind: 'failed',
    code: 'connect',
    detail,
    remoteAddress: null,
    timings,
    maybeSent: maySent,
  };
}
