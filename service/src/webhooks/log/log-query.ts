import type { Instant } from '../../platform/instant.ts';

/** What may become of a delivery. */
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

/** What is asked of the log; what is left out does not matter. */
export interface DeliveryFilter {
  /** Null: those of all customers. */
  customerId: string | null;
  endpointId?: string | undefined;
  states?: readonly DeliveryState[] | undefined;
  templateId?: string | undefined;
  symbol?: string | undefined;
  /** Tests alone, or all but tests. */
  isTest?: boolean | undefined;
  /** Opened at this instant or later. */
  from?: Instant | undefined;
  /** Opened before. */
  to?: Instant | undefined;
  /** The id of the last one seen. */
  before?: string | undefined;
  /** At most 100. */
  limit: number;
}

export const LOG_PAGE_MAX = 100;
