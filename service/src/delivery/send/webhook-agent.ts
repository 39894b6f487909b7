import type { SecureContext } from 'node:tls';
import { checkWebhookUrl, type UrlRules } from '../../webhooks/address/url-rules.ts';
import type { Clock } from '../../platform/clock.ts';
import { memoize } from '../../platform/memoize.ts';
import { AddressGuard } from './address-guard.ts';
import type { PostOutcome, PostRequest, WebhookAgent } from './agent.ts';
import { type Attempt, startAttempt, toFailure, toResponse } from './attempt.ts';
import { AttemptError, NoResponseError } from './attempt-error.ts';
import type { Connection } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import { untilAborted } from './deadline.ts';
import { ConnectionClosedError, exchange, type ExchangeResult } from './exchange.ts';
import { openConnection, type Target } from './open-connection.ts';
import type { EgressProxy } from './proxy-tunnel.ts';
import type { CapturedResponse } from './response-capture.ts';
import { IDLE_CONNECTIONS_MAX } from './limits.ts';
import type { Resolver } from './resolver.ts';
import { TlsSessions } from './tls-sessions.ts';
import { trustedRoots } from './trusted-roots.ts';

export interface WebhookAgentDeps {
  clock: Clock;
  resolver: Resolver;
  rules: UrlRules;
  /** PEM certificates of authorities to trust in addition to the public ones. */
  extraCa?: string | null;
  /** The proxy to connect through. Default: none. */
  proxy?: EgressProxy | null;
  /** Maximum number of idle connections. Default: 1,000. */
  idleConnectionsMax?: number;
}

/**
 * Creates an agent that sends requests only to vetted addresses. Ignores proxy environment
 * variables, follows no redirects and keeps no cookies.
 */
export function createWebhookAgent(deps: WebhookAgentDeps): WebhookAgent {
  return new Agent(deps);
}

/** A target with the path and query string of the request. */
type RequestTarget = Target & { path: string };

class Agent implements WebhookAgent {
  readonly #clock: Clock;
  readonly #guard: AddressGuard;
  readonly #targetOf: (url: string) => RequestTarget;
  readonly #secureContext: () => SecureContext;
  readonly #sessions: TlsSessions;
  readonly #proxy: EgressProxy | null;
  readonly #pool: ConnectionPool;
  readonly #inFlight = new Map<Attempt, Promise<PostOutcome>>();
  #isClosed = false;

  constructor(deps: WebhookAgentDeps) {
    this.#clock = deps.clock;
    this.#guard = new AddressGuard(deps);
    // Memoized, because the rules never change while the process runs. A URL that violates them
    // throws on every call.
    this.#targetOf = memoize((url) => parseTarget(url, deps.rules));
    this.#secureContext = trustedRoots(deps.extraCa ?? null);
    this.#sessions = new TlsSessions(deps.clock);
    this.#proxy = deps.proxy ?? null;
    const { clock, idleConnectionsMax: idleMax = IDLE_CONNECTIONS_MAX } = deps;
    this.#pool = new ConnectionPool({ clock, idleMax });
  }

