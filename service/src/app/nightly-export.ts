import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { addDays } from '../domain/local-date.ts';
import { newYorkDate, newYorkInstant } from '../domain/new-york.ts';
import { LATEST, loadManifest } from '../endpoints/tables/manifest.ts';
import { tables } from '../endpoints/tables/registry.gen.ts';
import { exportSet, ExportRunningError } from '../exports/export-set.ts';
import type { Clock } from '../platform/clock.ts';
import { type Instant, parseInstant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import type { Db } from '../storage/db.ts';
import { withheldSources } from './dataset-files.ts';

interface NightlyExport {
  db: Db;
  clock: Clock;
  log: Log;
  shutdown: Shutdown;
  settings: Pick<Settings, 'datasetFilesAt' | 'licensedSourcesOnly'>;
  folder: string;
}

/** Delay before a missed export runs, so that it does not slow down startup. */
const MISSED_DELAY_MS = 300_000;

/**
 * Writes the Parquet files that customers download every night. A failed export is logged and leaves
 * the files of the night before.
 */
export function startNightlyExport(options: NightlyExport): void {
  const { clock, shutdown, log } = options;
  const minute = minuteOfDay(options.settings.datasetFilesAt);
  if (minute === null) return;
  const loop = exportEveryNight(options, minute).catch((error: unknown) =>
    log.error({ event: 'datasets.export_stopped', err: error }, 'nightly export stopped'),
  );
  shutdown.register('nightly export', () => loop);

  async function exportEveryNight(night: NightlyExport, at: number): Promise<void> {
    const { signal } = shutdown;
    const missed = previousTime(clock.now(), at);
    if ((await lastExportAt(night.folder)) < missed) {
      await clock.sleep(MISSED_DELAY_MS, signal);
      if (!signal.aborted) await exportOnce(night);
    }
    while (!signal.aborted) {
      const now = clock.now();
      await clock.sleep(nextTime(now, at) - now, signal);
      if (!signal.aborted) await exportOnce(night);
    }
  }
}

async function exportOnce({
  db,
  clock,
  log,
  shutdown,
  settings,
  folder,
}: NightlyExport): Promise<void> {
  const startedMs = clock.monotonicMs();
  try {
    const { signal } = shutdown;
    const withheld = withheldSources(settings);
    const { manifest, written } = await exportSet(db, tables, { folder, clock, withheld, signal });
    const files = manifest.tables.flatMap((table) => table.files);
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    const durationMs = Math.round(clock.monotonicMs() - startedMs);
    const counts = { files: files.length, written, rows, durationMs };
    log.info({ event: 'datasets.exported', ...counts }, 'dataset files written');
  } catch (error) {
    if (shutdown.signal.aborted) return;
    if (error instanceof ExportRunningError) {
      log.warn({ event: 'datasets.export_skipped', err: error }, 'dataset export skipped');
    } else log.error({ event: 'datasets.export_failed', err: error }, 'dataset export failed');
  }
}

async function lastExportAt(folder: string): Promise<Instant> {
  const manifest = await loadManifest(join(folder, LATEST));
  return manifest === null ? 0 : (parseInstant(manifest.exportedAt) ?? 0);
}

/** Returns the first time after an instant at which New York clocks show this minute. */
function nextTime(now: Instant, minute: number): Instant {
  const today = newYorkDate(now);
  const candidates = [today, addDays(today, 1)].map((day) => newYorkInstant(day, minute));
  return candidates.find((at) => at > now) ?? newYorkInstant(addDays(today, 2), minute);
}

/** Returns the last such time, which may be the instant itself. */
function previousTime(now: Instant, minute: number): Instant {
  const today = newYorkDate(now);
  const at = newYorkInstant(today, minute);
  return at <= now ? at : newYorkInstant(addDays(today, -1), minute);
}

function minuteOfDay(text: string): number | null {
  if (text === 'off') return null;
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}
