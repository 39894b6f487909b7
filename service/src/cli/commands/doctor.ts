import { Option } from 'commander';
import { loadMarketOverrides } from '../../datasets/market-overrides/store.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { sourceClient } from '../../ingest/start-live.ts';
import { systemRandom } from '../../platform/random.ts';
import type { Provider } from '../../providers/provider.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Settings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { NoStoreError } from '../../storage/errors.ts';
import { readMarker } from '../../storage/marker.ts';
import { readSchemaVersion } from '../../storage/schema/migrate.ts';
import { type CliCommand, type CliContext, CliError, StoreInUseError } from '../command.ts';
import { broken, type Check, ok, skipped, worstState } from '../doctor/check.ts';
import { checkAudit } from '../doctor/check-audit.ts';
import { checkCell } from '../doctor/check-cell.ts';
import {
  checkClockLead,
  checkDisagreements,
  checkFreshness,
  checkGaps,
  checkKeys,
  checkPriceLists,
  checkQuarantine,
  checkRequests,
} from '../doctor/check-data.ts';
import { checkFailovers } from '../doctor/check-failovers.ts';
import { checkLoops, checkQueue } from '../doctor/check-loops.ts';
import { checkMarket } from '../doctor/check-market.ts';
import { checkReleases } from '../doctor/check-releases.ts';
import { checkSnapshots } from '../doctor/check-snapshots.ts';
import { checkSources } from '../doctor/check-sources.ts';
import {
  checkCaFile,
  checkDisk,
  checkSecrets,
  checkSignUpPlan,
  checkSync,
} from '../doctor/check-startup.ts';
import { checkStatedFigures } from '../doctor/check-stated.ts';
import { fixForSystemError } from '../system-error-fix.ts';

const EXIT_BROKEN = 1;
const EXIT_WARNING = 2;

export const command: CliCommand = {
  name: 'doctor',
  add(program, context) {
    program
      .command('doctor')
      .description('Check settings, store, sources and data for problems')
      .addOption(new Option('--offline', 'Make no requests to sources').conflicts('live'))
      .option('--live', 'Only make one request to each source; needs no store')
      .option('--json', 'Print the results as JSON')
      .addHelpText('after', '\nExit codes: 0 no problems, 1 a check failed, 2 warnings only.')
      .action(({ json, offline, live }: Record<'json' | 'offline' | 'live', true | undefined>) =>
        run(context, {
          isJson: json === true,
          isLive: live === true,
          isOffline: offline === true,
        }),
      );
  },
};

async function run(
  context: CliContext,
  { isJson, isLive, isOffline }: Record<'isJson' | 'isLive' | 'isOffline', boolean>,
): Promise<void> {
  const checks = await (isLive ? runLiveChecks(context) : runChecks(context, isOffline));
  const status = worstState(checks);
  if (isJson) {
    const rows = checks.map(({ fix, ...check }) => ({ ...check, mend: fix }));
    context.stdout(`${JSON.stringify({ status, checks: rows })}\n`);
  } else context.stdout(checks.map(isLive ? renderLine : renderCheck).join(''));
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

/** Renders a check with its fix in one line. */
function renderLine({ check, state, message, fix }: Check): string {
  const label = check === 'source' ? '' : `${check}: `;
  return `${state.padEnd(8)} ${label}${message}${fix === null ? '' : `; fix: ${fix}`}\n`;
}

/** Returns the settings, or a check for each problem with them. */
function readSettings(context: CliContext): Settings | Check[] {
  try {
    return context.settings();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return error.message.split('\n').map((problem) => broken('settings', problem, 'see above'));
  }
}

/** Makes one request to each enabled source. */
async function runLiveChecks(context: CliContext): Promise<Check[]> {
  const settings = readSettings(context);
  if (Array.isArray(settings)) return settings;
  const sources = providers.filter(({ name }) => settings.sources.includes(name));
  if (sources.length === 0) return [skipped('source', 'SOURCES is not set: nothing to request')];
  return checkAllSources(context, settings, sources);
}

async function runChecks(context: CliContext, isOffline: boolean): Promise<Check[]> {
  const settings = readSettings(context);
  if (Array.isArray(settings)) return settings;
  const checks = [ok('settings', `sources: ${settings.sources.join(', ') || 'none'}`)];
  checks.push(...(await checkCaFile(settings)));
  if (settings.databaseUrl === null) {
    checks.push(await checkDisk(settings.dataDir), checkSync(settings));
  }
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
    await checkAudit(db),
    ...(await checkCell(db, settings)),
    ...(await checkLoops(deps)),
    await checkQueue(deps),
    ...(await checkFailovers(deps)),
    await checkSnapshots(db),
    ...(await checkSignUpPlan(db, settings)),
    ...(isOffline
      ? [skipped('source', 'not checked (--offline)')]
      : await checkAllSources(context, settings, sources)),
    await checkClockLead(deps),
    ...(await checkFreshness(deps)),
    ...(await checkGaps(deps)),
    ...(await checkMarket(deps)),
    ...(await checkReleases(deps)),
    ...(await checkDisagreements(deps)),
    await checkStatedFigures(deps),
    ...(await checkPriceLists(deps)),
    await checkQuarantine(deps),
    await checkRequests(deps),
    await checkKeys(deps),
  ];
}

async function checkAllSources(
  { clock }: CliContext,
  settings: Settings,
  sources: readonly Provider[],
): Promise<Check[]> {
  const setting = (name: string) => settings.sourceSettings.get(name);
  const client = sourceClient({ clock, random: systemRandom(), providers: sources, setting });
  try {
    const isClockShifted = settings.now !== null;
    return await checkSources({ client, clock, sources, setting, isClockShifted });
  } finally {
    await client.close();
  }
}
