import type { Clock } from './clock.ts';
import type { Exchange, ExchangeResult } from './http-exchange.ts';
import { isAllowedUrl } from './http-hosts.ts';
import type { Instant } from './instant.ts';
import {
  type BudgetUse,
  createRateLimiter,
  type RateLimiter,
  type RequestBudget,
} from './rate-limiter.ts';
import type { Random } from './random.ts';
import type { ClockVerdict, ServerClocks } from './server-clocks.ts';
import { readHttpDate, retryAfter } from './retry-after.ts';
import { type Cooldown, SourceCooldown, type UnavailableReason } from './source-cooldown.ts';
import { SavedLimits, type SourceMemory } from './source-memory.ts';

/**
 * The rate-limited client for one source and all its hosts. It sends one request at a time, in the
 * order of the calls.
 */
export interface SourceClient {
  /**
   * Fetches a URL after waiting for its turn. Returns source failures as values. Throws a
   * `RangeError` if the URL's host isn't listed for the source.
   */
  fetch(request: SourceRequest): Promise<FetchResult>;
  /**
   * Returns the reason for the current cooldown and when it ends, or null if there is no cooldown.
   */
  cooldown(): Cooldown | null;
  /** Returns the current cooldowns by host, for a source with independent hosts. */
  hostCooldowns?(): ReadonlyMap<string, Cooldown>;
  /**
   * Returns how far the source's clock is ahead of ours, according to its newest response. Returns
   * null until a response has a `Date` header.
   */
  clockAheadMs?(): number | null;
  /**
   * Returns the time until a request may start that uses only a part of the source's budget. Absent
   * or 0 if there is no budget.
   */
  budgetWaitMs?(use: BudgetUse): number;
  /**
   * Starts the cooldown that follows a refusal and returns it. Call it for a response that refuses
   * with HTTP 200.
   */
  refused?(): Cooldown;
}

export interface SourceOptions {
  name: string;
  /** Allowed hosts. See `isAllowedUrl`. */
  hosts: readonly string[];
  limits: SourceLimits;
  /**
   * Returns where cooldowns and the used budget are kept across restarts: those of one of the
   * independent hosts, or of the source if `host` is null. Without it, they end with the process.
   */
  memory?: ((host: string | null) => SourceMemory) | undefined;
}

/** Request limits. All hosts of a source share one queue, unless `isPerHost` is set. */
export interface SourceLimits {
  intervalMsMin: number;
  /** Absent for a source without a known limit beyond the interval. */
  budget?: RequestBudget;
  timeoutMs: number;
  bodyBytesMax: number;
  /**
   * Pause for the whole source after a 403, or a 429 without `Retry-After`. It doubles with each
   * refusal in a row, up to six hours.
   */
  cooldownMs: number;
  /** True if the source refuses by never responding. The second timeout in a row is a refusal. */
  hangsWhenBlocked?: boolean;
  /** True if the hosts are independent, so that each has these limits for itself. */
  isPerHost?: boolean;
}

export interface SourceRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** The default is GET. */
  method?: 'POST';
  body?: string;
  /** Returns a redirect as the response instead of following it. */
  redirect?: 'manual';
  /** Number of attempts after failures that may pass, including the first. The default is 3. */
  attemptsMax?: number;
}

export type FetchResult =
  | { kind: 'response'; response: SourceResponse }
  | ({ kind: 'unavailable' } & Cooldown);

/** A response whose status doesn't mean that the source is down. A 404 is a response too. */
export interface SourceResponse {
  /** The requested URL, even if it was redirected. */
  url: string;
  status: number;
  contentType: string;
  observedAt: Instant;
  /** The decoded body. */
  text: string;
  /** Each cookie that the response set, as `name=value`. Omitted if there were none. */
  cookies?: readonly string[];
  /** Target of a redirect that was not followed. */
  location?: string;
}

const ATTEMPTS_MAX = 3;
const REDIRECTS_MAX = 3;
const BACKOFF_MS = 2000;
const BACKOFF_MS_MAX = 60_000;

