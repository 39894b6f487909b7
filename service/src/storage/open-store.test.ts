import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { emptyPostgres } from '../../test/support/empty-postgres.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { describeDriver } from '../../test/support/storage-conformance.ts';
import { systemClock } from '../platform/clock.ts';
import { memoryLog } from '../../test/support/logs.ts';
import { createMetrics } from '../platform/metrics.ts';
import { NoStoreError, StoreUnavailableError } from './errors.ts';
import { StoreHeldError } from './folder/lock.ts';
import { forward } from './forward.ts';
import { instrumentDb } from './health/instrumented-db.ts';
import { claimMarker, readMarker } from './marker.ts';
import { openStore } from './open-store.ts';

describeDriver('openStore with a folder, measured as the service runs it', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'afterbell-open-'));
  const store = await openStore({ folder: join(parent, 'store') });
  const db = instrumentDb(store, createMetrics(), systemClock());
  return forward(db, {
    async close() {
      await db.close();
      await rm(parent, { recursive: true, force: true });
    },
  });
});

test("creates a private store folder, locks it while the store is open, and keeps the store's rows after closing", async () => {
  const parent = await mkdtemp(join(tmpdir(), 'afterbell-open-'));
  const folder = join(parent, 'data', 'store');
  const db = await openStore({ folder });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await expect(openStore({ folder })).rejects.toBeInstanceOf(StoreHeldError);
  await claimMarker(db, 'kind', 'sandbox');
  await db.close();
  const reopened = await openStore({ folder });
  expect(await claimMarker(reopened, 'kind', 'live')).toBe('sandbox');
  expect(await readMarker(reopened, 'kind')).toBe('sandbox');
  expect(await readMarker(reopened, 'unset')).toBeNull();
  await reopened.close();
  await rm(parent, { recursive: true });
});

test("runs maintenance until the store's files vanish, then fails calls immediately and can be closed", async () => {
  const clock = fakeClock(0);
  const parent = await mkdtemp(join(tmpdir(), 'afterbell-gone-'));
  const folder = join(parent, 'store');
  const log = memoryLog();
  const db = await openStore({ folder, clock, log });
  await clock.advance(60_000);
  const statement = () => log.entries.map(({ fields }) => fields['statement']).find(Boolean);
  await expect.poll(statement).toMatch(/^vacuum /);
  expect(await readMarker(db, 'unset')).toBeNull();
  await rm(folder, { recursive: true });
  const askedLater = async () => {
    await clock.advance(5_000);
    return db.query('select 1').then(() => 'answered', String);
  };
  await expect.poll(askedLater).toContain('files in');
  await expect(db.transaction((tx) => tx.query('select 1'))).rejects.toThrow(StoreUnavailableError);
  await db.close();
  await rm(parent, { recursive: true });
});

test('warns about too little memory, also if the store cannot be opened afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'afterbell-memory-'));
  await mkdir(join(folder, 'pg', 'base'), { recursive: true });
  const memory = vi.spyOn(process, 'constrainedMemory').mockReturnValue(1024 ** 3);
  const log = memoryLog();
  const options = { folder, log, mustExist: true };
  await expect(openStore(options)).rejects.toThrow('PG_VERSION is missing. ');
  memory.mockReturnValue(2 * 1024 ** 3);
  await expect(openStore(options)).rejects.toThrow('afterbell restore BACKUP.tar --data-dir');
  memory.mockRestore();
  const warnings = log.entries.filter(({ level }) => level === 'warn');
  expect(warnings).toMatchObject([{ fields: { event: 'store.memory_small', memoryMb: 1024 } }]);
  await rm(folder, { recursive: true });
});

test('rejects options with neither a database URL nor a store folder', async () => {
  await expect(openStore({})).rejects.toThrow('a database URL or a folder');
});

test('rejects an empty database if a store must exist, and leaves the database empty', async (context) => {
  const empty = await emptyPostgres();
  if ('missing' in empty) return context.skip(empty.missing);
  const options = { databaseUrl: empty.url, mustExist: true };
  await expect(openStore(options)).rejects.toBeInstanceOf(NoStoreError);
  await expect(openStore(options)).rejects.toThrow('no store in this database');
  await (await openStore({ databaseUrl: empty.url })).close();
  await (await openStore(options)).close();
});

test('reports an unreachable database server as unavailable when the store is opened', async () => {
  const open = openStore({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
  await expect(open).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(open).rejects.toThrow(
    /ECONNREFUSED.*: check that a server is running at the address in DATABASE_URL/,
  );
});

test('creates independent in-memory stores from one snapshot file', async () => {
  const [first, second] = await Promise.all([memoryStore(), memoryStore()]);
  await claimMarker(first, 'kind', 'one');
  expect(await readMarker(second, 'kind')).toBeNull();
  await Promise.all([first.close(), second.close()]);
});
