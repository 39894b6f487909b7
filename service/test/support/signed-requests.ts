import { seededRandom } from '../../src/platform/random.ts';
import {
  deliveryHeaders,
  type SigningSecrets,
} from '../../src/webhooks/message/delivery-headers.ts';
import { type PayloadFormat, renderPayload } from '../../src/webhooks/message/payload.ts';
import { generateSecret } from '../../src/webhooks/secret/secret-store.ts';

/** A request of an endpoint with the headers of Standard Webhooks. */
export interface SignedRequest {
  name: string;
  /** The secret to verify with. */
  secret: string;
  headers: [string, string][];
  body: string;
  /** True if a verifier must accept the request. */
  isValid: boolean;
}

/** Returns requests as the service sends them at `now`, and altered ones. */
export function signedRequests(now: number): SignedRequest[] {
  const random = seededRandom(20261124);
  const [current, next, previous] = [1, 2, 3].map(() => generateSecret(random));
  if (current === undefined || next === undefined || previous === undefined) return [];
  const only: SigningSecrets = { current, next: null, previous: null };
  const good = request('one secret', current, { now, secrets: only });
  const event = { now, secrets: only, format: 'cloudevents' } as const;
  return [
    good,
    request('a prepared secret', next, { now, secrets: { ...only, next } }),
    request('the previous secret', previous, { now, secrets: { ...only, previous } }),
    request('the current secret of three', current, { now, secrets: { current, next, previous } }),
    request('a CloudEvent', current, event),
    { ...request('another secret', next, { now, secrets: only }), isValid: false },
    { ...good, name: 'an altered body', body: good.body.replace('1.2', '9.2'), isValid: false },
    {
      ...good,
      name: 'another id',
      headers: good.headers.map(([name, value]) => [name, name === 'webhook-id' ? 'del_2' : value]),
      isValid: false,
    },
    { ...request('a replay', current, { now: now - 600_000, secrets: only }), isValid: false },
  ];
}

function request(
  name: string,
  secret: string,
  options: { now: number; secrets: SigningSecrets; format?: PayloadFormat },
): SignedRequest {
  const { now, secrets, format: payloadFormat = 'json' } = options;
  const id = 'del_01hcz3k9v0a1b2c3d4e5f60718293';
  const body = renderPayload({
    format: payloadFormat,
    id,
    endpointId: 'whe_1',
    createdAt: now,
    templateId: 'earnings_schedule',
    eventType: 'earnings_schedule.changed',
    symbol: 'NRTH',
    data: '{"date":"2026-11-24","epsEstimate":1.2,"eps":null}',
    changedFields: ['date', 'epsEstimate'],
  });
  const style = { payloadFormat, standardWebhooks: true };
  const headers = deliveryHeaders({
    brand: 'Service',
    deliveryId: id,
    now,
    body,
    secrets,
    ...style,
  });
  return { name, secret, headers, body, isValid: true };
}