type Attempt =
  | { kind: 'response'; response: SourceResponse }
  | { kind: 'cooldown'; reason: 'blocked' | 'rate-limited'; until: Instant | null }
  | {
      kind: 'failed';
      reason: UnavailableReason;
      until: Instant | null;
      isRetryable: boolean;
    };

export interface SourceClientDeps {
  clock: Clock;
  random: Random;
  exchange: Exchange;
  /** Rejects responses while our clock is wrong. Absent if it is shifted on purpose. */
  serverClocks?: ServerClocks | undefined;
}

export function createSourceClient(deps: SourceClientDeps, options: SourceOptions): SourceClient {
  return new RateLimitedClient(deps, options);
}

class RateLimitedClient implements SourceClient {
  readonly #deps: SourceClientDeps;
  readonly #options: SourceOptions;
  readonly #rateLimiter: RateLimiter;
  readonly #cooldown: SourceCooldown;
  readonly #saved: SavedLimits;
  #queue: Promise<unknown> = Promise.resolve();
  #clockAheadMs: number | null = null;

  constructor(deps: SourceClientDeps, options: SourceOptions) {
    const { clock } = deps;
    this.#deps = deps;
    this.#options = options;
    const { intervalMsMin, budget, cooldownMs } = options.limits;
    const rateLimiter = createRateLimiter({ clock, intervalMsMin, budget });
    const cooldown = new SourceCooldown({ clock, cooldownMs });
    const memory = options.memory?.(null);
    this.#rateLimiter = rateLimiter;
    this.#cooldown = cooldown;
    this.#saved = new SavedLimits({ clock, memory, rateLimiter, budget, cooldown });
  }

  fetch(request: SourceRequest): Promise<FetchResult> {
    const url = new URL(request.url);
    if (!isAllowedUrl(url, this.#options.hosts)) {
      throw new RangeError(`${url.host} is not a listed host of ${this.#options.name}`);
    }
    const result = this.#queue.then(() => this.#fetchWithRetries(request, url));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  cooldown(): Cooldown | null {
    return this.#cooldown.current();
  }

  clockAheadMs(): number | null {
    return this.#clockAheadMs;
  }

  budgetWaitMs(use: BudgetUse): number {
    return this.#rateLimiter.budgetWaitMs(use);
  }

  refused(): Cooldown {
    const cooldown = this.#cooldown.refusedAfterAll();
    // If this fails, the cooldown is saved before the next request.
    void this.#saved.save().catch(() => undefined);
    return cooldown;
  }

  async #fetchWithRetries(request: SourceRequest, url: URL): Promise<FetchResult> {
    const { clock, random } = this.#deps;
    await this.#saved.ready();
    for (let number = 1; ; number++) {
      const cooldown = this.cooldown();
      if (cooldown !== null) return { kind: 'unavailable', ...cooldown };
      const { isProbe } = this.#cooldown;
      const attempt = await this.#attempt(request, url);
      if (attempt.kind === 'response') {
        await this.#succeed();
        return attempt;
      }
      if (attempt.kind === 'cooldown') return this.#startCooldown(attempt.reason, attempt.until);
      if (attempt.reason === 'stopped') return unavailable('stopped', clock.now());
      const isRefusal = attempt.reason === 'timeout' && this.#options.limits.hangsWhenBlocked;
      if (isRefusal && (number > 1 || this.#cooldown.refusals > 0)) {
        return this.#startCooldown('blocked', null);
      }
      this.#cooldown.failed();
      const delayMs = Math.max(backoffMs(random, number), (attempt.until ?? 0) - clock.now());
      const attemptsMax = request.attemptsMax ?? ATTEMPTS_MAX;
      const isLast = !attempt.isRetryable || isProbe || number >= attemptsMax;
      if (isLast || delayMs > BACKOFF_MS_MAX) {
        if (attempt.until !== null) await this.#startCooldown(attempt.reason, attempt.until);
        return unavailable(attempt.reason, clock.now() + delayMs);
      }
      await clock.sleep(delayMs, request.signal);
      if (request.signal?.aborted) return unavailable('stopped', clock.now());
    }
  }

  async #succeed(): Promise<void> {
    const isRecovery = this.#cooldown.refusals > 0;
    this.#cooldown.succeeded();
    if (isRecovery) await this.#saved.save();
  }

