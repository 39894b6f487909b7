import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { storeFolder } from '../../../src/app/store-kind.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { openPglite } from '../../../src/storage/engines/pglite/pglite.ts';
import { createPrivateFolder, engineFolder } from '../../../src/storage/folder/store-files.ts';
import { scratchFolder } from '../afterbell-process.ts';
import {
  attackedEnv,
  type AttackedService,
  fillStore,
  type Keys,
  startAttacked,
} from '../attack/attacked-service.ts';
import { snapshotFile } from '../stores.ts';
import { prepareStore, SECRET } from '../webhook-kills.ts';
import { type Receivers, startReceivers } from '../webhook-receiver.ts';
import type { Seen } from './check-store.ts';
import { type FileTree, readTree } from './crash-disk.ts';
import { appendToDiskLog, type LoggedRecord, readDiskLog } from './disk-log.ts';

const HOOK = fileURLToPath(new URL('./disk-recorder.ts', import.meta.url));
const clock = systemClock();

export interface Recording {
  /** The recorded folder. */
  root: string;
  /** The folder's files at the start. */
  base: FileTree;
  records: LoggedRecord[];
}

export interface Workload extends Recording {
  keys: Keys;
  /** Ids that were acknowledged with a 2xx in the whole run. */
  acknowledgedIds: ReadonlySet<string>;
}

/**
 * Records the service at work: it ingests changes, delivers them and counts metered requests. It is
 * killed, restarted, stopped, started and killed again, and runs checkpoints.
 */
export async function recordWorkload(options: {
  seed: number;
  /** Acknowledged changes in each of the three runs. */
  changes: number;
  env?: Record<string, string>;
}): Promise<Workload> {
  const { seed, changes, env = {} } = options;
  const root = join(scratchFolder(), 'data');
  const log = join(scratchFolder(), 'log');
  const receivers = await startReceivers(SECRET);
  onTestFinished(() => receivers.close());
  const keys = await prepare(root, receivers.port, seed);
  const base = readTree(root);
  let served = 0;
  for (const [index, ends] of (['kill', 'end', 'kill'] as const).entries()) {
    const service = await startAttacked({
      orders: {
        flags: { dataDir: root },
        env: { ...attackedEnv(receivers), ...env },
        seed: seed + index,
        changesPerCheckpoint: Math.ceil(changes / 3),
      },
      keys,
      execArgv: ['--liftoff-only', '--import', HOOK],
      childEnv: { AFTERBELL_TEST_RECORDED: root, AFTERBELL_TEST_DISK_LOG: log },
    });
    onTestFinished(service.kill);
    const seen = (): Seen => seenOf(service, receivers, served);
    await noteUntil(log, seen, () => service.counts.changes >= changes);
    if (ends === 'kill') await service.killAndWait();
    else await service.end();
    appendToDiskLog(log, { op: 'note', seen: seen() });
    ({ served } = seen());
  }
  return {
    root,
    base,
    records: readDiskLog(log),
    keys,
    acknowledgedIds: receivers.acknowledgedIds,
  };
}

/**
 * Records the first start of a store, which is killed after this number of acknowledged writes. The
 * files are created from scratch.
 */
export async function recordFirstStart(writes: number): Promise<Recording> {
  const root = join(scratchFolder(), 'data');
  const log = join(scratchFolder(), 'log');
  const script = fileURLToPath(new URL('../writer-child.ts', import.meta.url));
  const args = ['--liftoff-only', '--import', HOOK, script, storeFolder(root, 'live')];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      STORE_SEED: '',
      AFTERBELL_TEST_RECORDED: root,
      AFTERBELL_TEST_DISK_LOG: log,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'open') continue;
    appendToDiskLog(log, { op: 'note', seen: { rows: Number(line) } });
    if (Number(line) === writes) child.kill('SIGKILL');
  }
  await exited;
  return { root, base: new Map(), records: readDiskLog(log) };
}

async function prepare(root: string, port: number, seed: number): Promise<Keys> {
  const folder = storeFolder(root, 'live');
  await createPrivateFolder(folder);
  // Creating the files and the schema takes seconds.
  const created = await openPglite({
    dataDir: engineFolder(folder),
    snapshotFile: await snapshotFile(),
  });
  await created.close();
  let keys: Keys | undefined;
  await prepareStore({ folder }, port, seed, async (db) => {
    keys = await fillStore(db);
  });
  if (keys === undefined) throw new Error('the store is empty');
  return keys;
}

function seenOf(service: AttackedService, receivers: Receivers, servedBefore: number): Seen {
  const successes = service.monthResponses().filter(({ status }) => status === 200);
  return {
    changes: [...service.acknowledged],
    served: servedBefore + successes.length,
    deliveryIds: [...receivers.acknowledgedIds],
  };
}

/** Adds what clients have seen to the log whenever it has changed. */
async function noteUntil(log: string, seen: () => Seen, isDone: () => boolean): Promise<void> {
  let last = '';
  while (!isDone()) {
    const current = seen();
    const text = JSON.stringify(current);
    if (text !== last) appendToDiskLog(log, { op: 'note', seen: current });
    last = text;
    await clock.sleep(5);
  }
}
