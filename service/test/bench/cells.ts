import { readdirSync, readFileSync } from 'node:fs';
import { moveCustomer } from '../../src/app/cell-moves/move-customer.ts';
import { webhookFacts } from '../../src/app/webhook-facts.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Db } from '../../src/storage/db.ts';
import { type CellWorld, cellWorld } from '../support/cells/cell-world.ts';
import { ROLE_SYMBOLS } from '../support/roles/scripted-files.ts';
import { prepareStore } from '../support/webhook-kills.ts';
import type { Bench } from './bench.ts';

const NAMES = ['one', 'two', 'three'];
const CHANGES = 300;
const MOVES = 20;
const CLOSED_MS_MAX = 1_000;
/** The unit of /proc/PID/stat on Linux. */
const MS_PER_TICK = 10;
const clock = systemClock();

/**
 * Measures what each cell costs: the time from the commit of a change in the gathering store until
 * all cells have it, and the processor time of the senders and of the cells per change, with one, two
 * and three cells on one server. Then moves a customer to and fro and measures how long its requests
 * get 503. The server does not sync its log, so the times are those of the work alone.
 */
export const bench: Bench = {
  name: 'cells',
  target: `requests of a moved customer get 503 for < ${CLOSED_MS_MAX} ms`,
  async run() {
    const figures: Record<string, string | number> = {};
    for (let count = 1; count <= NAMES.length; count += 1) {
      const world = await cellWorld(NAMES.slice(0, count));
      try {
        Object.assign(figures, await replicate(world, count));
        if (count === 2) Object.assign(figures, await moveToAndFro(world));
      } finally {
        await world.close();
      }
    }
    return { passed: Number(figures['closedMsMax']) < CLOSED_MS_MAX, figures };
  },
};

async function replicate(world: CellWorld, count: number): Promise<Record<string, string>> {
  for (let warmUp = 0; warmUp < 20; warmUp += 1) await change(world);
  const before = serverTimes(world.server.port);
  const delays: number[] = [];
  for (let done = 0; done < CHANGES; done += 1) delays.push(await change(world));
  const after = serverTimes(world.server.port);
  const perChange = (kind: keyof typeof after) =>
    ((after[kind] - before[kind]) / CHANGES).toFixed(2);
  return {
    [`delayMsP50Of${count}`]: quantile(delays, 0.5).toFixed(1),
    [`delayMsP99Of${count}`]: quantile(delays, 0.99).toFixed(1),
    [`sendersCpuMsOf${count}`]: perChange('senders'),
    [`cellsCpuMsOf${count}`]: perChange('appliers'),
  };
}

/** Stores a change. Returns the milliseconds from its commit until all cells have it. */
async function change(world: CellWorld): Promise<number> {
  const symbol = ROLE_SYMBOLS[Math.floor(Math.random() * ROLE_SYMBOLS.length)] ?? '';
  await world.change(symbol);
  const committedMs = performance.now();
  const newest = await newestChange(world.gathering.db);
  const delays = world.cells.map(async ({ db }) => {
    while ((await newestChange(db)) < newest);
    return performance.now() - committedMs;
  });
  return Math.max(...(await Promise.all(delays)));
}

async function newestChange(db: Db): Promise<number> {
  const [row] = await db.query<{ id: number }>('select max(id) as id from change_record');
  return row?.id ?? 0;
}

async function moveToAndFro(world: CellWorld): Promise<Record<string, string>> {
  const [one, two] = world.cells;
  if (one === undefined || two === undefined) throw new Error('a move needs two cells');
  await prepareStore({ databaseUrl: one.url }, 9, 1, async () => undefined);
  const closed: number[] = [];
  for (let move = 0; move < MOVES; move += 1) {
    const [from, to] = move % 2 === 0 ? [one, two] : [two, one];
    const { closedMs } = await moveCustomer({
      from: from.db,
      to: to.db,
      customerId: 'cus_0',
      toUrl: null,
      clock,
      webhooks: webhookFacts({ webhookPorts: [], webhookDevAllow: [], webhookDeny: [] }),
      token: `move_${move}`,
      onStep: () => undefined,
    });
    closed.push(closedMs ?? Number.NaN);
  }
  return {
    closedMsP50: quantile(closed, 0.5).toFixed(0),
    closedMsMax: Math.max(...closed).toFixed(0),
  };
}

/** Returns milliseconds of processor time used by running processes of the server. */
function serverTimes(port: number): { senders: number; appliers: number } {
  const times = { senders: 0, appliers: 0 };
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const title = readIfRunning(`/proc/${pid}/cmdline`);
    if (!title.startsWith('postgres:')) continue;
    const parent = / (\d+) /.exec(readIfRunning(`/proc/${pid}/stat`).replace(/^.*\) \S/, ''))?.[1];
    if (!readIfRunning(`/proc/${parent}/cmdline`).includes(String(port))) continue;
    if (title.includes('walsender')) times.senders += cpuMs(pid);
    if (title.includes('logical replication')) times.appliers += cpuMs(pid);
  }
  return times;
}

function cpuMs(pid: string): number {
  const fields = readIfRunning(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

function readIfRunning(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
