import type { DeliveryData } from './payload.ts';

/** What the receiver may hold already. */
export interface ReceiverState {
  /** The data last answered 2xx; null when there were none. */
  acknowledged: DeliveryData | null;
  /** Fields named since in deliveries that may have left and were not answered 2xx. */
  maybeSeen: readonly string[];
}

/**
 * Names of the fields that a delivery tells of, in the order of `fields`: those that differ from what
 * was last answered 2xx, and those that the receiver may have heard of since without an answer. At
 * first sight, every field that is not null. None: there is nothing to tell.
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
