import { createServer, type IncomingMessage } from 'node:http';
import { parseDelivery, verifyWebhook, type WebhookDelivery } from '@afterbell/sdk';

// A receiver on node:http. WEBHOOK_SECRET is the endpoint's secret (two, separated by a comma,
// during a rotation); PORT is the port to listen on.

const secrets = (process.env['WEBHOOK_SECRET'] ?? '').split(',').filter((text) => text !== '');
if (secrets.length === 0) throw new Error('set WEBHOOK_SECRET to the secret of your endpoint');
const port = Number(process.env['PORT'] ?? 3000);

/** In your service, use two database tables, written in one transaction. */
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
      // Not 2xx, so the delivery is retried.
      response.writeHead(500).end();
    });
});
server.listen(port, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening on ${typeof address === 'object' ? address?.port : port}`);
});

async function receive(request: IncomingMessage): Promise<{ status: number; body: object }> {
  const rawBody = await readBody(request);

  // 1. Verify the signature of the raw bytes, before anything trusts or parses them.
  const verified = await verifyWebhook(rawBody, request.headers, secrets);
  if (!verified.ok) {
    console.error(`refused: ${verified.reason}: ${verified.detail}`);
    return { status: 401, body: { error: 'the signature does not match' } };
  }

  // 2. Deduplicate: an attempt may be repeated, always with the same id.
  if (processedIds.has(verified.deliveryId)) return { status: 200, body: { duplicate: true } };

  // 3. and 4. Route by template and event, and store.
  store(parseDelivery(rawBody));
  processedIds.add(verified.deliveryId);

  // 5. Respond with 2xx once the data is safe. Until then it is retried.
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
      // An event type of the future: nothing to do, and no reason for a retry.
      console.log(`ignored ${delivery.event_type}`);
  }
}

/** Deliveries are small; a larger body is not ours. */
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
