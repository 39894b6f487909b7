import { createServer, type IncomingMessage } from 'node:http';
import { parseDelivery, verifyWebhook, type WebhookDelivery } from '@afterbell/sdk';

// A receiver on node:http. WEBHOOK_SECRET is the endpoint's secret (two, with a comma between them,
// while you change it); PORT is where to listen.

const secrets = (process.env['WEBHOOK_SECRET'] ?? '').split(',').filter((text) => text !== '');
if (secrets.length === 0) throw new Error('WEBHOOK_SECRET is wanted: the secret of your endpoint');
const port = Number(process.env['PORT'] ?? 3000);

/** In your service these two are tables of your database, written in one transaction. */
const seen = new Set<string>();
const schedules = new Map<string, object>();

const server = createServer((request, response) => {
  receive(request)
    .then(({ status, body }) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    })
    .catch((error: unknown) => {
      console.error(error);
      // Not 2xx: it is sent again later.
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

  // 2. Drop what was processed before: an attempt may be repeated, always with the same id.
  if (seen.has(verified.deliveryId)) return { status: 200, body: { duplicate: true } };

  // 3. and 4. Route by template and event, and store.
  store(parseDelivery(rawBody));
  seen.add(verified.deliveryId);

  // 5. Answer 2xx once it is safe. Until then it is sent again.
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
      // An event of tomorrow: nothing to do, and no reason to have it sent again.
      console.log(`ignored ${delivery.event_type}`);
  }
}

/** Bodies are small: one that is not is not ours. */
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
