import { Agent, type Dispatcher, request } from 'undici';
import type { Clock } from './clock.ts';
import { createExchange } from './http-exchange.ts';
import { createSourceClient, type SourceClient, type SourceOptions } from './source-client.ts';
import type { Random } from './random.ts';

/** The door to the sources: everything asked of the outside goes through one of its queues. */
export interface HttpClient {
  /** The queue of one source. Make it once: pace, rests and breaker live in it. */
  source(options: SourceOptions): SourceClient;
  /** Closes the connections that stand open. */
  close(): Promise<void>;
}

export interface HttpClientDeps {
  clock: Clock;
  random: Random;
  /** Whom to send through; by default an agent of our own, with one connection per host. */
  dispatcher?: Dispatcher;
}

export function createHttpClient(deps: HttpClientDeps): HttpClient {
  const { clock, random } = deps;
  const dispatcher = deps.dispatcher ?? new Agent({ connections: 1, maxHeaderSize: 16_384 });
  const exchange = createExchange({
    clock,
    // Time-outs are ours, on the clock; the library's own would run on another.
    send: (url, { headers, signal }) =>
      request(url, { dispatcher, headers, signal, headersTimeout: 0, bodyTimeout: 0 }),
  });
  return {
    source: (options) => createSourceClient({ clock, random, exchange }, options),
    close: () => dispatcher.destroy(),
  };
}
