import { formatInstant, type Instant } from '../../platform/instant.ts';

/** Fields of `data` by name. */
export type DeliveryData = Readonly<Record<string, string | number | null>>;

/** `cloudevents` is a CloudEvent 1.0 in structured mode. */
export const PAYLOAD_FORMATS = ['json', 'cloudevents'] as const;
export type PayloadFormat = (typeof PAYLOAD_FORMATS)[number];

export interface Payload {
  format: PayloadFormat;
  id: string;
  endpointId: string;
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
  if (payload.format === 'cloudevents') return renderCloudEvent(payload);
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
 * Renders a CloudEvent in structured mode. `source` is the address of the endpoint in the management
 * API, without the host: a service that moves to another host keeps its sources. Extension
 * attributes have lower-case names and no lists, so the changed fields are separated by commas.
 */
function renderCloudEvent(payload: Payload): string {
  const changed = payload.changedFields.join(',');
  const head = JSON.stringify({
    specversion: '1.0',
    id: payload.id,
    source: `/account/v1/webhooks/${payload.endpointId}`,
    type: payload.eventType,
    time: formatInstant(payload.createdAt),
    subject: payload.symbol,
    datacontenttype: 'application/json',
    templateid: payload.templateId,
    ...(changed === '' ? {} : { changedfields: changed }),
  });
  return `${head.slice(0, -1)},"data":${payload.data}}`;
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
