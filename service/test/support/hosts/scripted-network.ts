import { Dispatcher } from 'undici';
import type { Clock } from '../../../src/platform/clock.ts';
import type { HostReply, HostRequest, ScriptedHost } from './scripted-host.ts';

/**
 * Stands in for the internet: passes each request to the scripted host in its URL, without a socket.
 * Everything above the socket is the product's own code. A host that hangs never responds.
 */
export class ScriptedNetwork extends Dispatcher {
  readonly #clock: Clock;
  readonly #hosts: readonly ScriptedHost[];
  #isDestroyed = false;

  constructor(clock: Clock, hosts: readonly ScriptedHost[]) {
    super();
    this.#clock = clock;
    this.#hosts = hosts;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const url = new URL(options.path, String(options.origin));
    const host = this.#hosts.find(({ names }) => names.includes(url.host));
    const controller = controllerOf(handler);
    handler.onRequestStart?.(controller, {});
    if (controller.aborted) return true;
    if (host === undefined || this.#isDestroyed) {
      handler.onResponseError?.(controller, new Error(`no route to ${url.host}`));
      return true;
    }
    const request: HostRequest = {
      url,
      path: options.path,
      method: options.method,
      headers: headersOf(options.headers),
      body: typeof options.body === 'string' ? options.body : '',
      atMs: this.#clock.monotonicMs(),
    };
    const reply = host.respond(request);
    if (reply !== 'hang') sendReply(reply, controller, handler);
    return true;
  }

  override destroy(): Promise<void> {
    this.#isDestroyed = true;
    return Promise.resolve();
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

function sendReply(
  { status, headers = {}, body }: Exclude<HostReply, 'hang'>,
  controller: Dispatcher.DispatchController,
  handler: Dispatcher.DispatchHandler,
): void {
  handler.onResponseStart?.(controller, status, { 'content-type': 'application/json', ...headers });
  if (body !== '') handler.onResponseData?.(controller, Buffer.from(body));
  handler.onResponseEnd?.(controller, {});
}

function controllerOf(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchController {
  let reason: Error | null = null;
  const controller: Dispatcher.DispatchController = {
    get aborted() {
      return reason !== null;
    },
    get paused() {
      return false;
    },
    get reason() {
      return reason;
    },
    abort(error) {
      if (reason !== null) return;
      reason = error;
      handler.onResponseError?.(controller, error);
    },
    pause: () => undefined,
    resume: () => undefined,
  };
  return controller;
}

function headersOf(headers: Dispatcher.DispatchOptions['headers']): ReadonlyMap<string, string> {
  const entries = Object.entries((headers ?? {}) as Record<string, string>);
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
}
