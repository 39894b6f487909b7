import type { ApiKey } from '../../accounts/keys/api-key.ts';
import type { Clock } from '../../platform/clock.ts';
import { problem, type Problem } from '../problems.ts';
import type { CheckQuota, QuotaDecision } from '../quota.ts';
import type { CompletedRequest } from '../request-context.ts';
import { authenticate, type Authenticator } from '../request/authenticate.ts';
import type { ReadRequest } from '../response/http-response.ts';

/** Name of the messages in the request log and in usage counts. */
const NAME = 'mcp';

export interface AdmissionOptions extends Authenticator {
  clock: Clock;
  checkQuota: CheckQuota;
  nextRequestId: () => string;
  onRequestCompleted: (request: CompletedRequest) => void;
}

export interface AdmittedMessage {
  /** Alternating header names and values for the response. */
  headers: readonly string[];
  /** Records the outcome. Must be called once. */
  complete(status: number): void;
}

/**
 * Authenticates messages to `/mcp` by the rules of the read API, with keys in headers only. A
 * message that reads data is counted and logged by the read API itself. All other messages, such as
 * `initialize` and `tools/list`, count toward the minute quota and are logged as `/mcp`.
 */
export async function admitMessage(
  options: AdmissionOptions,
  request: ReadRequest,
  { readsData }: { readsData: boolean },
): Promise<AdmittedMessage | { refusal: Problem }> {
  const { clock, checkQuota } = options;
  const now = clock.now();
  const startedMs = clock.monotonicMs();
  const authentication = authenticate(options, request, { keyInUrl: null, query: [], now });
  if ('refusal' in authentication) return { refusal: inHeaders(authentication.refusal) };
  if (readsData) return { headers: [], complete: () => undefined };
  const { key } = authentication;
  const { remoteAddress } = request;
  const complete = (status: number): void => {
    const durationMs = clock.monotonicMs() - startedMs;
    options.onRequestCompleted(completedMessage(key, status, { options, now, durationMs }));
  };
  const endpoint = { name: NAME };
  const decision = await checkQuota({ key, endpoint, cost: 'minute', now, remoteAddress });
  return decided(decision, complete);
}

/** Unlike the read API, `/mcp` takes no key in its URL. */
function inHeaders(refusal: Problem): Problem {
  return refusal.code === 'missing-api-key' ? MISSING_API_KEY : refusal;
}

const MISSING_API_KEY = problem(
  'missing-api-key',
  'Send your API key as X-Api-Key or Authorization: Bearer.',
);

function decided(
  decision: QuotaDecision,
  complete: AdmittedMessage['complete'],
): AdmittedMessage | { refusal: Problem } {
  if (decision.kind === 'admitted') return { headers: decision.headers, complete };
  complete(429);
  return { refusal: decision.refusal };
}

function completedMessage(
  key: ApiKey,
  status: number,
  { options, now: at, durationMs }: { options: AdmissionOptions; now: number; durationMs: number },
): CompletedRequest {
  const requestId = options.nextRequestId();
  return { key, method: 'POST', endpoint: NAME, path: '/mcp', status, at, durationMs, requestId };
}
