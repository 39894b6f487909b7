import { CALLS, type Calls } from './calls.gen.ts';
import { readProblem, unreachable } from './problem.ts';
import { recordServerDate } from './server-clock.ts';

export type CallName = keyof Calls;
export type ResponseData<N extends CallName> = Calls[N]['response'];

/**
 * The path, query, and body parameters of a call. Parts that the call doesn't take must be omitted.
 */
export type Input<N extends CallName> = Part<'path', Calls[N]['path']> &
  Part<'query', Calls[N]['query']> &
  Part<'body', Calls[N]['body']>;

type Part<Name extends string, T> = T extends null
  ? { [K in Name]?: never }
  : Record<string, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

interface LooseInput {
  path?: object;
  query?: object;
  body?: object;
}

/**
 * Calls the management API. Sends `customerId` with account-scoped calls; null means the user's own
 * account. Rejects with an `ApiProblem`.
 */
export async function call<N extends CallName>(
  name: N,
  input: Input<N>,
  options: { customerId: string | null; signal?: AbortSignal },
): Promise<ResponseData<N>> {
  const { method } = CALLS[name];
  const { body } = input as LooseInput;
  const sentAt = Date.now();
  const response = await fetch(callUrl(name, input, options.customerId), {
    method,
    credentials: 'same-origin',
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }).catch((error: unknown) => {
    if (options.signal?.aborted === true) throw error;
    throw unreachable();
  });
  recordServerDate(response.headers.get('Date'), sentAt, Date.now());
  if (!response.ok) throw await readProblem(response);
  const text = await response.text();
  return (text === '' ? null : JSON.parse(text)) as ResponseData<N>;
}

/** Returns the URL for a call, for example to use as a download link. */
export function callUrl<N extends CallName>(
  name: N,
  input: Input<N>,
  customerId: string | null,
): string {
  const definition = CALLS[name];
  const { path = {}, query = {} } = input as LooseInput;
  const parts = new Map<string, unknown>(Object.entries(path));
  const pathname = definition.path.replaceAll(/\{(\w+)\}/g, (_all, part: string) =>
    encodeURIComponent(String(parts.get(part))),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  }
  if (definition.ofCustomer === true && customerId !== null) search.set('customerId', customerId);
  const text = search.toString();
  return text === '' ? pathname : `${pathname}?${text}`;
}
