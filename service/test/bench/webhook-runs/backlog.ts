import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { insertSecret } from '../../../src/webhooks/secret/secret-store.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { systemRandom } from '../../../src/platform/random.ts';
import { createSecretCipher } from '../../../src/platform/encryption.ts';
import type { Db } from '../../../src/storage/db.ts';
import { postgresStore } from '../../support/stores.ts';
import { addCompanies } from '../../support/webhook-world.ts';
import type { Bench } from '../bench.ts';
import { startClockedReceivers } from './receivers.ts';

const ENDPOINTS = 1_000;
const SYMBOLS = 1_000;
const SECONDS = Number(process.env['BENCH_BACKLOG_SECONDS'] ?? 180);
const PEAK_MB_MAX = 512;

/** Measures memory and claim times of a worker with a million pending deliveries. */
export const bench: Bench = {
  name: 'webhook backlog',
  target: `at most ${PEAK_MB_MAX} MB on PostgreSQL with 1,000,000 pending deliveries`,
  async run() {
    const server = await postgresStore();
    if ('missing' in server) return { passed: true, figures: { missing: server.missing } };
    const receivers = await startClockedReceivers();
    try {
      await fill(server.db, receivers.port);
      const figures = await work(server.url, receivers.port);
      return { passed: Number(figures['peakMb']) <= PEAK_MB_MAX, figures };
    } finally {
      receivers.stop();
      await server.db.close();
    }
  },
};

/**
 * Subscribes every endpoint to every company. Every delivery is pending, and none was ever sent.
 */
async function fill(db: Db, port: number): Promise<void> {
  const clock = systemClock();
  const random = systemRandom();
  const cipher = createSecretCipher([new Uint8Array(32).fill(7)], random);
  await addCompanies(
    db,
    Array.from({ length: SYMBOLS }, (_, i) => `S${i + 1}`),
  );
  await db.query(
    `insert into customer (id, name, plan, created_at)
     select 'cus' || n, 'cus' || n, 'pro', now() from generate_series(1, ${ENDPOINTS}) as n`,
  );
  await db.query(
    `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at, is_slow)
     select 'ep' || n, 'cus' || n, 'http://127.0.0.1:${port}/ep' || n, now(), now(), false
       from generate_series(1, ${ENDPOINTS}) as n`,
  );
  for (let index = 1; index <= ENDPOINTS; index += 1) {
    const secret = { endpointId: `ep${index}`, role: 'current' as const, secret: 'whsec_bench' };
    await db.transaction((tx) => insertSecret(tx, cipher, { ...secret, now: clock.now() }));
  }
  // Inserting in batches keeps each statement within its timeout.
  for (let from = 1; from <= ENDPOINTS; from += 100) {
    const range = `generate_series(${from}, ${from + 99}) as e, generate_series(1, ${SYMBOLS}) as s`;
    await db.query(
      `insert into webhook_subscription (template_id, symbol, endpoint_id, created_at)
       select 'earnings_schedule', 'S' || s, 'ep' || e, now() from ${range}`,
    );
    await db.query(
      `insert into delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state,
                             changed_at, created_at, due_at)
       select 'del_0backlog' || lpad((e * ${SYMBOLS} + s)::text, 10, '0'), 'cus' || e, 'ep' || e,
              'earnings_schedule', 'earnings_schedule.changed', 'S' || s, 'pending',
              now(), now(), now() from ${range}`,
    );
  }
  await db.execute('analyze');
}

async function work(url: string, port: number): Promise<Record<string, number>> {
  const script = fileURLToPath(new URL('backlog-worker.ts', import.meta.url));
  const child = spawn(process.execPath, [script, url, String(port), String(SECONDS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the worker exited with ${code}`);
  return JSON.parse(text) as Record<string, number>;
}
