import { Dispatcher } from 'undici';

/** A request as a server sees it. */
export interface LocalRequest {
  url: URL;
  /** Path and query as sent, because some hosts distinguish encodings. */
  path: string;
  method: string;
  /** Values by lower-case name. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** A server that hangs never responds: the client sees a timeout. */
export type LocalReply =
  | { status: number; headers?: Record<string, string | string[]>; body: string }
  | 'hang';

/**
 * Answers HTTP requests in this process, without a socket. `respond` returns null for a host that
 * cannot be reached.
 */
export class LocalDispatcher extends Dispatcher {
  readonly #respond: (request: LocalRequest) => LocalReply | null;
  #isDestroyed = false;

  constructor(respond: (request: LocalRequest) => LocalReply | null) {
    super();
    this.#respond = respond;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const url = new URL(options.path, String(options.origin));
    const controller = controllerOf(handler);
    handler.onRequestStart?.(controller, {});
    if (controller.aborted) return true;
    const reply = this.#isDestroyed
      ? null
      : this.#respond({
          url,
          path: options.path,
          method: options.method,
          headers: headersOf(options.headers),
          body: typeof options.body === 'string' ? options.body : '',
        });
    if (reply === null) {
      handler.onResponseError?.(controller, new Error(`no route to ${url.host}`));
    } else if (reply !== 'hang') sendReply(reply, controller, handler);
    return true;
  }

  override destroy(): Promise<void> {
    this.#isDestroyed = true;
    return Promise.resolve();
  }
}

function sendReply(
  { status, headers = {}, body }: Exclude<LocalReply, 'hang'>,
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
