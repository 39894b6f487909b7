import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/platform/clock.ts';
import { openStore } from '../../../src/storage/open-store.ts';
import type { Db } from '../../../src/storage/db.ts';
import { postgresStore } from '../../support/stores.ts';
import type { Bench } from '../bench.ts';
import { historyOf, symbolsOf, SYMBOLS_PER_RESPONSE, ingestHistory } from './made-up-bars.ts';
import { EMBEDDED_SYMBOLS, NOW, sessions, SYMBOLS, YEARS } from './size.ts';

const RATIO_MIN = 0.3;
/** Number of symbols per block. The two methods alternate after each block. */
const BLOCK = 500;
/** Number of symbols copied into a table without keys. */
const BARE_SYMBOLS = 1000;
/** Number of symbols ingested a second time. */
const REPEATED_SYMBOLS = 200;

/**
 * Measures how fast years of daily bars are ingested: rows as providers return them, through the
 * normal ingestion of bars. The baseline is PostgreSQL's own COPY of the same rows, as prepared
 * text, into a table with the same columns, keys and indexes. Blocks alternate, so that both tables
 * grow at the same rate. The bench also reports COPY into a table without keys.
 */
export const bench: Bench = {
  name: 'bars at size',
  target: `≥ ${RATIO_MIN} of the rate of a bare COPY on PostgreSQL`,
  async run() {
    const server = await postgresStore();
    if ('missing' in server) return { passed: true, figures: { postgres: server.missing } };
    const { ours, copy } = await alternate(server.db);
    const keyless = await copyKeyless(server.db);
    const repeatRate = await repeatPerSecond(server.db);
    await server.db.execute('truncate price_bar, copy_bar, keyless_bar');
    await server.db.close();
    const embedded = await embeddedPerSecond();
    return {
      passed: ours / copy >= RATIO_MIN,
      figures: {
        rows: SYMBOLS * sessions().length,
        symbols: SYMBOLS,
        years: YEARS,
        'postgres rows/s': Math.round(ours),
        'copy rows/s': Math.round(copy),
        ratio: (ours / copy).toFixed(2),
        'copy without keys rows/s': Math.round(keyless),
        'ratio without keys': (ours / keyless).toFixed(2),
        'the same again rows/s': Math.round(repeatRate),
        'embedded rows': EMBEDDED_SYMBOLS * sessions().length,
        'embedded rows/s': Math.round(embedded),
        'memory MB': Math.round(process.memoryUsage().rss / 1e6),
      },
    };
  },
};

async function alternate(db: Db): Promise<{ ours: number; copy: number }> {
  await db.execute('create table copy_bar (like price_bar including all)');
  const seconds = { ours: 0, copy: 0 };
  for (let from = 0; from < SYMBOLS; from += BLOCK) {
    const to = Math.min(SYMBOLS, from + BLOCK);
    seconds.ours += await ingestHistory(db, from, to);
    seconds.copy += await copyInto(db, 'copy_bar', from, to);
    process.stderr.write(`${to} of ${SYMBOLS} symbols\n`);
  }
  const rows = SYMBOLS * sessions().length;
  return { ours: rows / seconds.ours, copy: rows / seconds.copy };
}

async function copyKeyless(db: Db): Promise<number> {
  await db.execute('create table keyless_bar (like price_bar)');
  const to = Math.min(SYMBOLS, BARE_SYMBOLS);
  return (to * sessions().length) / (await copyInto(db, 'keyless_bar', 0, to));
}

/** Ingests known rows again, which writes nothing. Returns rows per second. */
async function repeatPerSecond(db: Db): Promise<number> {
  const to = Math.min(SYMBOLS, REPEATED_SYMBOLS);
  return (to * sessions().length) / (await ingestHistory(db, 0, to));
}

async function embeddedPerSecond(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-bench-'));
  try {
    const db = await openStore({ folder: join(folder, 'store') });
    const seconds = await ingestHistory(db, 0, EMBEDDED_SYMBOLS);
    await db.close();
    return (EMBEDDED_SYMBOLS * sessions().length) / seconds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies prepared text into the table. Returns the seconds for the COPY alone. */
async function copyInto(db: Db, table: string, from: number, to: number): Promise<number> {
  const clock = systemClock();
  const days = sessions();
  const observedAt = new Date(NOW).toISOString();
  const none = String.raw`\N`;
  let seconds = 0;
  for (let first = from; first < to; first += SYMBOLS_PER_RESPONSE) {
    let lines = '';
    for (const bar of symbolsOf(first, to).flatMap((index) => historyOf(index, days))) {
      const { symbol, date, open, high, low, close, volume } = bar;
      lines += `${symbol}\t${date}\tfiles\tbars\t${none}\t${date}\t${open}\t${high}\t${low}\t`;
      lines += `${close}\t${none}\t${volume}\t${none}\t${observedAt}\t1\t${none}\n`;
    }
    const beganMs = clock.monotonicMs();
    await db.transaction((tx) => tx.copy(table, lines));
    seconds += (clock.monotonicMs() - beganMs) / 1000;
  }
  return seconds;
}
