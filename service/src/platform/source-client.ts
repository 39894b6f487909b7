import { createCircuitBreaker } from './circuit-breaker.ts';
import type { Clock } from './clock.ts';
import type { Exchange, ExchangeResult } from './http-exchange.ts';
import { isAllowedUrl } from './http-hosts.ts';
import type { Instant } from './instant.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import type { Random } from './random.ts';
import { readHttpDate, retryAfter } from './retry-after.ts';

/** One source with all its hosts: asked one request at a time, in order, and never too often. */
export interface SourceClient {
  /**
   * Asks for a URL and waits for its turn to do so. What the source does or fails to do is a value.
   * Throws a `RangeError` when the URL is not on the source's list.
   */
  fetch(request: SourceRequest): Promise<FetchResult>;
  /** The reason for which nothing is asked now, and until when; null when there is none. */
  cooldown(): { reason: UnavailableReason; retryAt: Instant } | null;
  /** How far its clock was ahead of ours at its newest answer; null when it has not said. */
  clockAheadMs?(): number | null;
}

export interface SourceOptions {
  name: string;
  /** See `isAllowedUrl`. */
  hosts: readonly string[];
  pace: { intervalMsMin: number; timeoutMs: number; bodyBytesMax: number; cooldownMs: number };
}

export interface SourceRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

export type FetchResult =
  | { kind: 'answer'; answer: SourceResponse }
  | { kind: 'unavailable'; reason: UnavailableReason; retryAt: Instant };

/** `redirected`: sent to a place that is not on the list, or round and round. */
export type UnavailableReason =
  | 'timeout'
  | 'blocked'
  | 'rate-limited'
  | 'server-error'
  | 'too-large'
  | 'network'
  | 'redirected'
  | 'breaker-open'
  | 'stopped';

/** Any status but those that stand for a source out of order: also 404 is an answer. */
export interface SourceResponse {
  /** The URL asked for, not the one a redirect led to. */
  url: string;
  status: number;
  contentType: string;
  observedAt: Instant;
  /** The decoded body. */
  text: string;
  /** `name=value` of each cookie that came along; absent when none did. */
  cookies?: readonly string[];
}

const ATTEMPTS_MAX = 3;
const REDIRECTS_MAX = 3;
const BACKOFF_MS = 2000;
const BACKOFF_MS_MAX = 60_000;
const REST_MS_MAX = 6 * 3_600_000;
const FAILURES_MAX = 5;
const OPEN_MS = 60_000;
const OPEN_MS_MAX = 30 * 60_000;

/** What one attempt came to: final, or worth another. */
type Attempt =
  | { kind: 'answer'; answer: SourceResponse }
  | { kind: 'rest'; reason: 'blocked' | 'rate-limited'; until: Instant | null }
  | { kind: 'failed'; reason: UnavailableReason; until: Instant | null; again: boolean };

