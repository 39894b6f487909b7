import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeFolder } from '../../src/app/store-kind.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { Db } from '../../src/storage/db.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { scratchFolder, spawnAfterbell } from '../support/afterbell-process.ts';
import { problemsOf, type Seen } from '../support/power/check-store.ts';
import { CrashDisk, type IgnoresSync } from '../support/power/crash-disk.ts';
import {
  type Recording,
  recordFirstStart,
  recordWorkload,
  type Workload,
} from '../support/power/recorded-workload.ts';
import { runSeed, runSize } from '../support/run-size.ts';

const SEED = runSeed();
const IS_WHOLE = runSize({ slice: false, whole: true });
const CUTS = 2 * Number(process.env['AFTERBELL_KILLS'] ?? 3);
const FIRST_START_CUTS = Math.ceil(CUTS / 10);
const CHANGES = runSize({ slice: 30, whole: 100 });
/** Enough cuts for any missing sync to be noticed. */
const PLANTED_CUTS = 60;
/** One in this many crashed stores is also examined by `afterbell doctor`, which takes seconds. */
const CUTS_PER_DOCTOR = 16;
const TIMEOUT = { timeout: 600_000 + CUTS * 30_000 };

test(
  `opens by itself and keeps everything acknowledged after ${CUTS} power failures (seed ${SEED})`,
  TIMEOUT,
  async () => {
    const work = await workload();
    expect(await cutPower(work, { cuts: CUTS, check: checkOf(work), isExamined: true })).toEqual(
      [],
    );
  },
);

test.runIf(IS_WHOLE)(
  `opens by itself after ${FIRST_START_CUTS} power failures in its first start (seed ${SEED})`,
  TIMEOUT,
  async () => {
    const firstStart = await recordFirstStart(50);
    expect(await cutPower(firstStart, { cuts: FIRST_START_CUTS, check: checkRows })).toEqual([]);
  },
);

const PLANTED: [missing: string, ignores: IgnoresSync][] = [['all syncs', () => true]];
if (IS_WHOLE) {
  PLANTED.push(
    ['the syncs of the WAL', (path) => path.includes('/pg_wal')],
    ['the syncs of folders', (_, isFolder) => isFolder],
  );
}

test.each(PLANTED)('notices that %s are missing', TIMEOUT, async (_, ignoresSync) => {
  const work = await workload();
  expect(await cutPower(work, { ...PLANTED_RUN, check: checkOf(work), ignoresSync })).toHaveLength(
    1,
  );
});

test.runIf(IS_WHOLE)('notices that EMBEDDED_SYNC is off', TIMEOUT, async () => {
  const work = await recordWorkload({ seed: SEED, changes: 30, env: { EMBEDDED_SYNC: 'off' } });
  expect(await cutPower(work, { ...PLANTED_RUN, check: checkOf(work) })).toHaveLength(1);
});

const PLANTED_RUN = { cuts: PLANTED_CUTS, failuresMax: 1 };

let recorded: Promise<Workload> | undefined;

/** Records the workload once for all tests. */
function workload(): Promise<Workload> {
  recorded ??= recordWorkload({ seed: SEED, changes: CHANGES });
  return recorded;
}

/** Returns what is wrong with a store, given what clients had seen. */
type CheckStore = (db: Db, seen: object | null) => Promise<string[]>;

function checkOf({ keys, acknowledgedIds }: Workload): CheckStore {
  const nothing: Seen = { changes: [], served: 0, deliveryIds: [] };
  return (db, seen) => problemsOf(db, (seen ?? nothing) as Seen, { ...keys, acknowledgedIds });
}

/** Checks the rows of `writer-child.ts`, two of each number. */
async function checkRows(db: Db, seen: object | null): Promise<string[]> {
  if (seen === null) return [];
  const { rows: acknowledged } = seen as { rows: number };
  const rows = await db.query<{ n: number; rows: number }>(
    'select n, count(*) as rows from kill_row group by n order by n',
  );
  const isWhole = rows.every(({ n, rows: count }, index) => n === index + 1 && count === 2);
  if (isWhole && rows.length >= acknowledged) return [];
  return [`${rows.length} of ${acknowledged} writes are left`];
}

interface CutOptions {
  cuts: number;
  check: CheckStore;
  ignoresSync?: IgnoresSync;
  failuresMax?: number;
  /** True to run `afterbell doctor` on some of the stores. */
  isExamined?: boolean;
}

/** Cuts the power at random moments of a recording, and returns what went wrong after each cut. */
async function cutPower(
  { root, base, records }: Recording,
  { cuts, check, ignoresSync, failuresMax = Infinity, isExamined = false }: CutOptions,
): Promise<string[]> {
  const random = seededRandom(SEED);
  const positions = Array.from({ length: cuts }, () => random.int(records.length));
  const disk = new CrashDisk(root, base, ignoresSync);
  const folder = join(scratchFolder(), 'crashed');
  const failures: string[] = [];
  let seen: object | null = null;
  let position = 0;
  for (const [index, cut] of positions.toSorted((a, b) => a - b).entries()) {
    for (; position < cut; position += 1) {
      const record = records[position];
      if (record?.op === 'note') ({ seen } = record);
      else if (record !== undefined) disk.apply(record);
    }
    rmSync(folder, { recursive: true, force: true });
    disk.crashInto(folder, seededRandom(SEED + cut));
    const problems = await restart(folder, (db) => check(db, seen));
    if (isExamined && index % CUTS_PER_DOCTOR === 0) problems.push(...(await examine(folder)));
    if (problems.length > 0) failures.push(`cut ${cut}: ${problems.slice(0, 3).join('; ')}`);
    if (failures.length >= failuresMax) break;
  }
  process.stderr.write(
    `${JSON.stringify({ ...summaryOf(records), cuts, failures: failures.length })}\n`,
  );
  return failures;
}

/** Opens the files that a power failure has left, and returns what is wrong with them. */
async function restart(folder: string, check: (db: Db) => Promise<string[]>): Promise<string[]> {
  try {
    const db = await openStore({ folder: storeFolder(folder, 'live') });
    try {
      return await check(db);
    } finally {
      await db.close();
    }
  } catch (error) {
    return [`it does not open: ${String(error)}`];
  }
}

/** Only the checks of this store are of interest: it has no sources and old data. */
async function examine(folder: string): Promise<string[]> {
  const args = ['doctor', '--offline', '--json', '--data-dir', folder];
  const command = spawnAfterbell(args, { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') });
  await command.ended;
  const { checks } = JSON.parse(command.output.stdout) as {
    checks: { check: string; state: string; message: string }[];
  };
  const relevant = checks.filter(({ check }) => ['store', 'secrets', 'keys'].includes(check));
  if (relevant.length < 2) return [`doctor: ${command.output.stdout}`];
  return relevant.flatMap(({ check, state, message }) =>
    state === 'broken' ? [`doctor: ${check}: ${message}`] : [],
  );
}

function summaryOf(records: Recording['records']): object {
  const count = (op: string) => records.filter((record) => record.op === op).length;
  const last = records.findLast(({ op }) => op === 'note');
  const seen = last?.op === 'note' ? (last.seen as Partial<Seen>) : {};
  return {
    seed: SEED,
    records: records.length,
    syncs: count('sync'),
    served: seen.served,
    deliveries: seen.deliveryIds?.length,
  };
}
