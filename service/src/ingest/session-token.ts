import type { Clock } from '../platform/clock.ts';
import type { FetchResult, SourceClient, SourceRequest } from '../platform/source-client.ts';
import type { Cooldown } from '../platform/source-cooldown.ts';
import type { SessionTokenConfig } from '../providers/provider.ts';
import { Visit } from './visit.ts';

/** Delay before the next token request after a source issued no token. */
const NO_TOKEN_COOLDOWN_MS = 15 * 60_000;
/** A token is plain text without a space or an opening tag. */
const TOKEN = /^[\x21-\x3b\x3d-\x7e]{6,100}$/;

/**
 * The reason why there is no token, and the time on the monotonic clock until which no token is
 * requested.
 */
interface TokenFailure {
  kind: 'failure';
  reason: Cooldown['reason'];
  untilMs: number;
}

type TokenResult = { kind: 'token'; cookie: string; token: string } | TokenFailure;

/**
 * Adds the session token to requests that need it. The token is fetched on first use, shared by all
 * requests, and renewed once when it has expired. Responses contain the planned URL, without the
 * token, and no cookies. If the source issues no token, it is treated as blocked for a while.
 */
export function withSessionToken(
  source: SourceClient,
  config: SessionTokenConfig,
  deps: { clock: Clock; setting(name: string): string | undefined },
): SourceClient {
  const { consent } = config;
  const hasConsent = consent !== undefined && deps.setting(consent.setting) === consent.value;
  const client = new SessionTokenClient(source, config, { clock: deps.clock, hasConsent });
  return {
    cooldown: () => client.cooldown(),
    fetch: (request) => client.fetch(request),
    clockAheadMs: () => source.clockAheadMs?.() ?? null,
    hostCooldowns: () => source.hostCooldowns?.() ?? new Map(),
    budgetWaitMs: (use) => source.budgetWaitMs?.(use) ?? 0,
    ...(source.refused && { refused: source.refused.bind(source) }),
  };
}

class SessionTokenClient {
  readonly #source: SourceClient;
  readonly #config: SessionTokenConfig;
  readonly #clock: Clock;
  readonly #hasConsent: boolean;
  #cached: Promise<TokenResult> | null = null;
  #refusal: TokenFailure | null = null;

  constructor(
    source: SourceClient,
    config: SessionTokenConfig,
    { clock, hasConsent }: { clock: Clock; hasConsent: boolean },
  ) {
    this.#source = source;
    this.#config = config;
    this.#clock = clock;
    this.#hasConsent = hasConsent;
  }

  cooldown(): Cooldown | null {
    const refusal = this.#refusal;
    const isRefused = refusal !== null && refusal.untilMs > this.#clock.monotonicMs();
    return this.#source.cooldown() ?? (isRefused ? this.#cooldownOf(refusal) : null);
  }

  async fetch(request: SourceRequest): Promise<FetchResult> {
    if (!this.#config.isNeeded(new URL(request.url))) return this.#source.fetch(request);
    const first = await this.#token(request);
    const result = await this.#fetchWith(request, first);
    if (result.kind === 'unavailable' || !this.#config.isExpired(result.response)) return result;
    const newest = this.#cached === null ? null : await this.#cached;
    if (newest === first) this.#cached = null;
    return this.#fetchWith(request, await this.#token(request));
  }

  async #token(request: SourceRequest): Promise<TokenResult> {
    const cached = this.#cached === null ? null : await this.#cached;
    if (cached !== null && this.#isUsable(cached)) return cached;
    const fetching = this.#fetchToken(request);
    this.#cached = fetching;
    return fetching;
  }

  /**
   * Returns true if a cached token or failure can be used. Failures are also cached for a while,
   * unless the request was stopped.
   */
  #isUsable(cached: TokenResult): boolean {
    if (cached.kind === 'token') return true;
    return cached.reason !== 'stopped' && cached.untilMs > this.#clock.monotonicMs();
  }

  async #fetchToken({ signal }: SourceRequest): Promise<TokenResult> {
    const { cookieUrl, headers } = this.#config;
    const visit = new Visit(this.#source, { headers, ...(signal !== undefined && { signal }) });
    const first = await visit.open(cookieUrl);
    if (first.kind === 'unavailable') return this.#failure(first);
    const token = await this.#requestToken(visit);
    if (token !== null) return token;
    return (await this.#consent(visit)) ?? (await this.#requestToken(visit)) ?? this.#noToken();
  }

  /** Returns null if the response is not a token. */
  async #requestToken(visit: Visit): Promise<TokenResult | null> {
    const cookie = visit.cookie();
    if (cookie === '') return null;
    const result = await visit.open(this.#config.tokenUrl);
    if (result.kind === 'unavailable') return this.#failure(result);
    const token = result.response.text.trim();
    if (result.response.status !== 200 || !TOKEN.test(token)) return null;
    return { kind: 'token', cookie, token };
  }

  /** Submits the source's consent form if the operator agreed to it. Returns null if it could. */
  async #consent(visit: Visit): Promise<TokenFailure | null> {
    const { consent } = this.#config;
    if (consent === undefined || !this.#hasConsent) return this.#noToken();
    const page = await visit.open(consent.formUrl);
    if (page.kind === 'unavailable') return this.#failure(page);
    // The form expects the field twice.
    const agreement: [string, string] = ['agree', 'agree'];
    const result = await visit.submit(page.response, [agreement, agreement]);
    return result.kind === 'unavailable' ? this.#failure(result) : null;
  }

  #failure({ reason, retryAt }: Cooldown): TokenFailure {
    const untilMs = this.#clock.monotonicMs() + (retryAt - this.#clock.now());
    return { kind: 'failure', reason, untilMs };
  }

  #noToken(): TokenFailure {
    const untilMs = this.#clock.monotonicMs() + NO_TOKEN_COOLDOWN_MS;
    this.#refusal = { kind: 'failure', reason: 'blocked', untilMs };
    return this.#refusal;
  }

  #cooldownOf({ reason, untilMs }: TokenFailure): Cooldown {
    const waitMs = Math.max(0, untilMs - this.#clock.monotonicMs());
    return { reason, retryAt: this.#clock.now() + waitMs };
  }

  async #fetchWith(request: SourceRequest, result: TokenResult): Promise<FetchResult> {
    if (result.kind === 'failure') return { kind: 'unavailable', ...this.#cooldownOf(result) };
    const { token, cookie } = result;
    const url = new URL(request.url);
    url.searchParams.set(this.#config.parameter, token);
    const headers = { ...request.headers, cookie };
    const fetched = await this.#source.fetch({ ...request, url: url.href, headers });
    if (fetched.kind === 'unavailable') return fetched;
    const { status, contentType, observedAt, text } = fetched.response;
    const redacted = text.replaceAll(token, 'REDACTED');
    const response = { url: request.url, status, contentType, observedAt, text: redacted };
    return { kind: 'response', response };
  }
}
