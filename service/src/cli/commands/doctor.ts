import { loadMarketOverrides } from '../../datasets/market-overrides/store.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { liveDeps, sourceClient } from '../../ingest/start-live.ts';
import { systemRandom } from '../../platform/random.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Settings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { NoStoreError } from '../../storage/errors.ts';
import { readMarker } from '../../storage/marker.ts';
import { readSchemaVersion } from '../../storage/schema/migrate.ts';
import { type CliCommand, type CliContext, CliError, StoreInUseError } from '../command.ts';
import { broken, type Check, ok, skipped, worstState } from '../doctor/check.ts';
import {
  checkDisagreements,
  checkFreshness,
  checkGaps,
  checkKeys,
  checkPriceLists,
  checkQuarantine,
  checkRequests,
} from '../doctor/check-data.ts';
import { checkMarket } from '../doctor/check-market.ts';
import { checkSources } from '../doctor/check-sources.ts';
import { checkCaFile, checkDisk, checkSecrets, checkSignUpPlan } from '../doctor/check-startup.ts';
import { createLiveOptions } from '../sources/run-ingestion.ts';
import { fixForSystemError } from '../system-error-fix.ts';

const EXIT_BROKEN = 1;
const EXIT_WARNING = 2;

export const command: CliCommand = {
  name: 'doctor',
  add(program, context) {
    program
      .command('doctor')
      .description('Check settings, store, sources and data for problems')
      .option('--offline', 'Make no requests to sources')
      .option('--json', 'Print the results as JSON')
      .addHelpText('after', '\nExit codes: 0 no problems, 1 a check failed, 2 warnings only.')
      .action(({ json, offline }: { json?: boolean; offline?: boolean }) =>
        run(context, { isJson: json === true, isOffline: offline === true }),
      );
  },
};

async function run(
  context: CliContext,
  { isJson, isOffline }: { isJson: boolean; isOffline: boolean },
): Promise<void> {
  const checks = await runChecks(context, isOffline);
  const status = worstState(checks);
  if (isJson) {
    const rows = checks.map(({ fix, ...check }) => ({ ...check, mend: fix }));
    context.stdout(`${JSON.stringify({ status, checks: rows })}\n`);
  } else context.stdout(checks.map(renderCheck).join(''));
  const problemCount = checks.filter(
    ({ state }) => state === 'broken' || state === 'warning',
  ).length;
  if (status === 'ok') return;
  const exitCode = status === 'broken' ? EXIT_BROKEN : EXIT_WARNING;
  throw new CliError(`${problemCount} of ${checks.length} checks need attention`, exitCode);
}

function renderCheck({ check, state, message, fix }: Check): string {
  const line = `${state.padEnd(8)} ${check.padEnd(14)} ${message}\n`;
  return fix === null ? line : `${line}${' '.repeat(24)}fix: ${fix}\n`;
}

async function runChecks(context: CliContext, isOffline: boolean): Promise<Check[]> {
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
      return [...checks, ...(await checkStore(context, settings, db, isOffline))];
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof StoreInUseError || !(error instanceof Error)) throw error;
    // A missing store is normal before the first start.
    if (error instanceof NoStoreError) return [...checks, skipped('store', error.message)];
    const fix = fixForSystemError(error) ?? 'the other checks need an open store';
    return [...checks, broken('store', error.message, fix)];
  }
}

async function checkStore(
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
    ...(await checkAllSources(context, settings, db, sources, isOffline)),
    ...(await checkFreshness(deps)),
    ...(await checkGaps(deps)),
    ...(await checkMarket(deps)),
    ...(await checkDisagreements(deps)),
    ...(await checkPriceLists(deps)),
    await checkQuarantine(deps),
    await checkRequests(deps),
    await checkKeys(deps),
  ];
}

async function checkAllSources(
  context: CliContext,
  settings: Settings,
  db: Db,
  sources: (typeof providers)[number][],
  isOffline: boolean,
): Promise<Check[]> {
  if (isOffline) return [skipped('source', 'not checked (--offline)')];
  const options = createLiveOptions(db, sources, {
    context,
    random: systemRandom(),
    settings,
    logLevel: 'silent',
  });
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
