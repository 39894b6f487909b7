import { replayTable } from '../ingest/replay/summary.ts';
import { startService } from '../main.ts';
import type { Service } from '../main.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { createShutdown } from '../platform/shutdown.ts';
import type { Settings } from '../settings.ts';
import { StoreHeldError } from '../storage/lock.ts';
import { kindOfStart, storeFolder } from '../store-claim.ts';
import { CliError } from './command.ts';
import type { CliCommand, CliContext } from './command.ts';
import { serveControlSocket } from './control/server.ts';
import { replayWithProgress } from './replay-with-progress.ts';
import { addSettingOptions } from './setting-options.ts';
import { firstNote, termsLines } from './terms-note.ts';

export const command: CliCommand = {
  name: 'start',
  forwardable: false,
  add(program, context) {
    const start = program
      .command('start')
      .description('Run everything in one process: gather, store, answer.');
    addSettingOptions(start, 'start').action((flags: Record<string, unknown>) =>
      run(context, context.settings(flags)),
    );
  },
};

async function run(context: CliContext, settings: Settings): Promise<void> {
  const clock = systemClock(settings.now === null ? {} : { startAt: settings.now });
  const log = createLog({
    level: settings.logLevel,
    clock,
    write: context.stderr,
    isTerminal: context.isTerminal,
    secrets: settings.secrets,
  });
  const shutdown = createShutdown({ clock, log, process });
  const kind = kindOfStart(settings);
  const service = await startService({ settings, kind, clock, log, shutdown }).catch(
    (error: unknown) => refuseStart(error, settings),
  );
  if (settings.databaseUrl === null) {
    const control = await serveControlSocket({
      ...{ kind, clock, log, settings },
      folder: storeFolder(settings.dataDir, kind),
      db: service.db,
      env: context.env,
      onCommandDone: service.refresh,
    });
    shutdown.register('control socket', () => control.close());
  }
  context.stderr(termsLines(service.sources));
  context.stderr(await firstNote(service.db, service.sources));
  try {
    await fill(context, settings, service);
    const greeting = welcome(service, settings, await service.dayToShow());
    if (!shutdown.signal.aborted) {
      service.markReady();
      context.stderr(greeting);
      context.stdout(`ready ${service.url}\n`);
    }
  } catch (error) {
    // Told to stop while it fills, the service closes the store under the work.
    if (!shutdown.signal.aborted) throw error;
  }
  await shutdown.done;
}

async function fill(context: CliContext, settings: Settings, service: Service): Promise<void> {
  if (settings.replay !== null) {
    const report = await replayWithProgress(context, settings.replay, service.ingest);
    context.stderr(replayTable(report));
  }
  await service.feed();
}

function refuseStart(error: unknown, { host, port }: Settings): never {
  if (error instanceof StoreHeldError) throw new CliError(error.message);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') {
    throw new CliError(`port ${port} of ${host} is in use: choose another with --port (0: any)`);
  }
  throw error;
}

function welcome(
  { url, demoKey, setupToken, sources }: Service,
  settings: Settings,
  day: string,
): string {
  const key = demoKey ?? '<API_KEY>';
  const lines =
    demoKey === null
      ? [
          sources.length > 0 ? 'Live data.' : 'Recorded data.',
          `Make a key with: npx afterbell keys create --plan pro${storeOption(settings)}`,
        ]
      : ['A simulated market of fictional companies; real sources: npm start -- --help'];
  return [
    '',
    ...lines,
    '',
    `  curl '${url}/v1/calendar/earnings?date=${day}&apikey=${key}'`,
    `  curl '${url}/v1/market-status?apikey=${key}'`,
    '',
    `  docs    ${url}/docs`,
    `  status  ${url}/status`,
    ...(setupToken === null
      ? []
      : [`  set up  POST ${url}/account/v1/set-up, token ${setupToken} (for 30 minutes)`]),
    '',
    '',
  ].join('\n');
}

/** So that a command typed elsewhere finds this very store. */
function storeOption({ databaseUrl, dataDir }: Settings): string {
  return databaseUrl === null ? ` --data-dir '${dataDir}'` : '';
}
