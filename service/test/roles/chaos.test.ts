import { expect, onTestFinished, test } from 'vitest';
import { newYorkDate } from '../../src/domain/new-york.ts';
import { createIngest } from '../../src/ingest/ingest.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import { provider as files } from '../../src/providers/files/index.ts';
import type { Db } from '../../src/storage/db.ts';
import { scratchFolder } from '../support/afterbell-process.ts';
import { freePort } from '../support/postgres-cluster.ts';
import { startBalancer } from '../support/roles/balancer.ts';
import { summarize, maxAdmittedPerMinute } from '../support/roles/response-summary.ts';
import { createKey } from '../support/roles/start-role.ts';
import {
  sendRequest,
  type Reader,
  type ObservedResponse,
  startReader,
} from '../support/roles/reader.ts';
import { firstFiles, ROLE_SYMBOLS } from '../support/roles/scripted-files.ts';
import { ingestProcess, type RoleProcess, roleProcess } from '../support/roles/role-process.ts';
import { postgresStore } from '../support/stores.ts';
import { checkEnd, prepareStore, SECRET, startChild } from '../support/webhook-kills.ts';
import { startLedger } from '../support/webhook-ledger.ts';

const SECONDS = Number(process.env['AFTERBELL_SECONDS'] ?? 10);
const SEED = Number(process.env['AFTERBELL_SEED'] ?? 20_261_122);
const TIMEOUT = { timeout: SECONDS * 1_000 + 240_000 };
const HOUR = 3_600_000;
/**
 * Limits small enough that even a short run exceeds both of them. Even a long run can use only a
 * single daily quota.
 */
const SCARCE =
  SECONDS > 60
    ? { name: 'scarce', perMinute: 120, perDay: 900 }
    : { name: 'scarce', perMinute: 20, perDay: 30 };
const WIDE = { name: 'wide', perMinute: 1_000_000, perDay: null };
const clock = systemClock();

test(
  `survives random kills and restarts of two API servers, two workers and two ingesters (seed ${SEED}) without losing data, exceeding a quota or returning an undocumented 5xx`,
  TIMEOUT,
  async ({ skip }) => {
    const store = await postgresStore();
    if ('missing' in store) return skip(store.missing);
    onTestFinished(() => store.db.close());
    await chaos(store);
  },
);

async function chaos({ db, url }: { db: Db; url: string }): Promise<void> {
  const random = seededRandom(SEED);
  const receivers = await startLedger({ secret: SECRET, seed: SEED });
  onTestFinished(receivers.stop);
  const env = { url, folder: scratchFolder(), receivers: receivers.port };
  const keys = [await createKey(db, env, WIDE), await createKey(db, env, SCARCE)] as const;
  await prepareStore({ databaseUrl: url }, receivers.port, SEED, fillFirst);

  const acknowledged = new Map<string, number>();
  let changes = 0;
  const recordChange = (symbol: string, count: number): void => {
    changes += 1;
    acknowledged.set(symbol, Math.max(count, acknowledged.get(symbol) ?? 0));
  };
  const ports = [await freePort(), await freePort()];
  const posts: RoleProcess[] = [
    ...ports.map((port) => roleProcess('serve', env, port)),
    ...[1, 2].map(() => roleProcess('work', env, 0)),
    ...[1, 2].map((seed) => ingestProcess(env, seed, recordChange)),
  ];
  await Promise.all(posts.map((post) => post.start()));
  const balancer = await startBalancer(ports);
  onTestFinished(() => balancer.close());
  while (balancer.readyPorts().length < ports.length) await clock.sleep(50);

  const days = new Set([newYorkDate(clock.now())]);
  const [wide, scarce] = readers(balancer.port, keys, random);
  const stops = await stopRandomly(posts, random);
  days.add(newYorkDate(clock.now()));
  await Promise.all([...wide, ...scarce].map((reader) => reader.stop()));

  const ingesters = posts.filter(({ kind }) => kind === 'ingest');
  for (const post of ingesters) expect(await post.end('SIGTERM')).toBe(0);
  await bothServeTheNewest(db, ports, keys[0]);
  for (const post of posts) expect(await post.end('SIGTERM')).toBe(0);

  const verdict = checkReads(
    [...wide, ...scarce].flatMap((reader) => reader.responses),
    scarce.flatMap((reader) => reader.responses),
    days.size,
  );
  expect(changes, 'changes were ingested').toBeGreaterThan(SECONDS / 2);

  await receivers.calm();
  // This worker's clock is ahead, so all earlier leases and retries are due.
  const drain = startChild({ databaseUrl: url }, receivers.port, {
    drains: true,
    aheadMs: 20 * HOUR,
  });
  expect(await drain.exitCode).toBe(0);
  const ledger = await receivers.ledger();
  const note = `seed ${SEED}`;
  const { deliveries } = await checkEnd({ databaseUrl: url }, ledger, acknowledged, note);
  const figures = { seed: SEED, seconds: SECONDS, ...stops, changes, deliveries };
  process.stderr.write(`${JSON.stringify({ ...figures, posts: ledger.posts, ...verdict })}\n`);
}

