import { expect, test } from 'vitest';
import { type ProblemCode, PROBLEMS } from '../../src/http/problems.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { sendRaw, loopbackAddresses } from '../support/hostile/raw-http.ts';
import type { MalformedRequest } from '../support/hostile/random-input.ts';
import { malformedRequests, MALFORMED_KINDS } from '../support/hostile/malformed-requests.ts';
import { residentBytes } from '../support/hostile/resident-memory.ts';
import { serveEmptyStore } from '../support/hostile/served-store.ts';
import { type RawResponse, splitResponses } from '../support/hostile/split-responses.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { sendRequest } from '../support/roles/reader.ts';

const REQUESTS = runSize({ slice: 4_000, whole: 1_000_000 });
/**
 * The test measures memory after each tenth of the requests. The first two tenths are the warm-up.
 */
const POINTS = 10;
const WARM_POINTS = 2;
const MIB = 2 ** 20;
/** After a few hundred requests a process still grows, because some code is not compiled yet. */
const GROWTH_MAX_BYTES = runSize({ slice: 128 * MIB, whole: 32 * MIB });
/** Kinds are random, so a short run may miss the rarest ones. */
const KINDS_LEFT_OUT_MAX = runSize({ slice: 4, whole: 0 });
const AT_ONCE = 12;
const ADDRESSES = loopbackAddresses(24);
const FAULTS_SHOWN = 20;
const TIMEOUT = { timeout: 3_600_000 };

test(
  'responds to each malformed request exactly once with a documented problem, and leaks nothing',
  TIMEOUT,
  async ({ skip }) => {
    const served = await serveEmptyStore();
    if ('missing' in served) return skip(served.missing);
    const { port, key, pid } = served;
    const seed = runSeed();
    const next = malformedRequests(seededRandom(seed), key);
    const faults: string[] = [];
    const seenKinds = new Set<string>();
    const memory: number[] = [];
    const good = { port, key, path: '/v1/calendar/earnings?date=2026-11-20' };
    const first = await sendRequest(good);
    expect(first.status).toBe(200);
    let responseCount = 0;
    let connections = 0;

    async function attack(upTo: number): Promise<void> {
      while (responseCount < upTo && faults.length < FAULTS_SHOWN) {
        const requests = next();
        connections += 1;
        const from = ADDRESSES[connections % ADDRESSES.length];
        const outcome = await sendAll(port, requests, from);
        faults.push(...outcome.faults);
        responseCount += outcome.responseCount;
        for (const { kind } of requests) seenKinds.add(kind);
      }
    }

    for (let point = 1; point <= POINTS; point += 1) {
      const upTo = (REQUESTS * point) / POINTS;
      await Promise.all(Array.from({ length: AT_ONCE }, () => attack(upTo)));
      expect(await sendRequest(good), `seed ${seed}: valid requests still succeed`).toEqual(first);
      memory.push(residentBytes(pid));
    }

    const { hasExited: isOver, errors } = served.state();
    const rest = memory.slice(WARM_POINTS - 1);
    const growth = Math.max(...rest) - (rest[0] ?? 0);
    const figures = memory.map((bytes) => Math.round(bytes / MIB)).join(' ');
    console.info(
      `${responseCount} malformed requests on ${connections} connections, seed ${seed}; idle memory in MiB: ${figures}`,
    );
    expect(faults, `seed ${seed}`).toEqual([]);
    expect([isOver, errors], `seed ${seed}`).toEqual([false, []]);
    const unseen = [...MALFORMED_KINDS, 'the last one'].filter((kind) => !seenKinds.has(kind));
    expect(unseen.length, `seed ${seed}: missing ${unseen.join(', ')}`).toBeLessThanOrEqual(
      KINDS_LEFT_OUT_MAX,
    );
    expect(growth, `seed ${seed}: ${figures} MiB`).toBeLessThan(GROWTH_MAX_BYTES);
  },
);

/**
 * Sends requests on one connection. Returns the number of responses and the faults found in them.
 */
async function sendAll(
  port: number,
  requests: readonly MalformedRequest[],
  from: string | undefined,
): Promise<{ responseCount: number; faults: string[] }> {
  const bytes = requests.map((request) => request.bytes).join('');
  const half = requests.some((request) => request.halfClose);
  const { text, isHung } = await sendRaw(port, { bytes, halfClose: half, from });
  const methods = requests.map(({ method }) => method);
  const { responses, rest } = splitResponses(text, methods);
  const faults = responses.flatMap((response, index) => {
    const request = requests[index];
    if (request === undefined) return ['an extra response'];
    const isLast = index === responses.length - 1;
    const fault = faultOf(request, response) ?? (half ? null : closingFault(response, isLast));
    return fault === null ? [] : [`${request.kind}: ${fault}`];
  });
  if (isHung) faults.push('the connection was left open');
  if (rest !== '') faults.push(`invalid response: ${rest.slice(0, 200)}`);
  if (responses.length === 0) faults.push('no response');
  if (faults.length > 0)
    faults.push(JSON.stringify(requests.map((request) => request.bytes.slice(0, 400))));
  return { responseCount: responses.length, faults };
}

/**
 * Returns a fault if the wrong response closes the connection. The server ignores requests after a
 * closing response, so only the last response may close.
 */
function closingFault({ head }: RawResponse, isLast: boolean): string | null {
  const closes = /\r\nConnection: close(\r\n|$)/i.test(head);
  if (isLast) return closes ? null : 'the last response does not close the connection';
  return closes ? 'a response follows a closing one' : null;
}

function faultOf(request: MalformedRequest, { status, head, body }: RawResponse): string | null {
  if (status < 400 || status > 499) return `${status}: ${body.slice(0, 200)}`;
  if (!/\r\nContent-Type: application\/problem\+json\r\n/i.test(head))
    return `${status} without a problem body`;
  if (!/\r\nX-Content-Type-Options: nosniff\r\n/i.test(head)) return 'security headers are missing';
  const problem = JSON.parse(body) as { code: string; status: number; instance: string };
  const expected = Object.hasOwn(PROBLEMS, problem.code)
    ? PROBLEMS[problem.code as ProblemCode]
    : null;
  if (expected?.status !== status || problem.status !== status) return `${status} ${body}`;
  if (!problem.instance.startsWith('req_')) return `no instance: ${body}`;
  if (/node:|\bat \S+ \(|\.ts:\d/.test(body)) return `a stack trace: ${body}`;
  return request.codes.includes(problem.code as ProblemCode) ? null : `${status} ${problem.code}`;
}
