import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { endpoint } from '../../src/endpoints/earnings.ts';
import { table } from '../../src/endpoints/tables/earnings.ts';
import { columnsOf, flatColumns } from '../../src/exports/columns.ts';
import { exportSet } from '../../src/exports/export-set.ts';
import { readRows } from '../../src/exports/read-rows.ts';
import { writeText } from '../../src/exports/text-file.ts';
import { writeFileAtomically } from '../../src/exports/write-file.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Db } from '../../src/storage/db.ts';
import { parameterValues } from '../support/parameter-values.ts';
import { pythonEnvironment } from '../support/python-environment.ts';
import { postgresStore } from '../support/stores.ts';
import type { Bench } from './bench.ts';

const ROWS = Number(process.env['BENCH_EXPORT_ROWS'] ?? 1_000_000);
const COMPANIES = Math.ceil(ROWS / 200);
/** Companies inserted at a time. */
const PORTION = 200;
const NOW = Date.parse('2026-11-20T08:30:00Z');
const MEMORY_MB_MAX = 512;
/** Companies read through the API; the time for all follows from it. */
const READS = 200;
const CLIENT = fileURLToPath(new URL('../../../clients/python', import.meta.url));

/**
 * Exports versions of earnings reports with their consensus and sources from PostgreSQL: 50 reports
 * of each company in twelve years, with four versions each. Then asks DuckDB two questions about all
 * companies, and measures how long reading the same reports through the endpoint takes.
 */
