import type { DeliveryData } from './payload.ts';

/** The data that the receiver may have. */
export interface ReceiverState {
  /** Data of the last delivery with a 2xx response, or null if there is none. */
  acknowledged: DeliveryData | null;
  /** Fields listed since then in deliveries that may have been sent but got no 2xx response. */
  maybeSeen: readonly string[];
}

/**
 * Returns the names of the fields to report as changed, in the order of `fields`: those that differ
 * from the acknowledged data, and those that the receiver may have seen without acknowledging them.
 * For a new receiver, these are all fields that are not null. If the result is empty, there is
 * nothing to send.
 */
export function changedFields(
  fields: readonly string[],
  data: DeliveryData,
  { acknowledged: answered, maybeSeen: named }: ReceiverState,
): string[] {
  return fields.filter(
    (field) => named.includes(field) || (data[field] ?? null) !== (answered?.[field] ?? null),
  );
}
