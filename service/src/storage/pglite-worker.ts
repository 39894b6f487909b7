import { constants } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { sqlErrorFacts } from './errors.ts';
import type {
  WorkerAction,
  WorkerHello,
  WorkerOptions,
  WorkerReply,
  WorkerRequest,
} from './pglite-protocol.ts';
import { watchVitalWrites } from './pglite-vital-writes.ts';
import { encodeBytes, parserTable } from './types.ts';

/**
 * The thread PGlite lives in: its WebAssembly runs a statement to the end without yielding, which
 * on the main thread would stop the service. Requests are answered in the order they arrive.
 */
async function main(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('This file is a worker; it is not started by itself.');
  let store: PGlite;
  try {
    store = await openStore(workerData as WorkerOptions);
  } catch (error) {
    port.postMessage({ open: false, message: messageOf(error) } satisfies WorkerHello);
    return port.close();
  }
  let tail: Promise<void> = Promise.resolve();
  let brokeDown: string | null = null;
  watchVitalWrites(store, (reason) => {
    brokeDown ??= reason;
    // Told from within the statement, which may never end.
    port.postMessage({ id: 0, ok: false, brokeDown: reason } satisfies WorkerReply);
  });
  port.on('message', (request: WorkerRequest) => {
    tail = tail.then(async () => {
      const { id } = request;
      const reply =
        brokeDown === null ? await answer(store, request) : { id, ok: false as const, brokeDown };
      if ('brokeDown' in reply) ({ brokeDown } = reply);
      port.postMessage(reply, transferables(reply));
      if (request.do === 'close') port.close();
    });
  });
  port.postMessage({ open: true } satisfies WorkerHello);
}

async function openStore(options: WorkerOptions): Promise<PGlite> {
  const snapshot =
    options.snapshotFile === undefined ? undefined : await readFile(options.snapshotFile);
  const store = await PGlite.create({
    dataDir: options.dataDir,
    // Every commit is written to the files before it is acknowledged. PGlite never calls fsync, so
    // this holds against the death of the process, not against the loss of power.
    relaxedDurability: false,
    ...(snapshot === undefined ? {} : { loadDataDir: new Blob([snapshot]) }),
  });
  // Parameters arrive as text already; the library would guess again per type.
  for (const oid of Object.keys(store.serializers)) store.serializers[oid] = asIs;
  store.parsers = { ...parserTable() };
  await store.exec("set time zone 'UTC'; set datestyle to 'ISO, YMD'; set bytea_output to 'hex'");
  // The pages are in memory or one read away: without this the planner, which has no statistics
  // here, scans whole tables where an index serves.
  await store.exec('set random_page_cost = 1.1');
  return store;
}

async function answer(store: PGlite, request: WorkerRequest): Promise<WorkerReply> {
  try {
    return { id: request.id, ok: true, ...(await perform(store, request)) };
  } catch (error) {
    const { id } = request;
    if (isBreakdown(error)) return { id, ok: false, brokeDown: messageOf(error) };
    const sql = sqlErrorFacts(error);
    if (sql !== undefined) return { id: request.id, ok: false, sql };
    return { id: request.id, ok: false, message: messageOf(error) };
  }
}

interface Outcome {
  columns: string[];
  rows: unknown[][];
  lastCommand: string;
}

const NOTHING: Outcome = { columns: [], rows: [], lastCommand: '' };

async function perform(store: PGlite, action: WorkerAction): Promise<Outcome> {
  switch (action.do) {
    case 'query': {
      // Rows travel as arrays with the column names once: copying names per row costs more.
      const result = await store.query<unknown[]>(action.sql, action.params.map(encodeForPglite), {
        rowMode: 'array',
      });
      const columns = result.fields.map((field) => field.name);
      return { columns, rows: result.rows, lastCommand: result.command ?? '' };
    }
    case 'execute': {
      const results = await store.exec(action.script);
      return { ...NOTHING, lastCommand: results.at(-1)?.command ?? '' };
    }
    case 'copy': {
      await store.query(`copy ${action.into} from '/dev/blob'`, [], {
        blob: new LinesToCopy(action.lines),
      });
      return NOTHING;
    }
    case 'copy-out': {
      const { blob } = await store.query(`copy (${action.select}) to '/dev/blob'`);
      const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
      return { ...NOTHING, columns: ['bytes'], rows: [[bytes]] };
    }
    case 'copy-files': {
      // Nothing runs between the two: the files are as the last statement left them. Where the disk
      // can share blocks between files, the copy takes no time.
      await store.exec('checkpoint');
      await cp(action.from, action.to, {
        recursive: true,
        mode: constants.COPYFILE_FICLONE,
        filter: (path) => !path.endsWith('postmaster.pid'),
      });
      return NOTHING;
    }
    case 'snapshot': {
      const blob = await store.dumpDataDir('none');
      await writeFile(action.file, new Uint8Array(await blob.arrayBuffer()));
      return NOTHING;
    }
    case 'close': {
      await store.close();
      return NOTHING;
    }
  }
}

/**
 * What a blob holds is outside of the heap and goes only when the collector comes by, which nothing
 * calls: a long COPY in parts would keep all of them. The library takes nothing but the bytes.
 */
class LinesToCopy extends Blob {
  readonly #lines: string;

  constructor(lines: string) {
    super([]);
    this.#lines = lines;
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(new TextEncoder().encode(this.#lines).buffer);
  }
}

function encodeForPglite(value: string | Uint8Array | null): string | null {
  return value instanceof Uint8Array ? encodeBytes(value) : value;
}

const TRANSFER_FROM_BYTES = 4096;

/** Large byte values move to the other thread instead of being copied. */
function transferables(reply: WorkerReply): ArrayBuffer[] {
  if (!reply.ok) return [];
  const buffers: ArrayBuffer[] = [];
  for (const row of reply.rows) {
    for (const value of row) {
      if (value instanceof Uint8Array && value.byteLength >= TRANSFER_FROM_BYTES) {
        if (value.buffer instanceof ArrayBuffer) buffers.push(value.buffer);
      }
    }
  }
  return buffers;
}

/**
 * A server would end all its processes now and start anew; embedded, the same code goes on with locks
 * held and files half written: it answers with no rows, or never. Seen where a full disk stops the log.
 */
function isBreakdown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A trap of WebAssembly, and an end of what would be the process.
  if (error.name === 'RuntimeError' || error.name === 'ExitStatus') return true;
  const severity: unknown = Reflect.get(error, 'severity');
  return severity === 'PANIC' || severity === 'FATAL';
}

function asIs(text: string): string {
  return text;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

await main();
