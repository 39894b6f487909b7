import type { Instant } from '../../platform/instant.ts';

export const DELIVERY_STATES = [
  'pending',
  'in_progress',
  'retrying',
  'held',
  'delivered',
  'failed',
  'superseded',
  'cancelled',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Filters for the delivery log. Omitted filters match everything. */
export interface DeliveryFilter {
  /** Null for all customers. */
  customerId: string | null;
  endpointId?: string | undefined;
  states?: readonly DeliveryState[] | undefined;
  templateId?: string | undefined;
  symbol?: string | undefined;
  /** True for test deliveries only, false for no test deliveries. */
  isTest?: boolean | undefined;
  /** Earliest creation time, inclusive. */
  from?: Instant | undefined;
  /** Latest creation time, exclusive. */
  to?: Instant | undefined;
  /** ID of the last delivery on the previous page. */
  before?: string | undefined;
  /** At most 100. */
  limit: number;
}

export const LOG_PAGE_MAX = 100;
