import type { Dispatcher } from 'undici';
import type { Clock } from '../../../src/platform/clock.ts';
import { LocalDispatcher } from '../../../src/platform/local-dispatcher.ts';
import type { ScriptedHost } from './scripted-host.ts';

/**
 * Stands in for the internet: passes each request to the scripted host in its URL. Everything above
 * the socket is the product's own code.
 */
export class ScriptedNetwork extends LocalDispatcher {
  constructor(clock: Clock, hosts: readonly ScriptedHost[]) {
    super((request) => {
      const host = hosts.find(({ names }) => names.includes(request.url.host));
      return host?.respond({ ...request, atMs: clock.monotonicMs() }) ?? null;
    });
  }
}

/** Delays every request, as a real network does. */
export class DelayedNetwork extends ScriptedNetwork {
  readonly #delayClock: Clock;
  readonly #delayMs: number;

  constructor(clock: Clock, hosts: readonly ScriptedHost[], delayMs: number) {
    super(clock, hosts);
    this.#delayClock = clock;
    this.#delayMs = delayMs;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    this.#delayClock.setTimer(this.#delayMs, () => super.dispatch(options, handler));
    return true;
  }
}
