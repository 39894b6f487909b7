import type { Instant } from '../../platform/instant.ts';
import { renderPayload } from '../message/payload.ts';

/** Duration of the lease that a claim takes on a delivery. */
export const LEASE_MS = 60_000;

/** The attempt in flight as stored in its delivery. It gets its own row when it ends. */
export interface InFlightRow {
  id: string;
  attemptCount: number;
  leaseUntil: Instant;
  createdAt: Instant;
  templateId: string;
  eventType: string;
  symbol: string;
  sentData: string | null;
  changedFields: string[];
}

/** Columns of `InFlightRow`, selected from `delivery` under the alias `d`. */
export const IN_FLIGHT_COLUMNS = `d.id, d.attempt_count as "attemptCount",
       d.lease_until as "leaseUntil", d.created_at as "createdAt", d.template_id as "templateId",
       d.event_type as "eventType", d.symbol, d.sent_data as "sentData",
       d.changed_fields as "changedFields"`;

/**
 * Derives the attempt in flight from its delivery. The attempt started together with the lease, and
 * a delivery ID always has the same body.
 */
export function inFlightAttempt(row: InFlightRow): {
  n: number;
  startedAt: Instant;
  requestBody: string;
} {
  const { id, createdAt, templateId, eventType, symbol, sentData, changedFields } = row;
  const data = sentData ?? 'null';
  const payload = { id, createdAt, templateId, eventType, symbol, data, changedFields };
  return {
    n: row.attemptCount,
    startedAt: row.leaseUntil - LEASE_MS,
    requestBody: renderPayload(payload),
  };
}
