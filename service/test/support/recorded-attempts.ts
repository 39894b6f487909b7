import type { Clock } from '../../src/platform/clock.ts';
import type { Db, Row } from '../../src/storage/db.ts';
import type { WebhookAgent } from '../../src/delivery/send/agent.ts';
import { recordAttempts } from '../../src/delivery/record/record.ts';
import { sendDelivery } from '../../src/delivery/worker/send-delivery.ts';
import {
  addCompanies,
  addEndpoint,
  claimAll,
  engineDeps,
  publish,
  subscribe,
  fanOutAll,
} from './webhook-world.ts';

/** A stored attempt, with its delivery's state. */
export interface RecordedAttempt extends Row {
  url: string;
  /** The delivery's state. */
  state: string;
  status: number | null;
  code: string | null;
  detail: string | null;
  headers: [string, string][] | null;
  body: string | null;
  truncated: boolean;
  address: string | null;
}

/**
 * Delivers a change to an endpoint at each of these URLs in the same way as the service: fan-out,
 * claim, signature, POST and record. The store must be empty. `meanwhile` runs while the requests
 * are in flight.
 */
export async function deliverToUrls(
  db: Db,
  parts: { agent: WebhookAgent; clock: Clock },
  { urls, meanwhile }: { urls: readonly string[]; meanwhile?: () => Promise<void> },
): Promise<RecordedAttempt[]> {
  const deps = engineDeps(db, parts.clock);
  await addCompanies(db, ['NRTH']);
  for (const [n, url] of urls.entries()) {
    await addEndpoint(db, `ep${n}`, { url });
    await subscribe(deps, `ep${n}`, ['NRTH']);
  }
  await fanOutAll(deps);
  await publish(deps, 'NRTH', { epsEstimate: '9.9' });
  await fanOutAll(deps);
  const claims = await claimAll(deps, 2 * urls.length);
  const secrets = { current: 'whsec_x', next: null, previous: null };
  const sending = Promise.all(
    claims.map((claimed) =>
      sendDelivery({ ...parts, brand: 'Service', maySend: () => true }, claimed, secrets),
    ),
  );
  await meanwhile?.();
  await recordAttempts(deps, await sending);
  return db.query<RecordedAttempt>(
    `select e.url, d.state, a.response_status as status, a.error_code as code,
            a.error_detail as detail, a.response_headers as headers, a.response_body as body,
            a.truncated, a.remote_address as address
       from delivery_attempt a join delivery d on d.id = a.delivery_id
                               join webhook_endpoint e on e.id = d.endpoint_id
      order by substr(e.id, 3)::int, a.n`,
  );
}
