/** A call that the service refused, as its problem says; `status` 0 when it was not reached. */
export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  /** The part of the request that is meant, where one is. */
  readonly parameter: string | null;
  /** Seconds to wait, where the service says so. */
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
    detail: 'The service did not answer. It may be restarting; this page asks again by itself.',
  });
}

export async function readProblem(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null);
  const facts = isRecord(body) ? body : {};
  const retryAfter = Number(response.headers.get('Retry-After'));
  return new ApiProblem({
    code: textOf(facts['code']) ?? 'internal-error',
    status: response.status,
    detail: textOf(facts['detail']) ?? `The service answered ${response.status}.`,
    parameter: textOf(facts['parameter']),
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  });
}

/** Worth asking again: the service was away or busy. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status >= 500);
}

/** Whether to ask the same again may be answered otherwise: not where one may not, or nothing is. */
export function mayHelp({ status }: ApiProblem): boolean {
  return ![403, 404, 410].includes(status);
}

/** What to show of anything that was thrown. */
export function sayProblem(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
