/**
 * The error thrown for a rejected call, with the details from its problem document. `status` is 0
 * if the service could not be reached.
 */
export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  /** The invalid parameter, if any. */
  readonly parameter: string | null;
  /** The value of the `Retry-After` header, if present. */
  readonly retryAfterSeconds: number | null;

  constructor(facts: {
    code: string;
    status: number;
    detail: string;
    parameter?: string | null;
    retryAfterSeconds?: number | null;
  }) {
    super(facts.detail);
    this.name = 'ApiProblem';
    this.code = facts.code;
    this.status = facts.status;
    this.parameter = facts.parameter ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}

export function unreachable(): ApiProblem {
  return new ApiProblem({
    code: 'unreachable',
    status: 0,
    detail: 'The service didn’t respond. It may be restarting. This page retries automatically.',
  });
}

export async function readProblem(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null);
  const facts = isRecord(body) ? body : {};
  const retryAfter = Number(response.headers.get('Retry-After'));
  return new ApiProblem({
    code: textOf(facts['code']) ?? 'internal-error',
    status: response.status,
    detail: textOf(facts['detail']) ?? `The service responded with HTTP ${response.status}.`,
    parameter: textOf(facts['parameter']),
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  });
}

/** Returns true if the service was unreachable or failed, so a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status >= 500);
}

/**
 * Returns false for statuses that a manual retry won't change, such as forbidden, not found, or
 * gone.
 */
export function canRetry({ status }: ApiProblem): boolean {
  return ![403, 404, 410].includes(status);
}

/** Returns the message to display for any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