  post(request: PostRequest): Promise<PostOutcome> {
    const attempt = startAttempt(this.#clock);
    const outcome = this.#run(request, attempt);
    this.#inFlight.set(attempt, outcome);
    return outcome;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const inFlight = [...this.#inFlight];
    for (const [attempt] of inFlight) attempt.deadline.abort(stopping(attempt));
    await Promise.allSettled(inFlight.map(([, outcome]) => outcome));
    this.#pool.close();
  }

  async #run(request: PostRequest, attempt: Attempt): Promise<PostOutcome> {
    try {
      if (this.#isClosed) throw stopping();
      return toResponse(attempt, await this.#send(request, attempt), this.#clock);
    } catch (error) {
      if (!(error instanceof AttemptError)) throw error;
      return toFailure(attempt, error, this.#clock);
    } finally {
      attempt.deadline.clear();
      this.#inFlight.delete(attempt);
    }
  }

  async #send(request: PostRequest, attempt: Attempt): Promise<CapturedResponse> {
    const target = this.#targetOf(request.url);
    const addresses = await this.#resolve(target, attempt);
    for (;;) {
      const pooled = this.#pool.take(target.origin, addresses);
      const connection = pooled ?? (await this.#connect(target, addresses, attempt));
      attempt.remoteAddress = connection.address;
      try {
        const { response, isComplete } = await this.#exchange(connection, {
          request,
          path: target.path,
          attempt,
        });
        if (isComplete && !this.#isClosed) this.#pool.release(connection);
        else connection.destroy();
        return response;
      } catch (error) {
        connection.destroy();
        // A pooled connection may have been closed in the meantime. The loop then uses a different
        // connection.
        if (error instanceof ConnectionClosedError) {
          if (pooled !== null) continue;
          throw new AttemptError('reset', 'The receiver closed the new connection.');
        }
        if (pooled !== null) this.#closedInUse(target, attempt, error);
        throw error;
      }
    }
  }

  /**
   * A receiver may close an idle connection just as the request is sent. The outcome is that of any
   * lost connection, because the receiver may have the data, but the next attempt may follow at
   * once. Its other idle connections are probably closed too.
   */
  #closedInUse({ origin }: Target, attempt: Attempt, error: unknown): void {
    if (!(error instanceof NoResponseError)) return;
    attempt.wasIdle = true;
    this.#pool.take(origin, []);
  }

  /**
   * Resolves the addresses of the target. Synchronous if they are cached, so that the deadline does
   * not need an abort signal.
   */
  #resolve(target: Target, attempt: Attempt): readonly string[] | Promise<readonly string[]> {
    try {
      return this.#guard.resolveCached(target.host, target.port) ?? this.#lookUp(target, attempt);
    } catch (error) {
      // The host's addresses are now blocked, so its pooled connections are closed.
      this.#pool.take(target.origin, []);
      throw error;
    }
  }

  async #lookUp({ host, port, origin }: Target, attempt: Attempt): Promise<readonly string[]> {
    const startedAt = this.#clock.monotonicMs();
    try {
      return await untilAborted(this.#guard.resolve(host, port), attempt.deadline.signal);
    } catch (error) {
      this.#pool.take(origin, []);
      throw error;
    } finally {
      attempt.dnsMs = this.#clock.monotonicMs() - startedAt;
    }
  }

  #connect(target: Target, addresses: readonly string[], attempt: Attempt): Promise<Connection> {
    const deps = {
      clock: this.#clock,
      secureContext: this.#secureContext,
      sessions: this.#sessions,
      proxy: this.#proxy,
    };
    return openConnection(deps, { target, addresses, attempt });
  }

  #exchange(
    connection: Connection,
    { request, path, attempt }: { request: PostRequest; path: string; attempt: Attempt },
  ): Promise<ExchangeResult> {
    const clock = this.#clock;
    return exchange(connection, {
      path,
      headers: flatHeaders(request.headers),
      body: request.body,
      deadline: attempt.deadline,
      mayStart() {
        if (request.beforeFirstByte?.() === false) return false;
        attempt.sentAt = clock.monotonicMs();
        return true;
      },
      onResponse() {
        attempt.firstByteMs = clock.monotonicMs() - (attempt.sentAt ?? attempt.startedAt);
      },
    });
  }
}

/**
 * Parses a URL. Throws an `AttemptError` with code `blocked_address` if the rules do not allow the
 * URL.
 */
function parseTarget(text: string, rules: UrlRules): RequestTarget {
  const verdict = checkWebhookUrl(text, rules);
  if (!verdict.ok) throw new AttemptError('blocked_address', `The URL ${verdict.problem}.`);
  const url = new URL(verdict.url);
  return {
    origin: url.origin,
    host: verdict.host,
    port: verdict.port,
    isTls: verdict.protocol === 'https:',
    path: url.pathname + url.search,
  };
}

/** Returns alternating header names and values. */
function flatHeaders(headers: PostRequest['headers']): string[] {
  const flat = ['Accept-Encoding', 'identity'];
  for (const [name, value] of headers) flat.push(name, value);
  return flat;
}

function stopping(attempt?: Attempt): AttemptError {
  const isSent = attempt !== undefined && attempt.sentAt !== null;
  return new AttemptError(isSent ? 'reset' : 'not_sent', 'The service is stopping.');
}
