/**
 * An error in the public API. Responses, the OpenAPI document and the errors page are generated
 * from the table of all errors. The meaning of a published code never changes.
 */
export interface ProblemKind {
  status: number;
  title: string;
  /** Explanation of the error and how to fix it, for the errors page. */
  help: string;
}

export const PROBLEMS = {
  'missing-parameter': {
    status: 400,
    title: 'Missing parameter',
    help: 'A required parameter is missing. `parameter` names it.',
  },
  'invalid-date': {
    status: 400,
    title: 'Invalid date',
    help:
      'A date must be a calendar day in the form YYYY-MM-DD, from 1900 to 2100, or one of the words ' +
      'today, yesterday and tomorrow, which refer to New York calendar days. `accepted` lists the forms.',
  },
  'invalid-symbol': {
    status: 400,
    title: 'Invalid ticker symbol',
    help:
      'The value is not a valid ticker symbol. Write it as the exchange does, such as AAPL or BRK.B. ' +
      'BRK-B and BRK/B are accepted too.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    help:
      'The parameter named in `parameter` has an invalid value, appears more than once or is not ' +
      'encoded correctly. The name `request` refers to the HTTP message itself, and `body` to a ' +
      'request body that is invalid or not allowed.',
  },
  'not-known-yet': {
    status: 400,
    title: 'Not known yet',
    help:
      'The instant in `asOf` is before the first data of this service. `earliestAsOf` is the first ' +
      'instant that you can request; it is null if the service has no data. With `known=public`, ' +
      'you can request earlier instants.',
  },
  'missing-api-key': {
    status: 401,
    title: 'Missing API key',
    help:
      'The request has no API key. Send one in the `X-Api-Key` header, as `Authorization: Bearer`, or ' +
      'in the `apikey` query parameter.',
  },
  'invalid-api-key': {
    status: 401,
    title: 'Invalid API key',
    help:
      'The API key is malformed, unknown, revoked or expired. Check that you copied the whole key, or ' +
      'create a new one.',
  },
  'not-signed-in': {
    status: 401,
    title: 'Not signed in',
    help:
      'The call requires a signed-in user, or an API key with the `manage` scope, sent as `X-Api-Key` ' +
      'or `Authorization: Bearer`.',
  },
  'api-key-disabled': {
    status: 403,
    title: 'API key disabled',
    help: 'The API key is disabled. Enable it, or use another key.',
  },
  'customer-suspended': {
    status: 403,
    title: 'Account suspended',
    help: 'The account is suspended, and all its API keys are rejected until the operator reinstates it.',
  },
  'ip-not-allowed': {
    status: 403,
    title: 'IP address not allowed',
    help: 'The API key is restricted to a list of IP addresses that does not include yours.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'Insufficient scope',
    help: 'The API key does not have the scope that this operation requires. Use a key that has it.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    help: 'Your role does not allow this operation, or the request came from a page of another site.',
  },
  'second-factor-required': {
    status: 403,
    title: 'Two-factor authentication required',
    help:
      'This service requires two-factor authentication for your role. Set it up on the Security page, ' +
      'then repeat the call.',
  },
  'fresh-password-required': {
    status: 403,
    title: 'Password confirmation required',
    help:
      'This operation requires that you confirmed your password in the last ten minutes. Confirm it, ' +
      'then repeat the call.',
  },
  'history-window-exceeded': {
    status: 403,
    title: 'Outside the history of your plan',
    help:
      'The request asks for `requestedDate`, but your plan includes data from `earliestDate` on. ' +
      'Request a later date, or upgrade your plan.',
  },
  'unknown-symbol': {
    status: 404,
    title: 'Unknown symbol',
    help:
      'No security currently has this symbol. `suggestions` lists similar symbols. `successorSymbol` ' +
      'is set if the symbol was replaced by another one. A sandbox has a simulated market without ' +
      'real companies such as AAPL: there, `suggestions` lists symbols that exist.',
  },
  'unknown-watchlist': {
    status: 404,
    title: 'Unknown watchlist',
    help:
      'Your account has no watchlist with the name in `watchlist`. `GET /account/v1/watchlists` lists ' +
      'the watchlists that you can use as `symbols=@name`.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    help:
      'The path does not exist, or there is no object with this id that you have access to. The ' +
      'documentation lists all paths and their parameters.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    help: 'The path does not support this method. The `Allow` header lists the supported methods.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    help:
      'The `Accept` header excludes every format of the response. All responses are available as ' +
      'application/json, except the iCalendar file (text/calendar), the Atom feed ' +
      '(application/atom+xml) and files. Lists are also available as text/csv. `*/*` accepts any format.',
  },
  'customer-moved': {
    status: 421,
    title: 'Account moved',
    help:
      'The account has moved to another part of this service, `cell`. Send the request to `movedTo`; if it ' +
      'is null, your operator has the address.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'Range not satisfiable',
    help: 'The requested range begins after the end of the file. `Content-Range` has its size.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    help: 'The change conflicts with the current state of the object. Read it again and retry.',
  },
  'idempotency-key-in-use': {
    status: 409,
    title: 'Idempotency key in use',
    help:
      'A call with the same `Idempotency-Key` is still running, or was interrupted after it took ' +
      'effect. With `Retry-After`, repeat the call; otherwise read the state of the object first.',
  },
  'position-lost': {
    status: 410,
    title: 'Position lost',
    help:
      'The change named in `since` or `Last-Event-ID` is not in the history of this service, because its ' +
      'store was restored from a backup or failed over to a standby. Load the data you follow again, ' +
      'then continue after the change in `resumeAfter`.',
  },
  'body-too-large': {
    status: 413,
    title: 'Request body too large',
    help: 'The request body of a management call is limited to 256 KiB.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    help: 'The request body of a management call must be JSON, sent as application/json.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URL too long',
    help: 'Path and query together are limited to 2,048 characters.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    help:
      'The `Idempotency-Key` was used in the last 24 hours for a call with another path, query or ' +
      'body. Use a new key for each call.',
  },
  'rate-limited': {
    status: 429,
    title: 'Rate limit exceeded',
    help:
      'Wait for the number of seconds in `Retry-After`. `violatedPolicies` lists the limits that were ' +
      'reached; `wrong-keys` is the limit on requests with an invalid API key from one IP address, and ' +
      '`compute` the computing time of the plan: `limit` is then in milliseconds per minute, and ' +
      'cached responses are still served.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'Quota exceeded',
    help:
      'The quota of the day or month is used up until `resetAt`. `violatedPolicies` lists the limits ' +
      'that were reached.',
  },
  'too-many-attempts': {
    status: 429,
    title: 'Too many attempts',
    help:
      'There were too many sign-in attempts, data views or changes within a minute. Wait for the ' +
      'number of seconds in `Retry-After`.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request headers too large',
    help: 'All request headers together are limited to 8,192 bytes.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    help:
      'Something went wrong on our side. The error is logged under `instance`. Retrying the request ' +
      'may help.',
  },
  'data-unavailable': {
    status: 503,
    title: 'Data unavailable',
    help: 'The data store is temporarily unavailable. Retry after the number of seconds in `Retry-After`.',
  },
  'customer-moving': {
    status: 503,
    title: 'Account is moving',
    help:
      'The account is moving to another part of this service, which takes less than a second. Retry after ' +
      'the number of seconds in `Retry-After`.',
  },
  'temporary-reduced-capacity': {
    status: 503,
    title: 'Temporarily reduced capacity',
    help:
      'The service accepts fewer requests for a while. Retry after the number of seconds in ' +
      '`Retry-After`.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/**
 * A problem response before it is rendered: its code, a detail for this case, and extra members and
 * headers.
 */
export interface Problem {
  code: ProblemCode;
  detail: string;
  members?: Readonly<Record<string, unknown>>;
  /** Alternating header names and values. */
  headers?: readonly string[];
}

export function problem(
  code: ProblemCode,
  detail: string,
  extra: Pick<Problem, 'members' | 'headers'> = {},
): Problem {
  return { code, detail, ...extra };
}

/** Matches API keys and webhook secrets. */
const SECRET_PATTERN = /(eds_(?:live|test)_|whsec_)[\w+/=-]+/gi;

/** Returns the URL of the page that explains a code. It is relative if the base URL is unknown. */
export function problemType(code: ProblemCode, publicUrl: string | null = null): string {
  return `${publicUrl ?? ''}/errors/${code}`;
}

/**
 * Renders the body according to RFC 9457. `instance` is the request ID, which also appears in the
 * log. Anything that looks like a key is redacted, because a request may contain a key in an
 * unexpected place.
 */
export function renderProblem(
  problem: Problem,
  { instance, publicUrl }: { instance: string; publicUrl: string | null },
): Buffer {
  const kind = PROBLEMS[problem.code];
  const body = {
    type: problemType(problem.code, publicUrl),
    title: kind.title,
    status: kind.status,
    code: problem.code,
    detail: problem.detail,
    instance,
    ...problem.members,
  };
  return Buffer.from(JSON.stringify(body).replaceAll(SECRET_PATTERN, '$1…'));
}

/** Returns the problem with more headers, as alternating names and values. */
export function withHeaders(refusal: Problem, headers: readonly string[]): Problem {
  return { ...refusal, headers: [...(refusal.headers ?? []), ...headers] };
}
