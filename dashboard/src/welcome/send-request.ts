/** What a request of the page was answered with. */
export interface Sent {
  status: number;
  durationMs: number;
  /** The headers that say how much is left, in their order. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The body, indented where it is JSON. */
  text: string;
}

/** Those of the answer's headers that are worth showing here. */
const SHOWN = [
  'Content-Type',
  'X-Request-Id',
  'X-Data-Source',
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
];

/** Asks a read endpoint from the page as a program would: with the key, without the session. */
export async function sendRequest(path: string, key: string): Promise<Sent> {
  const begun = performance.now();
  const response = await fetch(path, {
    headers: { 'X-Api-Key': key },
    credentials: 'omit',
    cache: 'no-store',
  });
  const body = await response.text();
  const durationMs = performance.now() - begun;
  const headers = SHOWN.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { status: response.status, durationMs, headers, text: indented(body) };
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
