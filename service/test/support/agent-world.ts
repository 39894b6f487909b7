import { onTestFinished } from 'vitest';
import { devAllow } from '../../src/webhooks/address/dev-allow.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';
import type { PostRequest, WebhookAgent } from '../../src/delivery/send/agent.ts';
import { createWebhookAgent } from '../../src/delivery/send/webhook-agent.ts';
import type { EgressProxy } from '../../src/delivery/send/proxy-tunnel.ts';
import type { Resolver } from '../../src/delivery/send/resolver.ts';
import { type Respond, type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';
import { watchConnections, type WatchedConnections } from './watch-connections.ts';

export interface AgentWorld {
  agent: WebhookAgent;
  clock: FakeClock;
  connections: WatchedConnections;
  /** DNS lookups, each as `NAME FAMILY`. */
  lookups: string[];
}

export interface AgentWorldOptions {
  /** Hosts in the same format as WEBHOOK_DEV_ALLOW. */
  allow?: readonly string[];
  ports?: readonly number[];
  /**
   * Addresses for every name, or a function that receives the lookup's number. A lookup that
   * `hangs` never settles.
   */
  addresses?: readonly string[] | ((n: number) => readonly string[] | 'fails' | 'hangs');
  ttlSeconds?: number;
  resolver?: Resolver;
  extraCa?: string;
  idleConnectionsMax?: number;
  proxy?: EgressProxy;
}

/** Creates an agent on a fake clock and closes it when the test finishes. */
export function agentWorld(options: AgentWorldOptions = {}): AgentWorld {
  const clock = fakeClock(Date.UTC(2026, 10, 20));
  const lookups: string[] = [];
  const connections = watchConnections();
  const agent = createWebhookAgent({
    clock,
    rules: { ports: options.ports ?? [443], devAllow: devAllow(options.allow ?? []) },
    resolver: options.resolver ?? scriptedResolver(options, lookups),
    extraCa: options.extraCa ?? null,
    proxy: options.proxy ?? null,
    ...(options.idleConnectionsMax !== undefined && {
      idleConnectionsMax: options.idleConnectionsMax,
    }),
  });
  onTestFinished(async () => {
    await agent.close();
    connections.stop();
  });
  return { agent, clock, connections, lookups };
}

function scriptedResolver(options: AgentWorldOptions, lookups: string[]): Resolver {
  const { addresses = [], ttlSeconds = 0 } = options;
  let n = 0;
  return {
    async resolve(name, family) {
      lookups.push(`${name} ${family}`);
      // The A and AAAA queries for a name together are one lookup.
      const lookup = Math.floor(n++ / 2);
      const all = typeof addresses === 'function' ? addresses(lookup) : addresses;
      if (all === 'fails') throw Object.assign(new Error(), { code: 'ESERVFAIL' });
      if (all === 'hangs') return new Promise(() => undefined);
      const matching = all.filter((address) => address.includes(':') === (family === 6));
      return matching.map((address) => ({ address, ttlSeconds }));
    },
  };
}

/** Starts a receiver and closes it when the test finishes. */
export async function receiver(respond: Respond, options?: ReceiverOptions): Promise<Receiver> {
  const instance = await startReceiver(respond, options);
  onTestFinished(() => instance.close());
  return instance;
}

/** Returns a webhook request to this URL. */
export function requestTo(url: string, more: Partial<PostRequest> = {}): PostRequest {
  const body = new TextEncoder().encode('{"secret":"figures"}');
  return { url, headers: [['Content-Type', 'application/json']], body, ...more };
}

/**
 * Resolves when this process's n-th socket has received this many bytes and its handlers have run.
 */
export async function untilReceived(
  connections: WatchedConnections,
  bytes: number,
  n = 0,
): Promise<void> {
  while ((connections.sockets[n]?.bytesRead ?? 0) < bytes) await nextTurn();
  for (let i = 0; i < 3; i++) await nextTurn();
}

/** Waits for one turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
