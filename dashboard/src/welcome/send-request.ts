/** The response to a request sent from the page. */
export interface ApiResponse {
  status: number;
  durationMs: number;
  /** The selected response headers, in order. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The response body. JSON is indented. */
  text: string;
}

/** The response headers to show, in order. */
const SHOWN_HEADERS = [
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

/** Sends a request as an API client would, with the key but without the session cookie. */
export async function sendRequest(path: string, key: string): Promise<ApiResponse> {
  const startMs = performance.now();
  const response = await fetch(path, {
    headers: { 'X-Api-Key': key },
    credentials: 'omit',
    cache: 'no-store',
  });
  const body = await response.text();
  const durationMs = performance.now() - startMs;
  const headers = SHOWN_HEADERS.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { status: response.status, durationMs, headers, text: indentJson(body) };
}

function indentJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
