import type { WebhookDelivery } from './webhook-types.ts';

/**
 * Parses a delivery from a body that `verifyWebhook` accepted, in our form or as a CloudEvent. Throws a `TypeError` if the body is
 * not a delivery. Route by `template_id` and `event_type`, and respond with 2xx to templates you do
 * not know.
 */
export function parseDelivery(rawBody: Uint8Array | ArrayBuffer | string): WebhookDelivery {
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new TypeError('the body of the delivery is no JSON');
  }
  const delivery = isCloudEvent(parsed) ? fromCloudEvent(parsed) : parsed;
  if (!isDelivery(delivery)) throw new TypeError('the body is no delivery');
  return delivery;
}

function isCloudEvent(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && 'specversion' in value;
}

/** Returns the members of a delivery. Changed fields are separated by commas, and absent if none. */
function fromCloudEvent(event: Readonly<Record<string, unknown>>): object {
  const { changedfields: changed = '' } = event;
  return {
    id: event['id'],
    created_at: event['time'],
    template_id: event['templateid'],
    event_type: event['type'],
    context: { symbol: event['subject'] },
    data: event['data'],
    changed_fields: typeof changed === 'string' ? changed.split(',').filter(Boolean) : null,
  };
}

function isDelivery(value: unknown): value is WebhookDelivery {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const texts = ['id', 'created_at', 'template_id', 'event_type'];
  const { context, data, changed_fields: changed } = fields;
  return (
    texts.every((name) => typeof fields[name] === 'string') &&
    typeof (context as { symbol?: unknown } | null)?.symbol === 'string' &&
    typeof data === 'object' &&
    data !== null &&
    Array.isArray(changed)
  );
}
