import { createServer, type IncomingMessage } from 'node:http';
import {
  parseDelivery,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookDelivery,
} from '@afterbell/sdk';

// A webhook receiver built with node:http. WEBHOOK_SECRET is the endpoint's secret (during a
// rotation, two secrets separated by a comma); PORT is the port to listen on.

const secrets = (process.env['WEBHOOK_SECRET'] ?? '').split(',').filter((text) => text !== '');
if (secrets.length === 0) throw new Error('set WEBHOOK_SECRET to the secret of your endpoint');
const port = Number(process.env['PORT'] ?? 3000);

type VerifiedDelivery = VerifiedWebhook & { ok: true };

/** In your service, use two database tables that are written in one transaction. */
const processedIds = new Set<string>();
const newest = new Map<string, { sentAt: Date; data: object }>();

const server = createServer((request, response) => {
  receive(request)
    .then(({ status, body }) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    })
    .catch((error: unknown) => {
      console.error(error);
      // The response is not 2xx, so the delivery is retried.
      response.writeHead(500).end();
    });
});
server.listen(port, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening on ${typeof address === 'object' ? address?.port : port}`);
});

async function receive(request: IncomingMessage): Promise<{ status: number; body: object }> {
  const rawBody = await readBody(request);

  // 1. Verify the signature over the raw bytes before any code trusts or parses them.
  const verified = await verifyWebhook(rawBody, request.headers, secrets);
  if (!verified.ok) {
    console.error(`refused: ${verified.reason}: ${verified.detail}`);
    return { status: 401, body: { error: 'the signature does not match' } };
  }

  // 2. Deduplicate, because an attempt may be repeated. The id is always the same.
  if (processedIds.has(verified.deliveryId)) return { status: 200, body: { duplicate: true } };

  // 3. and 4. Route by template and event, and store the data.
  store(parseDelivery(rawBody), verified);
  processedIds.add(verified.deliveryId);

  // 5. Respond with 2xx once the data is safe. Until then, the delivery is retried.
  return { status: 200, body: { ok: true } };
}

function store(delivery: WebhookDelivery, { sentAt, isTest }: VerifiedDelivery): void {
  const { symbol } = delivery.context;
  const day = dayOf(delivery);
  if (day === null) {
    console.log(`ignored ${delivery.event_type}`);
    return;
  }
  const key = `${delivery.template_id} ${symbol}`;
  const current = newest.get(key);
  if (current !== undefined && current.sentAt > sentAt) {
    // A slow request may end after a newer one.
    console.log(`kept newer ${symbol}`);
    return;
  }
  newest.set(key, { sentAt, data: delivery.data });
  // A test has current data too, so it is safe to store. Do not notify or trade because of it.
  const end = isTest ? ' [test]' : '';
  console.log(`stored ${symbol} ${day} (${delivery.changed_fields.join(', ')})${end}`);
}

/** Returns the day that the data is about, or null for an event type that is newer than this code. */
function dayOf(delivery: WebhookDelivery): string | null {
  switch (delivery.event_type) {
    case 'earnings_schedule.changed':
      return delivery.data.date;
    case 'dividend_declared.changed':
      return delivery.data.exDate;
    case 'earnings_reaction.changed':
      return delivery.data.reactionDate;
    default:
      return null;
  }
}

/** Deliveries are small, so a larger body did not come from the service. */
const BODY_BYTES_MAX = 64 * 1024;

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