/**
 * Checks that every response is documented and that the scarce plan admits no more than its limits.
 */
function checkReads(
  responses: readonly ObservedResponse[],
  scarceResponses: readonly ObservedResponse[],
  days: number,
): Record<string, number> {
  const { undocumented, unexpected, ...figures } = summarize(responses);
  const { successes, refused } = summarize(scarceResponses);
  const note = JSON.stringify({ ...figures, scarce: { successes, refused } });
  expect(undocumented, note).toEqual([]);
  expect(unexpected, note).toEqual([]);
  expect(successes, note).toBeLessThanOrEqual(SCARCE.perDay * days);
  expect(maxAdmittedPerMinute(scarceResponses), note).toBeLessThanOrEqual(SCARCE.perMinute);
  expect(refused, `the limits were reached: ${note}`).toBeGreaterThan(0);
  return { ...figures, scarceSuccesses: successes };
}

async function fillFirst(db: Db): Promise<void> {
  const ingest = createIngest({ db, clock, providers: [files], onCommit: () => undefined });
  for (const response of firstFiles(clock.now())) await ingest(response);
}

/** Starts frequent readers that stay within their plan, and readers that exceed it. */
function readers(
  port: number,
  [wideKey, scarceKey]: readonly [string, string],
  random: Random,
): [Reader[], Reader[]] {
  const pathOf = (): string =>
    `/v1/earnings?symbol=${ROLE_SYMBOLS[random.int(ROLE_SYMBOLS.length)]}`;
  const wide = [1, 2, 3].map(() =>
    startReader(port, { key: wideKey, nextPath: pathOf, pauseMs: 10 }),
  );
  const scarce = [1, 2].map(() =>
    startReader(port, { key: scarceKey, nextPath: pathOf, pauseMs: 40 }),
  );
  return [wide, scarce];
}

/** Stops random processes and restarts them until the test ends. */
async function stopRandomly(
  posts: readonly RoleProcess[],
  random: Random,
): Promise<Record<string, number>> {
  const stops: Record<string, number> = {};
  const endsMs = clock.monotonicMs() + SECONDS * 1_000;
  const returns: Promise<void>[] = [];
  while (clock.monotonicMs() < endsMs) {
    await clock.sleep(300 + random.int(2_500));
    const post = posts[random.int(posts.length)];
    if (post === undefined || !post.isUp() || isLastServer(post, posts)) continue;
    const signal = random.int(3) === 0 ? 'SIGTERM' : 'SIGKILL';
    const name = `${post.kind} ${signal === 'SIGTERM' ? 'ended' : 'killed'}`;
    stops[name] = (stops[name] ?? 0) + 1;
    returns.push(replace(post, signal, random.int(1_500)));
  }
  await Promise.all(returns);
  return stops;
}

/**
 * Checks whether this is the last running server. The test never stops that server, because a test
 * without responses would prove nothing.
 */
function isLastServer(post: RoleProcess, posts: readonly RoleProcess[]): boolean {
  return (
    post.kind === 'serve' && posts.filter((one) => one.kind === 'serve' && one.isUp()).length < 2
  );
}

async function replace(
  post: RoleProcess,
  signal: 'SIGKILL' | 'SIGTERM',
  awayMs: number,
): Promise<void> {
  const code = await post.end(signal);
  expect(code).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL');
  await clock.sleep(awayMs);
  await post.start();
}

/**
 * Checks that both servers learn of all commits, usually within a second, but later on a busy
 * machine.
 */
async function bothServeTheNewest(db: Db, ports: readonly number[], key: string): Promise<void> {
  const rows = await db.query<{ symbol: string; count: string }>(
    `select symbol, revenue_estimate as count from earnings_event where known_to is null`,
  );
  expect(rows).toHaveLength(ROLE_SYMBOLS.length);
  for (const { symbol, count } of rows) {
    for (const port of ports) {
      const served = async (): Promise<unknown> => {
        const { body } = await sendRequest({ port, key, path: `/v1/earnings?symbol=${symbol}` });
        return (JSON.parse(body) as { revenueEstimate: number }[])[0]?.revenueEstimate;
      };
      await expect.poll(served, { message: `${symbol} at ${port}` }).toBe(Number(count));
    }
  }
}
