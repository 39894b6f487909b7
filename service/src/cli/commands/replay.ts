import { resolve } from 'node:path';
import { loadWithheldBars } from '../../datasets/bars/withheld.ts';
import { createIngest } from '../../ingest/ingest.ts';
import { saveKnownSources } from '../../ingest/save-sources.ts';
import { replayJson, replayTable } from '../../ingest/replay/summary.ts';
import { systemClock } from '../../platform/clock.ts';
import { licensedProviders } from '../../providers/licensed-providers.ts';
import { providers } from '../../providers/registry.gen.ts';
import { claimStoreKind } from '../../app/store-kind.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { replayWithProgress } from '../sources/replay-with-progress.ts';

/** Exit code if a recording was damaged. All other recordings are ingested. */
const EXIT_DAMAGED = 2;

export const command: CliCommand = {
  name: 'replay',
  add(program, context) {
    program
      .command('replay')
      .description('Ingest recorded responses from a folder, without a network')
      .argument('<folder>', 'Folder to search for recordings (meta.json with a body)')
      .option('--json', 'Print the report as JSON')
      .addHelpText(
        'after',
        '\nExit codes: 0 success, 1 failure, 2 a recording was damaged.\nA folder without recordings is a failure.',
      )
      .action((folder: string, { json }: { json?: boolean }) =>
        run(context, resolve(context.cwd, folder), json === true),
      );
  },
};

async function run(context: CliContext, folder: string, isJson: boolean): Promise<void> {
  const settings = context.settings();
  const { db, close } = await context.openStore({ kind: 'live', mayCreate: true });
  try {
    await claimStoreKind(db, 'live', settings);
    await saveKnownSources(db, providers);
    const clock = settings.now === null ? context.clock : systemClock({ startAt: settings.now });
    const ingest = createIngest({
      db,
      clock,
      providers: licensedProviders(providers, settings),
      onCommit: () => undefined,
    });
    const report = await replayWithProgress(context, folder, ingest);
    const withheld = await loadWithheldBars(db);
    if (isJson) context.stdout(`${JSON.stringify(replayJson(report, withheld))}\n`);
    else context.stdout(replayTable(report, withheld));
    const damaged = report.recordings.filter(({ isDamaged }) => isDamaged);
    if (damaged.length > 0) {
      const paths = damaged.map(({ path, datasets }) => `${path} (${datasets[0]?.reason})`);
      throw new CliError(`damaged recordings: ${paths.join(', ')}`, EXIT_DAMAGED);
    }
  } finally {
    await close();
  }
}
