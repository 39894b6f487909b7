import type { WebhookDelivery } from './webhook-types.ts';

/**
 * Parses a delivery from a body that `verifyWebhook` accepted. Throws a `TypeError` if the body is
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
  if (!isDelivery(parsed)) throw new TypeError('the body is no delivery');
  return parsed;
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
