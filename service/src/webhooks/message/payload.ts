import { formatInstant, type Instant } from '../../platform/instant.ts';

/** Fields of `data` by name. */
export type DeliveryData = Readonly<Record<string, string | number | null>>;

export interface Payload {
  id: string;
  createdAt: Instant;
  templateId: string;
  eventType: string;
  symbol: string;
  /** The result of `serializeData`, or `null` if there is no data. */
  data: string;
  changedFields: readonly string[];
}

/**
 * Renders the request body. This is done once per attempt, so that the same bytes are signed and
 * sent.
 */
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
 * Serializes data so that equal data gives equal text: contains only the template's fields, in
 * their fixed order. Throws on a number that JSON cannot represent.
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

export function parseData(text: string): DeliveryData {
  return JSON.parse(text) as DeliveryData;
}
