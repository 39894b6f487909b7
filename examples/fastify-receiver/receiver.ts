import {
  parseDelivery,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookDelivery,
} from '@afterbell/sdk';
import { fastify } from 'fastify';

// A webhook receiver built with Fastify. WEBHOOK_SECRET is the endpoint's secret (during a
// rotation, two secrets separated by a comma); PORT is the port to listen on.

const secrets = (process.env['WEBHOOK_SECRET'] ?? '').split(',').filter((text) => text !== '');
if (secrets.length === 0) throw new Error('set WEBHOOK_SECRET to the secret of your endpoint');
const port = Number(process.env['PORT'] ?? 3000);

type VerifiedDelivery = VerifiedWebhook & { ok: true };

/** In your service, use two database tables that are written in one transaction. */
const processedIds = new Set<string>();
const newest = new Map<string, { sentAt: Date; data: object }>();

const app = fastify({ bodyLimit: 64 * 1024 });

// The signature covers the raw bytes, so Fastify must not parse them.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post('/', async (request, reply) => {
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);

  // 1. Verify the signature over the raw bytes before any code trusts or parses them.
  const verified = await verifyWebhook(rawBody, request.headers, secrets);
  if (!verified.ok) {
    console.error(`refused: ${verified.reason}: ${verified.detail}`);
    return reply.code(401).send({ error: 'the signature does not match' });
  }

  // 2. Deduplicate, because an attempt may be repeated. The id is always the same.
  if (processedIds.has(verified.deliveryId)) return { duplicate: true };

  // 3. and 4. Route by template and event, and store the data. If this throws, Fastify
  //    responds with 500, and the delivery is retried.
  store(parseDelivery(rawBody), verified);
  processedIds.add(verified.deliveryId);

  // 5. Respond with 2xx once the data is safe.
  return { ok: true };
});

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

await app.listen({ port, host: '127.0.0.1' });
const address = app.server.address();
console.log(`listening on ${typeof address === 'object' ? address?.port : port}`);
