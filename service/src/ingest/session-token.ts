import type { Clock } from '../platform/clock.ts';
import type { FetchResult, SourceClient } from '../platform/source-client.ts';
import type { SessionTokenConfig } from '../providers/provider.ts';

/** A source that gives no pass is not asked for one again before this. */
const NO_PASS_REST_MS = 15 * 60_000;
/** Bare text without a space or an opening tag. */
const TOKEN = /^[\x21-\x3b\x3d-\x7e]{6,100}$/;

type Request = Parameters<SourceClient['fetch']>[0];
type Unavailable = Extract<FetchResult, { kind: 'unavailable' }>;
type Held =
  | { kind: 'pass'; cookie: string; token: string }
  /** Why there is none, and how long that holds by the clock that never steps. */
  | { kind: 'none'; reason: Unavailable['reason']; untilMs: number };

/**
 * The same source, asked with its pass where it wants one: fetched at the first need, shared by all
 * requests, renewed once when it is worn out. Answers bear the URL that was planned, without the
 * token, and their cookies are left behind. No pass means the source blocks us, for a while.
 */
export function withSessionToken(
  source: SourceClient,
  pass: SessionTokenConfig,
  clock: Clock,
): SourceClient {
  let held: Promise<Held> | null = null;
  let refused: Extract<Held, { kind: 'none' }> | null = null;

  async function holdPass(request: Request): Promise<Held> {
    const before = held === null ? null : await held;
    if (before !== null && isOfUse(before)) return before;
    const fetching = fetchPass(request);
    held = fetching;
    return fetching;
  }

  /** That there is none holds for a while too, unless somebody just hung up. */
  function isOfUse(known: Held): boolean {
    if (known.kind === 'pass') return true;
    return known.reason !== 'stopped' && known.untilMs > clock.monotonicMs();
  }

  async function fetchPass({ signal }: Request): Promise<Held> {
    const { cookieUrl, tokenUrl, headers } = pass;
    const until = signal === undefined ? {} : { signal };
    const door = await source.fetch({ url: cookieUrl, headers, ...until });
    if (door.kind === 'unavailable') return noneFor(door);
    const cookie = (door.response.cookies ?? []).join('; ');
    if (cookie === '') return noneGiven();
    const desk = await source.fetch({ url: tokenUrl, headers: { ...headers, cookie }, ...until });
    if (desk.kind === 'unavailable') return noneFor(desk);
    const token = desk.response.text.trim();
    if (desk.response.status !== 200 || !TOKEN.test(token)) return noneGiven();
    return { kind: 'pass', cookie, token };
  }

  function noneFor({ reason, retryAt }: Unavailable): Held {
    return { kind: 'none', reason, untilMs: clock.monotonicMs() + (retryAt - clock.now()) };
  }

  function noneGiven(): Held {
    const untilMs = clock.monotonicMs() + NO_PASS_REST_MS;
    refused = { kind: 'none', reason: 'blocked', untilMs };
    return refused;
  }

  function restOf({ reason, untilMs }: Extract<Held, { kind: 'none' }>) {
    return { reason, retryAt: clock.now() + Math.max(0, untilMs - clock.monotonicMs()) };
  }

  async function fetchWith(request: Request, known: Held): Promise<FetchResult> {
    if (known.kind === 'none') return { kind: 'unavailable', ...restOf(known) };
    const url = new URL(request.url);
    url.searchParams.set(pass.parameter, known.token);
    const headers = { ...request.headers, cookie: known.cookie };
    const result = await source.fetch({ ...request, url: url.href, headers });
    if (result.kind === 'unavailable') return result;
    const { status, contentType, observedAt, text } = result.response;
    const answer = { url: request.url, status, contentType, observedAt };
    return {
      kind: 'response',
      response: { ...answer, text: text.replaceAll(known.token, 'REDACTED') },
    };
  }

  return {
    ...source,
    cooldown() {
      const isRefused = refused !== null && refused.untilMs > clock.monotonicMs();
      return source.cooldown() ?? (isRefused && refused !== null ? restOf(refused) : null);
    },
    async fetch(request) {
      if (!pass.isNeeded(new URL(request.url))) return source.fetch(request);
      const first = await holdPass(request);
      const result = await fetchWith(request, first);
      if (result.kind === 'unavailable' || !pass.isExpired(result.response)) return result;
      const newest = held === null ? null : await held;
      if (newest === first) held = null;
      return fetchWith(request, await holdPass(request));
    },
  };
}
