import {
  type Actor,
  type AuditAction,
  type AuditValue,
  recordAuditEvent,
} from '../../accounts/audit-log.ts';
import { lockCustomer } from '../../accounts/customers/customer-store.ts';
import { notFound, type NotFound } from '../../accounts/deps.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { findEndpoint, type WebhookEndpoint } from './webhook-endpoint.ts';
import { type LockedEndpoint, lockEndpoints } from './lock-endpoints.ts';
import type { EndpointIds, RateLimited, WebhookDeps } from '../webhook-deps.ts';

const MINUTE_MS = 60_000;
export const CHANGES_PER_MINUTE = 60;

/** An endpoint that stays as it is until the work on it is done. */
export type EditableEndpoint = WebhookEndpoint & Pick<LockedEndpoint, 'health'>;

/** Of an outcome that was an act: what goes into the audit, which is never a secret. */
interface Acted {
  details?: Readonly<Record<string, AuditValue>>;
}

/**
 * Works on a locked endpoint of that customer, and writes down what was done: an outcome that has
 * `details` was an act. Counts against the writes of the minute.
 */
export function withEndpoint<Outcome extends { kind: string }>(
  deps: WebhookDeps,
  of: EndpointIds,
  { by, act }: { by: Actor; act: AuditAction },
  work: (tx: Transaction, endpoint: EditableEndpoint) => Promise<Outcome>,
): Promise<Outcome | NotFound | RateLimited> {
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    // What an account does at once to several endpoints is counted one after the other.
    if ((await lockCustomer(tx, of.customerId)) === null) return notFound;
    const locked = (await lockEndpoints(tx, [of.endpointId])).get(of.endpointId);
    const endpoint = await findEndpoint(tx, of);
    if (locked === undefined || endpoint === null) return notFound;
    const rateLimited = await checkActionRate(tx, {
      customerId: of.customerId,
      now,
      prefix: 'webhook.',
      perMinute: CHANGES_PER_MINUTE,
    });
    if (rateLimited !== null) return rateLimited;
    const outcome = await work(tx, { ...endpoint, health: locked.health });
    const { details } = outcome as Acted;
    if (details !== undefined) {
      const { customerId, endpointId: subject } = of;
      await recordAuditEvent(tx, { actor: by, at: now, action: act, subject, customerId, details });
    }
    return outcome;
  });
}

/**
 * Refuses when as many acts as a minute may have are in a customer's audit already. They are counted
 * there, so that all processes and restarts count together.
 */
export async function checkActionRate(
  tx: Transaction,
  { customerId, prefix, perMinute, now }: ActionLimit,
): Promise<RateLimited | null> {
  // The oldest of the last `perMinute` acts of that kind in the last minute, when there are as many;
  // among the newest rows of the customer, by index audit_event_by_customer.
  const rows = await tx.query<{ at: Instant }>(
    `select at from (select at, act from audit_event where customer_id = $1
                      order by id desc limit 1000) as newest
      where starts_with(act, $2) and at > to_timestamp($3 / 1000.0)
      order by at desc limit 1 offset $4`,
    [customerId, prefix, now - MINUTE_MS, perMinute - 1],
  );
  const [oldest] = rows;
  if (oldest === undefined) return null;
  const waitMs = oldest.at + MINUTE_MS - now;
  return { kind: 'too-many', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

interface ActionLimit {
  customerId: string;
  /** With what the names of the acts begin. */
  prefix: string;
  perMinute: number;
  now: Instant;
}