  async #startCooldown(reason: UnavailableReason, until: Instant | null): Promise<FetchResult> {
    const cooldown = this.#cooldown.start(reason, until);
    await this.#saved.save();
    return { kind: 'unavailable', ...cooldown };
  }

  /** Sends one request and follows redirects to listed hosts. Each hop is rate-limited. */
  async #attempt(request: SourceRequest, start: URL): Promise<Attempt> {
    const { hosts, limits } = this.#options;
    const { timeoutMs, bodyBytesMax } = limits;
    const { headers, signal, method, body, redirect } = request;
    let url = start;
    for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
      await this.#saved.reserve();
      if (!(await this.#rateLimiter.acquire(signal))) return failed('stopped');
      this.#saved.started();
      const sent = { url, headers, method, body, signal };
      const result = await this.#deps.exchange({ ...sent, timeoutMs, bodyBytesMax });
      if (signal?.aborted) return failed('stopped');
      const verdict = this.#judgeClock(result, url);
      if (verdict !== 'right') return failed('wrong-clock', { isRetryable: verdict === 'unsure' });
      const target = redirect === 'manual' ? null : redirectTarget(result, url);
      if (target === null) return toAttempt(result, request.url, this.#deps.clock.now());
      if (target === 'invalid' || !isAllowedUrl(target, hosts)) break;
      url = target;
    }
    return failed('redirected');
  }

  #judgeClock(result: ExchangeResult, { host }: URL): ClockVerdict {
    const { clock, serverClocks } = this.#deps;
    const date = result.kind === 'response' ? readHttpDate(result.date ?? '') : null;
    if (date === null) return 'right';
    this.#clockAheadMs = date - clock.now();
    return serverClocks?.judge(host, date) ?? 'right';
  }
}

function unavailable(reason: UnavailableReason, retryAt: Instant): FetchResult {
  return { kind: 'unavailable', reason, retryAt };
}

function redirectTarget(result: ExchangeResult, from: URL): URL | 'invalid' | null {
  if (result.kind !== 'response' || ![301, 302, 303, 307, 308].includes(result.status)) return null;
  if (result.location === undefined || !URL.canParse(result.location, from.href)) return 'invalid';
  return new URL(result.location, from);
}

function toAttempt(result: ExchangeResult, url: string, now: Instant): Attempt {
  if (result.kind === 'too-large') return failed('too-large');
  if (result.kind !== 'response') return failed(result.kind, { isRetryable: true });
  const { status, contentType, text, cookies, location } = result;
  const until = retryAfter(result.retryAfter, now);
  if (status === 429) return { kind: 'cooldown', reason: 'rate-limited', until };
  if (status === 403 && !isMissingObject(result)) {
    return { kind: 'cooldown', reason: 'blocked', until };
  }
  if (status >= 500) return failed('server-error', { until, isRetryable: true });
  const response: SourceResponse = { url, status, contentType, observedAt: now, text };
  if (cookies.length > 0) response.cookies = cookies;
  if (location !== undefined) response.location = location;
  return { kind: 'response', response };
}

/**
 * Object stores return 403 with an XML body for a missing object. That doesn't mean that the client
 * is blocked.
 */
function isMissingObject(response: { contentType: string; text: string }): boolean {
  const { contentType, text } = response;
  return /\bxml\b/i.test(contentType) && text.includes('<Code>AccessDenied</Code>');
}

function failed(
  reason: UnavailableReason,
  { until = null, isRetryable = false }: { until?: Instant | null; isRetryable?: boolean } = {},
): Attempt {
  return { kind: 'failed', reason, until, isRetryable };
}

/**
 * Returns a delay that starts at two seconds and doubles with each attempt. Jitter reduces it by up
 * to half, so clients don't retry at the same time.
 */
function backoffMs(random: Random, attempt: number): number {
  const fullMs = Math.min(BACKOFF_MS * 2 ** (attempt - 1), BACKOFF_MS_MAX);
  return fullMs / 2 + (random.float() * fullMs) / 2;
}
