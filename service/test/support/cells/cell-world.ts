import { writeGatheringBeat } from '../../../src/datasets/versions/gathering-beat.ts';
import { createIngest } from '../../../src/ingest/ingest.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { provider as files } from '../../../src/providers/files/index.ts';
import { initCell } from '../../../src/storage/cells/init-cell.ts';
import type { Db } from '../../../src/storage/db.ts';
import { openPostgres } from '../../../src/storage/engines/postgres/postgres.ts';
import { claimMarker } from '../../../src/storage/marker.ts';
import { openStore } from '../../../src/storage/open-store.ts';
import { type KillablePostgres, killablePostgres } from '../killable-postgres.ts';
import { COUNT_FROM, earningsFile, firstFiles } from '../roles/scripted-files.ts';

/** Settings for fast tests: many workers, short waits, and no syncs. */
const SERVER_SETTINGS = {
  wal_level: 'logical',
  max_wal_senders: '30',
  max_replication_slots: '30',
  max_logical_replication_workers: '24',
  max_sync_workers_per_subscription: '4',
  max_worker_processes: '40',
  max_connections: '200',
  wal_retrieve_retry_interval: '100ms',
  fsync: 'off',
};

export interface CellStore {
  name: string;
  url: string;
  db: Db;
}

/** A gathering store and its cells, as databases of one server. */
export interface CellWorld {
  server: KillablePostgres;
  gathering: { url: string; db: Db };
  cells: CellStore[];
  /** Stores a higher estimate of the company. Returns it. */
  change(symbol: string): Promise<number>;
  beat(): Promise<void>;
  close(): Promise<void>;
}

const clock = systemClock();

/** Starts the server, fills the gathering store and copies it to the cells. */
export async function cellWorld(names: readonly string[]): Promise<CellWorld> {
  const server = await killablePostgres(undefined, SERVER_SETTINGS);
  const gathering = await createStore(server, 'gathering');
  await claimMarker(gathering.db, 'kind', 'live');
  const ingest = createIngest({
    db: gathering.db,
    clock,
    providers: [files],
    onCommit: () => undefined,
  });
  for (const response of firstFiles(clock.now())) await ingest(response);
  const beat = (): Promise<void> => writeGatheringBeat(gathering.db, clock.now());
  await beat();
  const cells: CellStore[] = [];
  for (const name of names) cells.push(await addCell(server, gathering, name));
  let lastCount = 0;
  return {
    server,
    gathering,
    cells,
    beat,
    async close() {
      for (const { db } of [gathering, ...cells]) await db.close();
      await server.close();
    },
    async change(symbol) {
      const at = clock.now();
      lastCount = Math.max(at - COUNT_FROM, lastCount + 1);
      await ingest(earningsFile(symbol, lastCount, at));
      return lastCount;
    },
  };
}

async function addCell(
  server: KillablePostgres,
  gathering: { url: string; db: Db },
  name: string,
): Promise<CellStore> {
  const { url, db } = await createStore(server, name);
  await initCell({
    cell: db,
    gathering: gathering.db,
    gatheringUrl: gathering.url,
    name,
    clock,
    onProgress: () => undefined,
  });
  return { name, url, db };
}

async function createStore(
  server: KillablePostgres,
  name: string,
): Promise<{ url: string; db: Db }> {
  const admin = openPostgres({ url: server.url, poolSize: 1 });
  await admin.query(`create database ${name}`);
  await admin.close();
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const db = await openStore({ databaseUrl: url.href });
  return { url: url.href, db };
}
