/**
 * Every error a customer can meet: the one table. Answers, the interface description and the page
 * of errors come from it. A code, once published, keeps its meaning.
 */
export interface ProblemKind {
  status: number;
  title: string;
  /** What it means and how to mend it, for the page of errors. */
  help: string;
}

export const PROBLEMS = {
  'missing-parameter': {
    status: 400,
    title: 'A parameter is missing',
    help: 'The request lacks the parameter named in `parameter`. Add it.',
  },
  'invalid-date': {
    status: 400,
    title: 'Not a date',
    help:
      'A date is a real day written YYYY-MM-DD, of the years 1900 to 2100, or one of the words ' +
      'today, yesterday and tomorrow, which mean New York calendar days. `accepted` lists the forms.',
  },
  'invalid-symbol': {
    status: 400,
    title: 'Not a ticker symbol',
    help:
      'The value cannot be a ticker symbol. Write it as an exchange would, such as AAPL or BRK.B; ' +
      'BRK-B and BRK/B are understood too.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'A part of the request cannot be used',
    help:
      'The parameter named in `parameter` has a value outside its set, was given twice or is badly ' +
      'encoded. `request` stands for the HTTP message itself, `body` for a body where none belongs.',
  },
  'missing-api-key': {
    status: 401,
    title: 'No API key',
    help: 'Send a key: `?apikey=`, or the header `X-Api-Key`, or `Authorization: Bearer`.',
  },
  'invalid-api-key': {
    status: 401,
    title: 'The API key is not valid',
    help:
      'The key is malformed, unknown, revoked or past its expiry. Check that it was copied whole; ' +
      'else create a new one.',
  },
  'not-signed-in': {
    status: 401,
    title: 'Nobody is signed in',
    help:
      'The call is for people who are signed in, or for programs with a key of the scope `manage`, ' +
      'sent as `X-Api-Key` or `Authorization: Bearer`.',
  },
  'api-key-disabled': {
    status: 403,
    title: 'The API key is disabled',
    help: 'The key is known but switched off. Enable it, or use another.',
  },
  'customer-suspended': {
    status: 403,
    title: 'The account is suspended',
    help: 'All keys of this account are refused until the operator lifts the suspension.',
  },
  'ip-not-allowed': {
    status: 403,
    title: 'Not from this address',
    help: 'The key is limited to a list of network addresses and yours is not in it.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'The key may not do this',
    help: 'The key lacks the scope this operation needs. Use a key that has it.',
  },
  forbidden: {
    status: 403,
    title: 'Not yours to do',
    help: 'The role of the caller does not include this, or the page that asked is not of this service.',
  },
  'fresh-password-required': {
    status: 403,
    title: 'Give your password again',
    help: 'The act asks for a password given in the last ten minutes. Confirm it, then repeat the call.',
  },
  'history-window-exceeded': {
    status: 403,
    title: 'Before the history of your plan',
    help:
      'The plan reaches back to `earliestDate`; the request asked for `requestedDate`. Ask for a ' +
      'later date or change the plan.',
  },
  'unknown-symbol': {
    status: 404,
    title: 'Unknown symbol',
    help:
      'No security has this symbol now. `suggestions` holds near ones; `successorSymbol` is set ' +
      'when the symbol was given up for another.',
  },
  'not-found': {
    status: 404,
    title: 'Nothing is here',
    help:
      'There is no such path, or nothing of that id that the caller may see. Paths and their ' +
      'parameters are listed in the documentation.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Not with this method',
    help: 'The path exists but not for this method. The header `Allow` lists the ones it has.',
  },
  'not-acceptable': {
    status: 406,
    title: 'No acceptable format',
    help:
      'The header `Accept` rules out every format of the answer. All are application/json, but for the ' +
      'iCalendar file, which is text/calendar; lists are text/csv too. `*/*` takes any.',
  },
  conflict: {
    status: 409,
    title: 'In conflict with the present state',
    help: 'The change contradicts what is stored now. Read it again and repeat the change.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    help: 'The body of a management call has at most 256 KiB.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Not that media type',
    help: 'The body of a management call is JSON, sent as application/json.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The address is too long',
    help: 'Path and query together may have 2,048 characters.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests a minute',
    help:
      'Wait for `Retry-After` seconds. `violatedPolicies` names the limits that are full; ' +
      '`wrong-keys` is that of an address from which too many keys came that are none.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'The quota is used up',
    help:
      'The quota of the day or month is used up until `resetAt`. `violatedPolicies` names the ' +
      'limits that are full.',
  },
  'too-many-attempts': {
    status: 429,
    title: 'Too many tries',
    help:
      'Too many tries to sign in, too many looks at data, or too many changes in a minute. Wait for ' +
      '`Retry-After` seconds.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    help: 'All headers together may have 8,192 bytes.',
  },
  'internal-error': {
    status: 500,
    title: 'An error on our side',
    help: 'Something failed that should not. It is logged under `instance`; trying again may help.',
  },
  'data-unavailable': {
    status: 503,
    title: 'The data cannot be read now',
    help: 'The store does not answer. Try again after `Retry-After` seconds.',
  },
  'temporary-reduced-capacity': {
    status: 503,
    title: 'Reduced capacity',
    help: 'The service takes fewer requests for a while. Try again after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/** A refusal on its way out: a code, a sentence for this case, members and headers of its own. */
export interface Problem {
  code: ProblemCode;
  detail: string;
  members?: Readonly<Record<string, unknown>>;
  /** Names and values in turn. */
  headers?: readonly string[];
}

export function problem(
  code: ProblemCode,
  detail: string,
  extra: Pick<Problem, 'members' | 'headers'> = {},
): Problem {
  return { code, detail, ...extra };
}

/** Keys, and secrets of webhooks. */
const LOOKS_SECRET = /(eds_(?:live|test)_|whsec_)[\w+/=-]+/gi;

/** Where a code is explained; relative, so that it holds wherever the service stands. */
export function problemType(code: ProblemCode): string {
  return `/errors/${code}`;
}

/**
 * The body of RFC 9457. `instance` is the request id, which is also in the log. Names and values of
 * the request stand in it, and keys do end up in the wrong place: they are taken out.
 */
export function renderProblem(problem: Problem, instance: string): Buffer {
  const kind = PROBLEMS[problem.code];
  const body = {
    type: problemType(problem.code),
    title: kind.title,
    status: kind.status,
    code: problem.code,
    detail: problem.detail,
    instance,
    ...problem.members,
  };
  return Buffer.from(JSON.stringify(body).replaceAll(LOOKS_SECRET, '$1…'));
}