export const bench: Bench = {
  name: 'parquet',
  target: `≤ ${MEMORY_MB_MAX} MB of memory for ${ROWS.toLocaleString('en-US')} rows`,
  async run() {
    const server = await postgresStore();
    if ('missing' in server) return { passed: true, figures: { postgres: server.missing } };
    const folder = mkdtempSync(join(tmpdir(), 'afterbell-bench-'));
    try {
      await fill(server.db);
      const exported = await measureExports(server.db, folder);
      const csv = await measureText(server.db, folder);
      const queries = await measureQueries(folder);
      const memory = Number(exported['memory MB']);
      const api = await measureReads(server.db);
      return {
        passed: memory <= MEMORY_MB_MAX,
        figures: { rows: ROWS, ...exported, ...csv, ...queries, ...api },
      };
    } finally {
      await server.db.execute('truncate earnings_event, security, security_symbol cascade');
      await server.db.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

type Figures = Record<string, string | number>;

/** Inserts made-up versions, of which every fourth is current. */
async function fill(db: Db): Promise<void> {
  await db.execute(`
    insert into security (id, symbol, name, exchange, active, reports, symbols)
      select 'sec_' || md5(n::text), 'S' || n, 'Company ' || n || ' Inc.', 'NYSE', true, true,
             jsonb_build_array(jsonb_build_object('symbol', 'S' || n, 'from', null, 'to', null))
        from generate_series(1, ${COMPANIES}) n;
    insert into security_symbol (symbol, security_id)
      select symbol, id from security;`);
  for (let first = 1; first <= COMPANIES; first += PORTION) {
    const last = Math.min(first + PORTION - 1, COMPANIES);
    await db.execute(`
    insert into earnings_event (id, security_id, symbol, name, date, time, date_status,
        eps_estimate, eps, revenue_estimate, revenue, estimate_count, eps_year_ago, fiscal_year,
        fiscal_quarter, fiscal_period_end, eps_basis, currency, reported_at, estimate_as_of,
        marker_ahead, split_factor, source_url, estimates, provenance, updated_at, known_from,
        known_to)
      select 'ern_' || left(md5(c || '/' || q), 20), 'sec_' || md5(c::text), 'S' || c,
             'Company ' || c || ' Inc.', day, 'time-after-hours',
             case when v = 4 then 'reported' else 'confirmed' end,
             round((1 + (c * 7 + q * 3 + v) % 400 / 100.0)::numeric, 2),
             case when v = 4 then round((1 + (c * 7 + q * 3) % 410 / 100.0)::numeric, 2) end,
             1000000::bigint * (100 + (c * 13 + q) % 5000), case when v = 4 then 1000037::bigint * (100 + c % 5000) end,
             3 + c % 20, round((1 + (c * 7 + q * 3 - 9) % 400 / 100.0)::numeric, 2),
             2014 + q / 4, 1 + q % 4, day - 40, 'adjusted', 'USD',
             case when v = 4 then at end, case when v = 4 then at - interval '3 hours' end, true, 1,
             case when v = 4 then 'https://filings.example/' || c || '/' || q end,
             jsonb_build_object('eps', jsonb_build_object('mean', '1.25', 'low', '1.1', 'high',
               '1.4', 'count', 3 + c % 20, 'mean7DaysAgo', null, 'mean30DaysAgo', null,
               'mean60DaysAgo', null, 'mean90DaysAgo', null, 'revisions', null), 'revenue', null),
             jsonb_build_object('date', source, 'time', source, 'epsEstimate', source,
               'revenueEstimate', source, 'estimateCount', source, 'epsYearAgo', source,
               'fiscalYear', source, 'name', source, 'estimates.eps', source)
               || case when v = 4 then jsonb_build_object('eps', source, 'revenue', source,
                    'reportedAt', source) else '{}' end,
             at, at, case when v < 4 then at + interval '10 days' end
        from generate_series(${first}, ${last}) c, generate_series(0, 49) q, generate_series(1, 4) v,
             lateral (select date '2014-02-01' + q * 91 + c % 40 as day) d,
             lateral (select day::timestamptz - interval '10 days' * (4 - v)
                             + interval '20 hours' + interval '1 second' * (c % 3600) as at) t,
             lateral (select jsonb_build_object('provider', 'made-up', 'feed', 'calendar',
                        'seenAt', floor(extract(epoch from at)) * 1000) as source) s`);
  }
  await db.execute('analyze');
}

async function measureExports(db: Db, folder: string): Promise<Figures> {
  const options = { folder, clock: systemClock({ startAt: NOW }) };
  const peak = watchMemory();
  const delay = monitorEventLoopDelay();
  delay.enable();
  const { seconds, cpuSeconds, result } = await timed(() => exportSet(db, [table], options));
  delay.disable();
  const memory = peak.stop();
  const files = result.manifest.tables.flatMap((written) => written.files);
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  await db.execute(`update earnings_event set known_to = '2026-11-20Z' where version_id =
    (select max(version_id) from earnings_event where known_to is null)`);
  const again = await timed(() => exportSet(db, [table], options));
  return {
    'rows/s': Math.round(ROWS / seconds),
    'CPU µs/row': Math.round((cpuSeconds / ROWS) * 1e6),
    'parquet MB': (sizeBytes / 1e6).toFixed(1),
    files: files.length,
    'memory MB': Math.round(memory / 1e6),
    'event loop p99 ms': Math.round(delay.percentile(99) / 1e6),
    'one changed year s': again.seconds.toFixed(1),
    'files written again': again.result.written,
  };
}

async function measureText(db: Db, folder: string): Promise<Figures> {
  const filter = { allVersions: true, from: null, to: null };
  const figures: Figures = {};
  for (const isSourced of [false, true]) {
    const columns = flatColumns(
      columnsOf(table).filter(({ name }) => isSourced || name !== 'provenance'),
    );
    const { seconds, result } = await timed(() =>
      writeFileAtomically(join(folder, `${String(isSourced)}.csv`), (append) =>
        db.readSnapshot((view) => writeText('csv', columns, readRows(view, table, filter), append)),
      ),
    );
    const name = isSourced ? 'CSV with sources' : 'CSV';
    figures[`${name} MB`] = (result.sizeBytes / 1e6).toFixed(1);
    figures[`${name} rows/s`] = Math.round(ROWS / seconds);
  }
  return figures;
}

/** Asks DuckDB in a process of its own, so that its memory does not count. */
async function measureQueries(folder: string): Promise<Figures> {
  const packages = join(CLIENT, 'tests/requirements.txt');
  const python = await pythonEnvironment(join(CLIENT, '.venv'), packages).catch(String);
  if (typeof python === 'string') return { duckdb: python };
  const env = { PYTHONPATH: fileURLToPath(new URL('.', import.meta.url)) };
  const { code, output } = await python('query_files', [join(folder, 'latest/earnings')], env);
  if (code !== 0) throw new Error(output);
  return JSON.parse(output) as Figures;
}

async function measureReads(db: Db): Promise<Figures> {
  const { seconds } = await timed(async () => {
    for (let n = 1; n <= READS; n += 1) {
      const values = parameterValues({ symbol: `S${1 + ((n * 37) % COMPANIES)}` });
      const response = await endpoint.handle(values, { db, now: NOW });
      JSON.stringify(response);
    }
  });
  const all = (seconds / READS) * COMPANIES;
  return { 'API ms/company': ((seconds / READS) * 1000).toFixed(1), 'API all s': all.toFixed(1) };
}

/** Measures a piece of work by the clock and in the CPU time of this process. */
async function timed<T>(
  work: () => Promise<T>,
): Promise<{ seconds: number; cpuSeconds: number; result: T }> {
  const clock = systemClock();
  const beganMs = clock.monotonicMs();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const seconds = (clock.monotonicMs() - beganMs) / 1000;
  return { seconds, cpuSeconds: (user + system) / 1e6, result };
}

/** Samples the memory of this process until `stop` returns the highest value. */
function watchMemory(): { stop(): number } {
  let highest = 0;
  const sample = (): void => {
    highest = Math.max(highest, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, 50);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return highest;
    },
  };
}
