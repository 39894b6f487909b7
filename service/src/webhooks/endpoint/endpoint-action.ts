import {
  type Actor,
  type AuditAction,
  type AuditValue,
  recordAuditEvent,
} from '../../accounts/audit-log.ts';
import { checkActionRate, type RateLimited } from '../../accounts/action-rate.ts';
import { lockCustomer } from '../../accounts/customers/customer-store.ts';
import { notFound, type NotFound } from '../../accounts/deps.ts';
import type { Transaction } from '../../storage/db.ts';
import { findEndpoint, type WebhookEndpoint } from './webhook-endpoint.ts';
import { type LockedEndpoint, lockEndpoints } from './lock-endpoints.ts';
import type { EndpointIds, WebhookDeps } from '../webhook-deps.ts';

export const CHANGES_PER_MINUTE = 60;

/** An endpoint that is locked until the end of the transaction. */
export type EditableEndpoint = WebhookEndpoint & Pick<LockedEndpoint, 'health'>;

/** The outcome of an action, and its audit details if it changed something. */
export interface ActionResult {
  outcome: { kind: string };
  /** Audit details, which never contain secrets. Null if nothing changed. */
  audit: Readonly<Record<string, AuditValue>> | null;
}

/** Returns an outcome whose action is recorded in the audit log. */
export function changed<const Outcome extends { kind: string }>(
  outcome: Outcome,
  audit: Readonly<Record<string, AuditValue>> = {},
) {
  return { outcome, audit };
}

export function unchanged<const Outcome extends { kind: string }>(outcome: Outcome) {
  return { outcome, audit: null };
}

/**
 * Locks an endpoint, runs an action on it, and records the action in the audit log if it changed
 * something. Counts toward the customer's limit of changes per minute.
 */
export function withEndpoint<Result extends ActionResult>(
  deps: WebhookDeps,
  ids: EndpointIds,
  { actor, action }: { actor: Actor; action: AuditAction },
  work: (tx: Transaction, endpoint: EditableEndpoint) => Promise<Result>,
): Promise<Result['outcome'] | NotFound | RateLimited> {
  return deps.db.transaction(async (tx) => {
    const { customerId, endpointId } = ids;
    const now = deps.clock.now();
    // Serializes a customer's concurrent actions, so that the rate limit counts all of them.
    if ((await lockCustomer(tx, customerId)) === null) return notFound;
    const locked = (await lockEndpoints(tx, [endpointId])).get(endpointId);
    const endpoint = await findEndpoint(tx, ids);
    if (locked === undefined || endpoint === null) return notFound;
    const rateLimited = await checkActionRate(tx, {
      customerId,
      now,
      prefix: 'webhook.',
      perMinute: CHANGES_PER_MINUTE,
    });
    if (rateLimited !== null) return rateLimited;
    const { outcome, audit } = await work(tx, { ...endpoint, health: locked.health });
    if (audit !== null) {
      const event = { actor, at: now, action, subject: endpointId, customerId, details: audit };
      await recordAuditEvent(tx, event);
    }
    return outcome;
  });
}
