import { formatInstant, type Instant } from '../../platform/instant.ts';

/** Fields of `data` by name. */
export type DeliveryData = Readonly<Record<string, string | number | null>>;

export interface Payload {
  id: string;
  createdAt: Instant;
  templateId: string;
  eventType: string;
  symbol: string;
  /** As `serialiseData` writes them; `null` where there are none. */
  data: string;
  changedFields: readonly string[];
}

/** The body of a POST, serialised once for each attempt: these bytes are signed and sent. */
export function renderPayload(payload: Payload): string {
  const head = JSON.stringify({
    id: payload.id,
    created_at: formatInstant(payload.createdAt),
    template_id: payload.templateId,
    event_type: payload.eventType,
    context: { symbol: payload.symbol },
  });
  const changed = JSON.stringify(payload.changedFields);
  return `${head.slice(0, -1)},"data":${payload.data},"changed_fields":${changed}}`;
}

/**
 * The data as text that is equal for equal data: the template's fields and nothing else, in its order.
 * Throws on a number that JSON cannot hold.
 */
export function serializeData(fields: readonly string[], data: DeliveryData): string {
  const entries = fields.map((field) => [field, data[field] ?? null] as const);
  for (const [field, value] of entries) {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new RangeError(`the field ${field} of a delivery is no finite number`);
    }
  }
  return JSON.stringify(Object.fromEntries(entries));
}

/** The data that such a text holds. */
export function parseData(text: string): DeliveryData {
  return JSON.parse(text) as DeliveryData;
}
