import { deliveryHeaders, type SigningSecrets } from '../../webhooks/message/delivery-headers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AttemptResult, ClaimedDelivery } from '../claim/claimed-delivery.ts';
import type { PostOutcome, WebhookAgent } from '../send/agent.ts';

export interface SendDeps {
  clock: Clock;
  agent: WebhookAgent;
  brand: string;
  /**
   * Returns false after a clock step, until the clock has been compared with the database's again,
   * and for a short time after a failover.
   */
  maySend(): boolean;
}

/**
 * Signs and sends a claimed delivery. Never throws: every failure is an outcome. Right before the
 * first byte, checks the lease on the monotonic clock and checks that the wall clock is trusted.
 * Both checks are needed, because the monotonic clock stops while the machine sleeps and the wall
 * clock then jumps.
 */
export async function sendDelivery(
  { clock, agent, brand, maySend }: SendDeps,
  delivery: ClaimedDelivery,
  secrets: SigningSecrets | undefined,
): Promise<AttemptResult> {
  if (secrets === undefined) {
    const outcome = failure('The endpoint has no signing secret.', false);
    return { delivery, outcome, requestHeaders: [], at: clock.now() };
  }
  const body = Buffer.from(delivery.body, 'utf8');
  const now = clock.now();
  const startedMs = clock.monotonicMs();
  const { id: deliveryId, payloadFormat, standardWebhooks, isTest } = delivery;
  const style = { payloadFormat, standardWebhooks, isTest };
  const headers = deliveryHeaders({ brand, deliveryId, now, body, secrets, ...style });
  const request = {
    url: delivery.url,
    headers,
    body,
    beforeFirstByte: () => clock.monotonicMs() < delivery.sendByMs && maySend(),
  };
  const outcome = await agent.post(request).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'unknown';
    return failure(`The attempt failed with an internal error: ${reason}`, true);
  });
  // Uses the monotonic clock, because the next attempt is scheduled relative to this time: a clock
  // step would shift the next attempt by its full size.
  const at = now + Math.round(clock.monotonicMs() - startedMs);
  return { delivery, outcome, requestHeaders: headers, at };
}

function failure(detail: string, maybeSent: boolean): PostOutcome {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };
  return { kind: 'failed', code: 'connect', detail, remoteAddress: null, timings, maybeSent };
}
