import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { WebhookAgent } from '../../../src/delivery/send/agent.ts';
import { createWebhookAgent } from '../../../src/delivery/send/webhook-agent.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { devAllow } from '../../../src/webhooks/address/dev-allow.ts';
import { createAuthority } from '../../support/certificates.ts';
import type { Bench } from '../bench.ts';

const HOSTS = 1_000;
const POSTS = 10_000;
const CONCURRENCY = 64;
const COLD_MICROS_MAX = 600;

/** Measures the CPU time of deliveries to many hosts over TLS, and the memory of idle connections. */
export const bench: Bench = {
  name: 'webhook connections',
  target: '≤ 600 µs of CPU time per delivery, cold, for 10,000 deliveries to 1,000 hosts over TLS',
  async run() {
    const authority = createAuthority();
    const { key, cert } = authority.issue({ name: '*.example.com' });
    const receivers = await startReceivers(key, cert);
    const agent = createWebhookAgent({
      clock: systemClock(),
      resolver: {
        resolve: (_name, family) =>
          Promise.resolve(family === 4 ? [{ address: '127.0.0.1', ttlSeconds: 60 }] : []),
      },
      rules: { ports: [443], devAllow: devAllow([`127.0.0.1:${receivers.port}`]) },
      extraCa: authority.cert,
    });
    const urls = Array.from(
      { length: HOSTS },
      (_, host) => `https://h${host}.example.com:${receivers.port}/`,
    );
    const rssBefore = settledRss();
    const coldMicros = await post(agent, urls);
    const idleKb = (settledRss() - rssBefore) / HOSTS / 1_024;
    const warmMicros = await post(agent, urls);
    const { connections } = await receivers.ask('close');
    await systemClock().sleep(1_000);
    const resumedMicros = await post(agent, urls.slice(0, HOSTS), HOSTS);
    const after = await receivers.ask('report');
    await agent.close();
    receivers.stop();
    const figures = {
      coldMicros: Math.round(coldMicros),
      warmMicros: Math.round(warmMicros),
      resumedMicros: Math.round(resumedMicros),
      connections,
      resumedConnections: after.resumed,
      idleKb: Math.round(idleKb),
      load: Number((loadavg()[0] ?? 0).toFixed(1)),
    };
    return { passed: coldMicros <= COLD_MICROS_MAX, figures };
  },
};

function settledRss(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

/** Returns the CPU time per delivery of this process, in microseconds. */
async function post(agent: WebhookAgent, urls: readonly string[], count = POSTS): Promise<number> {
  const body = Buffer.from(JSON.stringify({ data: 'x'.repeat(400) }));
  const before = process.cpuUsage();
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < count) {
        const url = urls[next % urls.length] ?? '';
        next += 1;
        const outcome = await agent.post({ url, headers: [], body });
        if (outcome.kind === 'failed') throw new Error(outcome.detail);
      }
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

interface Receivers {
  port: number;
  ask(text: 'close' | 'report'): Promise<{ connections: number; resumed: number }>;
  stop(): void;
}

async function startReceivers(key: string, cert: string): Promise<Receivers> {
  const script = fileURLToPath(new URL('tls-receivers.ts', import.meta.url));
  const child = fork(script, [key, cert]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    async ask(text) {
      child.send(text);
      const [counts] = (await once(child, 'message')) as [{ connections: number; resumed: number }];
      return counts;
    },
    stop: () => void child.kill(),
  };
}
