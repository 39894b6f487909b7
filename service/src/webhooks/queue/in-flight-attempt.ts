import type { Instant } from '../../platform/instant.ts';
import { type PayloadFormat, renderPayload } from '../message/payload.ts';

/** Duration of the lease that a claim takes on a delivery. */
export const LEASE_MS = 60_000;

/** The attempt in flight as stored in its delivery. It gets its own row when it ends. */
export interface InFlightRow {
  id: string;
  endpointId: string;
  payloadFormat: PayloadFormat;
  attemptCount: number;
  leaseUntil: Instant;
  createdAt: Instant;
  templateId: string;
  eventType: string;
  symbol: string;
  sentData: string | null;
  changedFields: string[];
}

/** Columns of `InFlightRow`, selected from `IN_FLIGHT_TABLES`. */
export const IN_FLIGHT_COLUMNS = `d.id, d.endpoint_id as "endpointId",
       e.payload_format as "payloadFormat", d.attempt_count as "attemptCount",
       d.lease_until as "leaseUntil", d.created_at as "createdAt", d.template_id as "templateId",
       d.event_type as "eventType", d.symbol, d.sent_data as "sentData",
       d.changed_fields as "changedFields"`;

/** Deliveries and their endpoints, which exist as long as their deliveries. */
export const IN_FLIGHT_TABLES = `delivery d join webhook_endpoint e on e.id = d.endpoint_id`;

/**
 * Derives the attempt in flight from its delivery and its endpoint. The attempt started together
 * with the lease, and a delivery ID always has the same data. If the owner changed the format since,
 * the body has the new format.
 */
export function inFlightAttempt(row: InFlightRow): {
  n: number;
  startedAt: Instant;
  requestBody: string;
} {
  const { payloadFormat: format, sentData } = row;
  return {
    n: row.attemptCount,
    startedAt: row.leaseUntil - LEASE_MS,
    requestBody: renderPayload({ ...row, format, data: sentData ?? 'null' }),
  };
}
