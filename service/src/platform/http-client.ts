import { Agent, type Dispatcher, request } from 'undici';
import type { Clock } from './clock.ts';
import { createExchange, type Exchange } from './http-exchange.ts';
import { PerHostClient } from './per-host-client.ts';
import { createSourceClient, type SourceClient, type SourceOptions } from './source-client.ts';
import type { Random } from './random.ts';
import type { ServerClocks } from './server-clocks.ts';

export type { Dispatcher };

/** Creates the clients through which all requests to sources are sent. */
export interface HttpClient {
  /**
   * Creates the client for one source. Call it once per source, because the client contains the
   * rate limit, cooldown and circuit breaker.
   */
  source(options: SourceOptions): SourceClient;
  /** Closes all open connections. */
  close(): Promise<void>;
}

export interface HttpClientDeps {
  clock: Clock;
  random: Random;
  /** Dispatcher for all requests. Default: an agent with one connection per host. */
  dispatcher?: Dispatcher;
  /** See `SourceClientDeps`. */
  serverClocks?: ServerClocks;
}

export function createHttpClient(deps: HttpClientDeps): HttpClient {
  const { clock, random, serverClocks } = deps;
  const dispatcher = deps.dispatcher ?? new Agent({ connections: 1, maxHeaderSize: 16_384 });
  const exchange = exchangeThrough(dispatcher, clock);
  return {
    source: (options) =>
      options.limits.isPerHost === true
        ? new PerHostClient({ clock, random, exchange, serverClocks }, options)
        : createSourceClient({ clock, random, exchange, serverClocks }, options),
    close: () => dispatcher.destroy(),
  };
}

/**
 * Returns a function that sends requests to a running service, for commands. Unlike a client for a
 * source, it neither limits nor repeats them.
 */
export function createServiceExchange(clock: Clock): Exchange {
  return exchangeThrough(new Agent({ maxHeaderSize: 16_384 }), clock);
}

function exchangeThrough(dispatcher: Dispatcher, clock: Clock): Exchange {
  return createExchange({
    clock,
    // Timeouts use the injected clock, so the library's own timeouts are disabled.
    send: (url, options) =>
      request(url, { ...options, dispatcher, headersTimeout: 0, bodyTimeout: 0 }),
  });
}
