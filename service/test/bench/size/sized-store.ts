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
  /** Number of bars, and the seconds of ingesting them. */
  bars: number;
  barSeconds: number;
}

/** Companies whose older results are stored too. */
const HISTORY_PARTS = 50;

let store: Promise<SizedStore | { missing: string }> | undefined;

/**
 * A PostgreSQL store of full size, created once for all benches of a run. It has companies,
 * calendars, dividends and offerings of a sandbox of that size, older results of a thousand
 * companies, and years of bars of all.
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
  // Planner statistics, which a server would gather within a minute.
  await db.execute('analyze');
  const [row] = await db.query<{ bars: number }>('select count(*) as bars from price_bar');
  return { db, url, bars: row?.bars ?? 0, barSeconds };
}

/** Everything in the sandbox except its bars, which are generated separately. */
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
