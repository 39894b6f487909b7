import type { UrlRules } from '../../webhooks/address/url-rules.ts';
import type { Clock } from '../../platform/clock.ts';
import type { PostOutcome, PostRequest, WebhookAgent } from './agent.ts';
import { toResponse, type Attempt, toFailure, startAttempt } from './attempt.ts';
import { AttemptError } from './attempt-error.ts';
import type { Connection } from './connection.ts';
import { ConnectionClosedError, exchange, type ExchangeResult } from './exchange.ts';
import { createConnectionPool } from './connection-pool.ts';
import { untilAborted } from './deadline.ts';
import { openConnection } from './open-connection.ts';
import { memoize } from '../../platform/memoize.ts';
import type { Resolver } from './resolver.ts';
import { parseTarget, type Target } from './target.ts';
import { trustedRoots } from './trusted-roots.ts';
import { createAddressGuard } from './address-guard.ts';

export interface WebhookAgentDeps {
  clock: Clock;
  resolver: Resolver;
  rules: UrlRules;
  /** Certificates in PEM that receivers may be signed by, beside those the world trusts. */
  extraCa?: string | null;
}

/**
 * Sends deliveries to vetted addresses alone. Proxies of the environment have no say, redirects
 * are answers like others, and no cookie is kept.
 */
export function createWebhookAgent(deps: WebhookAgentDeps): WebhookAgent {
  const { clock } = deps;
  const vetting = createAddressGuard(deps);
  // The rules never change while the process runs; a URL that breaks them throws each time.
  const targetOf = memoize((url) => parseTarget(url, deps.rules));
  const idle = createConnectionPool();
  const secureContext = trustedRoots(deps.extraCa ?? null);
  const running = new Map<Attempt, Promise<PostOutcome>>();
  let isClosed = false;

  /** At once where the addresses are known, so that no time-out need be listened for. */
  function vet(target: Target, attempt: Attempt): readonly string[] | Promise<readonly string[]> {
    try {
      return vetting.resolveCached(target.host, target.port) ?? ask(target, attempt);
    } catch (error) {
      // What was vetted before no longer holds.
      idle.take(target.origin, []);
      throw error;
    }
  }

  async function ask({ host, port, origin }: Target, attempt: Attempt): Promise<readonly string[]> {
    const askedAt = clock.monotonicMs();
    try {
      return await untilAborted(vetting.resolve(host, port), attempt.deadline.signal);
    } catch (error) {
      idle.take(origin, []);
      throw error;
    } finally {
      attempt.dnsMs = clock.monotonicMs() - askedAt;
    }
  }

  async function deliver(request: PostRequest, attempt: Attempt): Promise<ExchangeResult> {
    const target = targetOf(request.url);
    const addresses = await vet(target, attempt);
    for (;;) {
      const reused = idle.take(target.origin, addresses);
      const connection =
        reused ?? (await openConnection({ clock, secureContext }, { target, addresses, attempt }));
      attempt.remoteAddress = connection.address;
      try {
        const exchanged = await send(connection, { request, target, attempt });
        if (exchanged.isComplete && !isClosed) idle.release(connection);
        else connection.destroy();
        return exchanged;
      } catch (error) {
        connection.destroy();
        // A connection that stood idle may have ended meanwhile; then a new one is opened.
        if (!(error instanceof ConnectionClosedError)) throw error;
        if (reused === null) {
          throw new AttemptError('reset', 'The receiver closed the connection at once.');
        }
      }
    }
  }

  function send(
    connection: Connection,
    { request, target, attempt }: { request: PostRequest; target: Target; attempt: Attempt },
  ): Promise<ExchangeResult> {
    return exchange(connection, {
      path: target.path,
      headers: withOurs(request.headers),
      body: request.body,
      limit: attempt.deadline,
      mayStart() {
        if (request.beforeFirstByte?.() === false) return false;
        attempt.sentAt = clock.monotonicMs();
        return true;
      },
      onAnswer() {
        attempt.firstByteMs = clock.monotonicMs() - (attempt.sentAt ?? attempt.startedAt);
      },
    });
  }

  async function settle(request: PostRequest, attempt: Attempt): Promise<PostOutcome> {
    try {
      if (isClosed) throw closing();
      return toResponse(attempt, await deliver(request, attempt), clock);
    } catch (error) {
      if (!(error instanceof AttemptError)) throw error;
      return toFailure(attempt, error, clock);
    } finally {
      attempt.deadline.clear();
      running.delete(attempt);
    }
  }

  return {
    post(request) {
      const attempt = startAttempt(clock);
      const outcome = settle(request, attempt);
      running.set(attempt, outcome);
      return outcome;
    },
    async close() {
      isClosed = true;
      const open = [...running];
      for (const [attempt] of open) attempt.deadline.abort(closing(attempt));
      await Promise.allSettled(open.map(([, outcome]) => outcome));
      idle.close();
    },
  };
}

/** Name, value, name, value. */
function withOurs(headers: PostRequest['headers']): string[] {
  const all = ['Accept-Encoding', 'identity'];
  for (const [name, value] of headers) all.push(name, value);
  return all;
}

function closing(attempt?: Attempt): AttemptError {
  const isSent = attempt !== undefined && attempt.sentAt !== null;
  return new AttemptError(isSent ? 'reset' : 'not_sent', 'The service is stopping.');
}
