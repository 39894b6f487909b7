import { loadWithheldBars } from '../../datasets/bars/withheld.ts';
import { replayTable } from '../../ingest/replay/summary.ts';
import { type Service, startAll } from '../../app/app.ts';
import type { Settings } from '../../config/settings.ts';
import { startKind, storeFolder } from '../../app/store-kind.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { serveControlSocket } from '../control/server.ts';
import { replayWithProgress } from '../sources/replay-with-progress.ts';
import type { Log } from '../../platform/log.ts';
import { openProcess } from '../roles/role.ts';
import { addSettingOptions } from '../setting-options.ts';
import { redistributionNote, termsLines } from '../sources/terms-note.ts';
import { showWatchProgress } from '../roles/watch-lines.ts';
import { renderWelcome } from '../roles/welcome.ts';

export const command: CliCommand = {
  name: 'start',
  forwardable: false,
  add(program, context) {
    const start = program
      .command('start')
      .description('Run the whole service in one process: ingest, serve and deliver webhooks');
    addSettingOptions(start).action((flags: Record<string, unknown>) =>
      run(context, context.settings(flags)),
    );
  },
};

async function run(context: CliContext, settings: Settings): Promise<void> {
  const running = openProcess(context, settings);
  try {
    await startService(context, settings, running);
  } catch (error) {
    // A shutdown during startup closes the store, so this error is expected.
    if (!running.shutdown.signal.aborted) throw error;
  }
  await running.shutdown.done;
}

async function startService(
  context: CliContext,
  settings: Settings,
  running: ReturnType<typeof openProcess>,
): Promise<void> {
  const { clock, log, shutdown } = running;
  const kind = startKind(settings);
  const service = await startAll({ ...running, kind });
  if (settings.databaseUrl === null) {
    const control = await serveControlSocket({
      kind,
      clock,
      log,
      settings,
      folder: storeFolder(settings.dataDir, kind),
      db: service.db,
      env: context.env,
      onCommandDone: service.refresh,
      loadCommands: context.loadCommands,
    });
    shutdown.register('control socket', () => control.close());
  }
  context.stderr(termsLines(service.sources));
  context.stderr(await redistributionNote(service.db, service.sources));
  await loadData(context, { settings, service, log });
  const greeting = renderWelcome(service, settings, await service.dayToShow());
  if (shutdown.signal.aborted) return;
  service.markReady();
  context.stderr(greeting);
  context.stdout(`ready ${service.url}\n`);
}

async function loadData(
  context: CliContext,
  { settings, service, log }: { settings: Settings; service: Service; log: Log },
): Promise<void> {
  if (settings.replay !== null) {
    const report = await replayWithProgress(context, settings.replay, service.ingest);
    context.stderr(replayTable(report, await loadWithheldBars(service.db)));
  }
  await service.feed(showWatchProgress(context, { log, settings, url: service.url }));
}
