import { constants } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { constants as systemConstants, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { engineReason, sqlErrorFacts, StoreDamagedError } from '../../errors.ts';
import type {
  WorkerAction,
  WorkerHello,
  WorkerOptions,
  WorkerReply,
  WorkerRequest,
} from './worker-protocol.ts';
import { watchCriticalWrites } from './critical-writes.ts';
import { EngineLog } from './engine-log.ts';
import { prepareFiles } from './prepare-files.ts';
import { SyncedFiles } from './synced-files.ts';

/** Without this, an engine whose files were created by `create-files-worker.ts` would have 4 MB. */
const UNSYNCED_START = [...PGlite.defaultStartParams, '-c', 'shared_buffers=128MB'];
/** Without `-F`, which turns syncs off. Emscripten ignores fdatasync, the WAL's default. */
const SYNCED_START = [
  ...UNSYNCED_START.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

/**
 * Runs PGlite in its own thread, because PGlite's WebAssembly runs each statement to the end
 * without yielding and would block the service on the main thread. Replies are sent in the order of
 * the requests.
 */
async function main(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('This file runs only as a worker thread.');
  const options = workerData as WorkerOptions;
  const log = new EngineLog(options.dataDir);
  let store: PGlite;
  // On Linux, this is the priority of the thread. Elsewhere, it is that of the whole process.
  const { isBackground = false } = options;
  if (isBackground && platform() === 'linux')
    setPriority(systemConstants.priority.PRIORITY_BELOW_NORMAL);
  try {
    store = await openStore(options, log);
  } catch (error) {
    const damage = error instanceof StoreDamagedError ? error.message : log.refusal();
    const hello: WorkerHello =
      damage === null ? { open: false, message: engineReason(error) } : { open: false, damage };
    port.postMessage(hello);
    return port.close();
  }
  let tail: Promise<void> = Promise.resolve();
  let brokeDown: string | null = null;
  watchCriticalWrites(store, (reason) => {
    brokeDown ??= reason;
    // This message is sent before the statement ends, because the statement may never end.
    port.postMessage({ id: 0, ok: false, brokeDown: reason } satisfies WorkerReply);
  });
  port.on('message', (request: WorkerRequest) => {
    tail = tail.then(async () => {
      const { id } = request;
      const reply =
        brokeDown === null ? await handle(store, request) : { id, ok: false as const, brokeDown };
      if ('brokeDown' in reply) ({ brokeDown } = reply);
      port.postMessage(reply, transferables(reply));
      if (request.do === 'close') port.close();
    });
  });
  port.postMessage({ open: true } satisfies WorkerHello);
}

async function openStore(
  { dataDir, snapshotFile, syncs = false }: WorkerOptions,
  log: EngineLog,
): Promise<PGlite> {
  const isOnDisk = !dataDir.startsWith('memory:');
  if (isOnDisk && snapshotFile === undefined) await prepareFiles(dataDir, syncs);
  const snapshot = snapshotFile === undefined ? undefined : await readFile(snapshotFile);
  const store = await PGlite.create({
    dataDir,
    startParams: isOnDisk && syncs ? SYNCED_START : UNSYNCED_START,
    ...(isOnDisk && syncs ? { fs: new SyncedFiles(dataDir) } : {}),
    // Every commit is written to the files before it is acknowledged.
    relaxedDurability: false,
    onStderr: (line) => log.add(line),
    ...(snapshot === undefined ? {} : { loadDataDir: new UnretainedBlob(snapshot) }),
  });
  await store.exec("set time zone 'UTC'; set datestyle to 'ISO, YMD'; set bytea_output to 'hex'");
  // Every page is either in memory or one read away. The planner has no statistics here, and
  // without this setting it would scan whole tables instead of using an index.
  await store.exec('set random_page_cost = 1.1');
  return store;
}

async function handle(store: PGlite, request: WorkerRequest): Promise<WorkerReply> {
  try {
    return { id: request.id, ok: true, ...(await perform(store, request)) };
  } catch (error) {
    const { id } = request;
    if (isBreakdown(error)) return { id, ok: false, brokeDown: engineReason(error) };
    const sql = sqlErrorFacts(error);
    if (sql !== undefined) return { id: request.id, ok: false, sql };
    return { id: request.id, ok: false, message: engineReason(error) };
  }
}

interface ActionResult {
  bytes: Uint8Array<ArrayBuffer>;
  lastCommand: string;
}

function emptyResult(): ActionResult {
  return { bytes: new Uint8Array(0), lastCommand: '' };
}

async function perform(store: PGlite, action: WorkerAction): Promise<ActionResult> {
  switch (action.do) {
    case 'query': {
      // Returns the raw response, because parsing it would take time on this thread.
      const response = await store.execProtocolRaw(action.statement);
      return { bytes: exclusiveBytes(response), lastCommand: '' };
    }
    case 'execute': {
      const results = await store.exec(action.script);
      return { ...emptyResult(), lastCommand: results.at(-1)?.command ?? '' };
    }
    case 'copy': {
      await store.query(`copy ${action.into} from '/dev/blob'`, [], {
        blob: new UnretainedBlob(new TextEncoder().encode(action.lines)),
      });
      return emptyResult();
    }
    case 'copy-out': {
      const { blob } = await store.query(`copy (${action.select}) to '/dev/blob'`);
      const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
      return { ...emptyResult(), bytes };
    }
    case 'copy-files': {
      // Nothing runs between these two calls, so the files are exactly as the checkpoint left them.
      // On disks that can share blocks between files, the copy takes almost no time.
      await store.exec('checkpoint');
      await cp(action.from, action.to, {
        recursive: true,
        mode: constants.COPYFILE_FICLONE,
        filter: (path) => !path.endsWith('postmaster.pid'),
      });
      return emptyResult();
    }
    case 'snapshot': {
      const blob = await store.dumpDataDir('none');
      await writeFile(action.file, new Uint8Array(await blob.arrayBuffer()));
      return emptyResult();
    }
    case 'close': {
      await store.close();
      return emptyResult();
    }
  }
}

/**
 * A Blob that releases its memory as soon as it has been read. The contents of an ordinary Blob are
 * outside the heap and are freed only by garbage collection, which nothing here triggers. A long
 * COPY in parts would keep all parts in memory, and copying a whole store would hold the store in
 * memory twice. PGlite uses only the Blob's bytes.
 */
class UnretainedBlob extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([]);
    this.#bytes = bytes;
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(exclusiveBytes(this.#bytes).buffer);
  }
}

/** Returns the buffers that are transferred to the other thread instead of copied. */
function transferables(reply: WorkerReply): ArrayBuffer[] {
  return reply.ok ? [reply.bytes.buffer] : [];
}

/**
 * Checks whether an error means that the engine can no longer be used. After such an error, a
 * PostgreSQL server would restart all its processes. The embedded engine continues with locks held
 * and files partly written, and then returns no rows or never responds. This has been seen when a
 * full disk stops the WAL.
 */
function isBreakdown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A WebAssembly trap, or the exit of the engine's emulated process.
  if (error.name === 'RuntimeError' || error.name === 'ExitStatus') return true;
  const severity: unknown = Reflect.get(error, 'severity');
  return severity === 'PANIC' || severity === 'FATAL';
}

/** Returns the same bytes in a buffer that contains nothing else. */
function exclusiveBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isExclusive = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isExclusive ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

await main();
