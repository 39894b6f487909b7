import { createIngest } from '../../../src/ingest/ingest.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createSandbox } from '../../../src/providers/sandbox/index.ts';
import { postgresStore } from '../../support/stores.ts';
import type { Db } from '../../../src/storage/db.ts';
import { ingestHistory } from './made-up-bars.ts';
import { NOW, SYMBOLS } from './size.ts';

export interface SizedStore {
  db: Db;
  url: string;
  /** Number of bars. `seconds` is the time it took to ingest them. */
  bars: number;
  barSeconds: number;
}

/** Number of parts of older results to store, which together cover a thousand companies. */
const HISTORY_PARTS = 50;

let store: Promise<SizedStore | { missing: string }> | undefined;

/**
 * Returns a full-size PostgreSQL store, created once for all benches in a run. It contains the
 * companies, calendars, dividends and offerings of a sandbox of that size, older results for a
 * thousand companies, and years of bars for all companies.
 */
export function sizedStore(): Promise<SizedStore | { missing: string }> {
  store ??= make();
  return store;
}

/** Closes the store at the end of a run. */
export async function closeSizedStore(): Promise<void> {
  const existing = await store;
  if (existing !== undefined && 'db' in existing) await existing.db.close();
}

async function make(): Promise<SizedStore | { missing: string }> {
  const server = await postgresStore();
  if ('missing' in server) return server;
  const { db, url } = server;
  const barSeconds = await ingestHistory(db, 0, SYMBOLS);
  await ingestCompanies(db);
  // Updates the planner statistics, which a server would gather within a minute.
  await db.execute('analyze');
  const [row] = await db.query<{ bars: number }>('select count(*) as bars from price_bar');
  return { db, url, bars: row?.bars ?? 0, barSeconds };
}

/** Ingests everything in the sandbox except its bars, which are generated separately. */
async function ingestCompanies(db: Db): Promise<void> {
  const sandbox = createSandbox({ companies: Math.max(20, SYMBOLS) });
  const ingest = createIngest({
    db,
    clock: systemClock(),
    providers: [sandbox],
    onCommit: () => undefined,
  });
  for (const response of sandbox.generateResponses?.(null, NOW) ?? []) {
    const [, part] = /&part=(\d+)/.exec(response.url) ?? [];
    if (response.url.includes('/bars?') || Number(part ?? 0) >= HISTORY_PARTS) continue;
    await ingest(response);
  }
}
