import type { Problem } from './reads.gen.ts';

/** Thrown if the service rejects a request. Use `code` in programs; the message is for people. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  readonly status: number;
  /**
   * Code of the problem, or `no-problem` if the response came from an intermediary such as a proxy.
   */
  readonly code: Problem['code'] | 'no-problem';
  /** The whole problem; null if the response came from an intermediary. */
  readonly problem: Problem | null;
  /** Seconds until a retry can succeed; null if the response does not specify them. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, problem: Problem | null, retryAfterSeconds: number | null) {
    const detail = problem === null ? 'the answer is no problem document' : problem.detail;
    super(`${status} ${problem?.code ?? 'no-problem'}: ${detail}`);
    this.status = status;
    this.code = problem?.code ?? 'no-problem';
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Reads the error from a response that is neither 200 nor 304. */
export async function readErrorOf(response: Response): Promise<ReadError> {
  // If the body is truncated, the response is still reported as an error.
  const text = await response.text().catch(() => '');
  const after = secondsOf(response.headers.get('retry-after'));
  return new ReadError(response.status, problemIn(text), after);
}

function problemIn(text: string): Problem | null {
  try {
    const parsed = JSON.parse(text) as Partial<Problem> | null;
    return typeof parsed?.code === 'string' ? (parsed as Problem) : null;
  } catch {
    return null;
  }
}

/**
 * Parses `Retry-After` in seconds, as the service sends it, or as a date, as a proxy may send it.
 */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}