export function createSourceClient(
  deps: { clock: Clock; random: Random; exchange: Exchange },
  options: SourceOptions,
): SourceClient {
  const { clock, random } = deps;
  const pace = createRateLimiter({ clock, intervalMsMin: options.pace.intervalMsMin });
  const breaker = createCircuitBreaker({
    clock,
    failuresMax: FAILURES_MAX,
    openMs: OPEN_MS,
    openMsMax: OPEN_MS_MAX,
  });
  let rest: { reason: UnavailableReason; untilMs: number } | null = null;
  let rests = 0;
  let line: Promise<unknown> = Promise.resolve();
  let clockAheadMs: number | null = null;

  const exchange: Exchange = async (request) => {
    const made = await deps.exchange(request);
    const date = made.kind === 'response' ? readHttpDate(made.date ?? '') : null;
    if (date !== null) clockAheadMs = date - clock.now();
    return made;
  };

  function cooldown(): { reason: UnavailableReason; retryAt: Instant } | null {
    const leftMs = (rest?.untilMs ?? 0) - clock.monotonicMs();
    if (rest !== null && leftMs > 0) return { reason: rest.reason, retryAt: clock.now() + leftMs };
    if (breaker.state() !== 'open') return null;
    return { reason: 'breaker-open', retryAt: breaker.probeAt() };
  }

  async function fetchInTurn(request: SourceRequest, url: URL): Promise<FetchResult> {
    for (let attempt = 1; ; attempt++) {
      const pausing = cooldown();
      if (pausing !== null) return { kind: 'unavailable', ...pausing };
      const isProbe = breaker.state() === 'probe';
      const made = await tryOnce({ clock, exchange }, options, pace, request, url);
      if (made.kind === 'answer') {
        rests = 0;
        breaker.succeeded();
        return made;
      }
      if (made.kind === 'rest') return startRest(made.reason, made.until);
      if (made.reason === 'stopped') return unavailable('stopped', clock.now());
      breaker.failed();
      const backoffMs = backoff(random, attempt);
      const waitMs = Math.max(backoffMs, (made.until ?? 0) - clock.now());
      const isLast = !made.again || isProbe || attempt === ATTEMPTS_MAX;
      if (isLast || waitMs > BACKOFF_MS_MAX) {
        if (made.until !== null) startRest(made.reason, made.until);
        return unavailable(made.reason, clock.now() + waitMs);
      }
      await clock.sleep(waitMs, request.signal);
      if (request.signal?.aborted) return unavailable('stopped', clock.now());
    }
  }

  /** The whole source rests: as long as it asks, else twice as long each time. */
  function startRest(reason: UnavailableReason, until: Instant | null): FetchResult {
    const ownMs = Math.min(options.pace.cooldownMs * 2 ** rests, REST_MS_MAX);
    const cooldownMs = until === null ? ownMs : Math.max(until - clock.now(), 1000);
    rests++;
    rest = { reason, untilMs: clock.monotonicMs() + cooldownMs };
    return unavailable(reason, clock.now() + cooldownMs);
  }

  return {
    cooldown,
    clockAheadMs: () => clockAheadMs,
    fetch(request) {
      const url = new URL(request.url);
      if (!isAllowedUrl(url, options.hosts)) {
        throw new RangeError(`${url.host} is not on the list of ${options.name}`);
      }
      const mine = line.then(() => fetchInTurn(request, url));
      line = mine.catch(() => undefined);
      return mine;
    },
  };
}

function unavailable(reason: UnavailableReason, retryAt: Instant): FetchResult {
  return { kind: 'unavailable', reason, retryAt };
}

/** One attempt, redirects within the list included; each request of it waits for its turn. */
async function tryOnce(
  deps: { clock: Clock; exchange: Exchange },
  options: SourceOptions,
  pace: RateLimiter,
  request: SourceRequest,
  start: URL,
): Promise<Attempt> {
  let url = start;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    if (!(await pace.acquire(request.signal))) return failed('stopped', false);
    const { timeoutMs, bodyBytesMax } = options.pace;
    const { headers, signal } = request;
    const made = await deps.exchange({ url, headers, timeoutMs, bodyBytesMax, signal });
    if (signal?.aborted) return failed('stopped', false);
    const target = redirectTarget(made, url);
    if (target === null) return judge(made, request.url, deps.clock.now());
    if (target === 'bad' || !isAllowedUrl(target, options.hosts)) break;
    url = target;
  }
  return failed('redirected', false);
}

function redirectTarget(made: ExchangeResult, from: URL): URL | 'bad' | null {
  if (made.kind !== 'response' || ![301, 302, 303, 307, 308].includes(made.status)) return null;
  if (made.location === undefined || !URL.canParse(made.location, from.href)) return 'bad';
  return new URL(made.location, from);
}

function judge(made: ExchangeResult, url: string, now: Instant): Attempt {
  if (made.kind === 'too-large') return failed('too-large', false);
  if (made.kind !== 'response') return failed(made.kind, true);
  const { status, contentType, text, cookies } = made;
  const until = retryAfter(made.retryAfter, now);
  if (status === 429) return { kind: 'rest', reason: 'rate-limited', until };
  if (status === 403 && !isMissingObject(made)) return { kind: 'rest', reason: 'blocked', until };
  if (status >= 500) return { kind: 'failed', reason: 'server-error', until, again: true };
  const answer: SourceResponse = { url, status, contentType, observedAt: now, text };
  return { kind: 'answer', answer: cookies.length > 0 ? { ...answer, cookies } : answer };
}

/** A file store says 403 with an XML body for what it does not hold: an answer, not a block. */
function isMissingObject(made: { contentType: string; text: string }): boolean {
  return /\bxml\b/i.test(made.contentType) && made.text.includes('<Code>AccessDenied</Code>');
}

function failed(reason: UnavailableReason, again: boolean): Attempt {
  return { kind: 'failed', reason, until: null, again };
}

/** Doubles from two seconds, and takes between half and all of it, so that many do not coincide. */
function backoff(random: Random, attempt: number): number {
  const fullMs = Math.min(BACKOFF_MS * 2 ** (attempt - 1), BACKOFF_MS_MAX);
  return fullMs / 2 + (random.float() * fullMs) / 2;
}
