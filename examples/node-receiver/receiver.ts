import { createServer, type IncomingMessage } from 'node:http';
import { parseDelivery, verifyWebhook, type WebhookDelivery } from '@afterbell/sdk';

// A webhook receiver built with node:http. WEBHOOK_SECRET is the endpoint's secret (during a
// rotation, two secrets separated by a comma); PORT is the port to listen on.

const secrets = (process.env['WEBHOOK_SECRET'] ?? '').split(',').filter((text) => text !== '');
if (secrets.length === 0) throw new Error('set WEBHOOK_SECRET to the secret of your endpoint');
const port = Number(process.env['PORT'] ?? 3000);

/** In your service, use two database tables that are written in one transaction. */
const processedIds = new Set<string>();
const schedules = new Map<string, object>();

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
  store(parseDelivery(rawBody));
  processedIds.add(verified.deliveryId);

  // 5. Respond with 2xx once the data is safe. Until then, the delivery is retried.
  return { status: 200, body: { ok: true } };
}

function store(delivery: WebhookDelivery): void {
  const { symbol } = delivery.context;
  switch (delivery.event_type) {
    case 'earnings_schedule.changed':
      schedules.set(symbol, delivery.data);
      console.log(`stored ${symbol} ${delivery.data.date} (${delivery.changed_fields.join(', ')})`);
      break;
    default:
      // This event type is newer than this code. Ignore it, because a retry would not help.
      console.log(`ignored ${delivery.event_type}`);
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
