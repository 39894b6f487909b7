import { createIngest } from '../../../src/ingest/ingest.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createSandbox } from '../../../src/providers/sandbox/index.ts';
import { postgresStore } from '../../support/stores.ts';
import type { Db } from '../../../src/storage/db.ts';
import { takeHistory } from './made-up-bars.ts';
import { NOW, SYMBOLS } from './size.ts';

export interface SizedStore {
  db: Db;
  url: string;
  /** Rows of bars, and seconds that taking them in took. */
  bars: number;
  barSeconds: number;
}

/** Companies of which the older results are stored too. */
const HISTORY_PARTS = 50;

let store: Promise<SizedStore | { missing: string }> | undefined;

/**
 * A PostgreSQL store of the full size, made once for all benches of a run: companies, calendars,
 * dividends and offerings of a sandbox of that many companies, the older results of a thousand of
 * them, and years of bars of all.
 */
export function sizedStore(): Promise<SizedStore | { missing: string }> {
  store ??= make();
  return store;
}

/** Lets go of it at the end of a run. */
export async function closeSizedStore(): Promise<void> {
  const made = await store;
  if (made !== undefined && 'db' in made) await made.db.close();
}

async function make(): Promise<SizedStore | { missing: string }> {
  const server = await postgresStore();
  if ('missing' in server) return server;
  const { db, url } = server;
  const barSeconds = await takeHistory(db, 0, SYMBOLS);
  await takeCompanies(db);
  // Figures for the planner, as the server would gather by itself within a minute.
  await db.execute('analyze');
  const [row] = await db.query<{ bars: number }>('select count(*) as bars from price_bar');
  return { db, url, bars: row?.bars ?? 0, barSeconds };
}

/** Everything of the sandbox but its bars, which are made apart. */
async function takeCompanies(db: Db): Promise<void> {
  const sandbox = createSandbox({ companies: Math.max(20, SYMBOLS) });
  const ingest = createIngest({
    db,
    clock: systemClock(),
    providers: [sandbox],
    onCommit: () => undefined,
  });
  for (const answer of sandbox.generateResponses?.(null, NOW) ?? []) {
    const [, part] = /&part=(\d+)/.exec(answer.url) ?? [];
    if (answer.url.includes('/bars?') || Number(part ?? 0) >= HISTORY_PARTS) continue;
    await ingest(answer);
  }
}
