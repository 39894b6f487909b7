import { loadMarketOverrides } from '../../datasets/market-overrides/store.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { createIngest } from '../../ingest/ingest.ts';
import { liveDeps, sourceClient } from '../../ingest/start-live.ts';
import { createLog } from '../../platform/log.ts';
import { systemRandom } from '../../platform/random.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Settings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { NoStoreError } from '../../storage/errors.ts';
import { readMarker } from '../../storage/marker.ts';
import { readSchemaVersion } from '../../storage/schema/migrate.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { HeldByServiceError } from '../control/held-by-service-error.ts';
import { broken, type Check, ok, skipped, worst } from '../doctor/check.ts';
import {
  checkDisagreements,
  checkFreshness,
  checkGaps,
  checkKeys,
  checkQuarantine,
  checkRequests,
} from '../doctor/check-data.ts';
import { checkDisk } from '../doctor/check-disk.ts';
import { checkSources } from '../doctor/check-sources.ts';
import { checkCaFile, checkSecrets, checkSignUpPlan } from '../doctor/check-start.ts';
import { mendMachine } from '../machine-trouble.ts';

const EXIT_BROKEN = 1;
const EXIT_WARNING = 2;

export const command: CliCommand = {
  name: 'doctor',
  add(program, context) {
    program
      .command('doctor')
      .description('Look at settings, store, sources and data, and say what is wrong.')
      .option('--offline', 'ask no source')
      .option('--json', 'print the findings for programs on stdout')
      .addHelpText(
        'after',
        '\nExit code: 0 all is well, 2 there are warnings, 1 something is broken.',
      )
      .action(({ json, offline }: { json?: boolean; offline?: boolean }) =>
        run(context, { isJson: json === true, isOffline: offline === true }),
      );
  },
};

async function run(
  context: CliContext,
  { isJson, isOffline }: { isJson: boolean; isOffline: boolean },
): Promise<void> {
  const checks = await examine(context, isOffline);
  const status = worst(checks);
  if (isJson) context.stdout(`${JSON.stringify({ status, checks })}\n`);
  else context.stdout(checks.map(line).join(''));
  const wrong = checks.filter(({ state }) => state === 'broken' || state === 'warning').length;
  if (status === 'ok') return;
  const exitCode = status === 'broken' ? EXIT_BROKEN : EXIT_WARNING;
  throw new CliError(`${wrong} of ${checks.length} findings need attention`, exitCode);
}

function line({ check, state, message, mend }: Check): string {
  const first = `${state.padEnd(8)} ${check.padEnd(14)} ${message}\n`;
  return mend === null ? first : `${first}${' '.repeat(24)}mend: ${mend}\n`;
}

async function examine(context: CliContext, isOffline: boolean): Promise<Check[]> {
  let settings: Settings;
  try {
    settings = context.settings();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return error.message.split('\n').map((problem) => broken('settings', problem, 'see above'));
  }
  const checks = [ok('settings', `sources: ${settings.sources.join(', ') || 'none'}`)];
  checks.push(...(await checkCaFile(settings)));
  if (settings.databaseUrl === null) checks.push(await checkDisk(settings.dataDir));
  try {
    const { db, close } = await context.openStore();
    try {
      return [...checks, ...(await examineStore(context, settings, db, isOffline))];
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof HeldByServiceError || !(error instanceof Error)) throw error;
    // Before the first start this is as it should be.
    if (error instanceof NoStoreError) return [...checks, skipped('store', error.message)];
    const mend = mendMachine(error) ?? 'the data cannot be read until it opens';
    return [...checks, broken('store', error.message, mend)];
  }
}

async function examineStore(
  context: CliContext,
  settings: Settings,
  db: Db,
  isOffline: boolean,
): Promise<Check[]> {
  const { clock } = context;
  const kind = await readMarker(db, 'kind');
  const names = kind === 'sandbox' ? ['sandbox'] : settings.sources;
  const sources = providers.filter(({ name }) => names.includes(name));
  const { overrides } = await loadMarketOverrides(db);
  const deps = { db, now: clock.now(), market: marketCalendar(overrides), sources };
  return [
    ok('store', `${kind ?? 'empty'}, ${db.engine}, schema ${await readSchemaVersion(db)}`),
    await checkSecrets(db, settings, systemRandom()),
    ...(await checkSignUpPlan(db, settings)),
    ...(await sourceChecks(context, settings, db, sources, isOffline)),
    ...(await checkFreshness(deps)),
    ...(await checkGaps(deps)),
    ...(await checkDisagreements(deps)),
    await checkQuarantine(deps),
    await checkRequests(deps),
    await checkKeys(deps),
  ];
}

async function sourceChecks(
  context: CliContext,
  settings: Settings,
  db: Db,
  sources: (typeof providers)[number][],
  isOffline: boolean,
): Promise<Check[]> {
  if (isOffline) return [skipped('source', 'none was asked (--offline)')];
  const { clock } = context;
  const log = createLog({
    level: 'silent',
    clock,
    write: context.stderr,
    isTerminal: false,
    secrets: settings.secrets,
  });
  const options = {
    db,
    clock,
    log,
    providers: sources,
    random: systemRandom(),
    setting: (name: string) => settings.sourceSettings.get(name),
    ingest: createIngest({
      db,
      clock,
      providers,
      onCommit: () => undefined,
    }),
  };
  const client = sourceClient(options);
  try {
    const live = liveDeps(options, client);
    const planContext = () => live.planContext('reporters');
    const isClockShifted = settings.now !== null;
    return await checkSources({ client, sources, planContext, isClockShifted });
  } finally {
    await client.close();
  }
}
