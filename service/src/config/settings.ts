import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { closestMatch } from '../platform/closest-match.ts';
import {
  readSettingTable,
  type SettingProblem,
  type SettingSpec,
  type SettingValues,
} from '../platform/settings.ts';
import { text } from '../platform/setting-types.ts';
import { mayBeLicensed } from '../providers/licensed-providers.ts';
import type { ProviderSetting, Redistribution } from '../providers/provider.ts';
import { settingsTable } from './settings-table.ts';
import { checkPublicUrl } from './public-url.ts';

export { renderSettingsMarkdown } from './settings-docs.ts';

/** The settings as they hold, typed; see `settings-table.ts` for what each one means. */
export interface Settings extends OwnValues {
  /** Keys and contacts of sources, by name; only those that were given. */
  sourceSettings: ReadonlyMap<string, string>;
  /** Values that must never be seen in a log. */
  secrets: readonly string[];
}

/** As much of a provider as settings need. */
export interface SourceSettings {
  name: string;
  settings: readonly ProviderSetting[];
  redistribution?: Redistribution;
}

export interface ReadSettingsOptions {
  /** By long name in camelCase: `{dataDir: 'x', config: 'y.env'}`. Others are not looked at. */
  flags: Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder in which the command was typed; relative paths start here. */
  cwd: string;
  sources: readonly SourceSettings[];
}

/** The settings cannot be used; the message lists every problem with its fix. */
export class SettingsError extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ problem, fix }) => `${problem}: ${fix}`).join('\n'));
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

const PREFIX = 'AFTERBELL_';
/** Ours by their prefix, but not settings of the service. */
const OTHER_NAMES = ['AFTERBELL_CONFIG', 'AFTERBELL_RECORDINGS'];

/**
 * Reads flags, then the environment, then the settings file named by `--config` or
 * `AFTERBELL_CONFIG`. Throws `SettingsError` with every problem at once.
 */
export function readSettings(options: ReadSettingsOptions): Settings {
  const sourceSpecs = specsOfSources(options.sources);
  const file = readConfigFile(options);
  const { values, problems } = readSettingTable(
    { ...sourceSpecs, ...settingsTable },
    {
      flags: options.flags,
      env: options.env,
      folder: options.cwd,
      prefix: PREFIX,
      otherNames: OTHER_NAMES,
      ...(file.content === undefined ? {} : { file: { path: file.path, content: file.content } }),
    },
  );
  const { own, sourceSettings } = splitValues(values, Object.keys(sourceSpecs));
  problems.unshift(...file.problems);
  problems.push(...problemsOfSources(own.sources, options.sources, sourceSettings));
  if (own.licensedSourcesOnly) problems.push(...unlicensed(own.sources, options.sources));
  if (own.databaseReplicaUrl !== null && own.databaseUrl === null) problems.push(REPLICA_ALONE);
  if (own.webhookDeliveryDays < own.webhookAttemptDays) problems.push(ATTEMPTS_LONGER);
  if (own.nodeEnv === 'production') {
    problems.push(...forTestsAlone(own), ...[checkPublicUrl(own) ?? []].flat());
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const secretNames = options.sources.flatMap(({ settings }) => settings.filter((s) => s.secret));
  const secrets = secretNames.flatMap(({ name }) => sourceSettings.get(name) ?? []);
  for (const url of [own.databaseUrl, own.databaseReplicaUrl]) if (url !== null) secrets.push(url);
  return { ...own, sourceSettings, secrets };
}

type OwnValues = SettingValues<typeof settingsTable>;

function splitValues(
  values: OwnValues & Readonly<Record<string, unknown>>,
  sourceNames: readonly string[],
): { own: OwnValues; sourceSettings: Map<string, string> } {
  const own: OwnValues & Record<string, unknown> = { ...values };
  const sourceSettings = new Map<string, string>();
  for (const name of sourceNames) {
    const value = own[name];
    if (typeof value === 'string') sourceSettings.set(name, value);
    delete own[name];
  }
  return { own, sourceSettings };
}

const REPLICA_ALONE: SettingProblem = {
  problem: 'DATABASE_REPLICA_URL is set without DATABASE_URL, and a replica takes in no changes',
  fix: 'set DATABASE_URL to its primary, or take DATABASE_REPLICA_URL out',
};

const ATTEMPTS_LONGER: SettingProblem = {
  problem:
    'WEBHOOK_DELIVERY_DAYS is less than WEBHOOK_ATTEMPT_DAYS, and no log shows an attempt without its delivery',
  fix: 'raise WEBHOOK_DELIVERY_DAYS or lower WEBHOOK_ATTEMPT_DAYS',
};

/** What a public service must not run with. */
function forTestsAlone(own: OwnValues): SettingProblem[] {
  const problems: SettingProblem[] = [];
  if (own.now !== null) {
    problems.push({
      problem: 'NOW is set while NODE_ENV is production, and customers would be told a wrong time',
      fix: 'take out NOW, or NODE_ENV=production if this is a test',
    });
  }
  if (own.webhookDevAllow.length > 0 && !own.webhookDevAllowInProduction) {
    problems.push({
      problem:
        'WEBHOOK_DEV_ALLOW is set while NODE_ENV is production, and customers could reach your own network',
      fix: 'take out WEBHOOK_DEV_ALLOW; or, where you trust every customer, set WEBHOOK_DEV_ALLOW_IN_PRODUCTION=true',
    });
  }
  return problems;
}

/** Rows for the settings of providers, by their names; two providers may share one. */
function specsOfSources(sources: readonly SourceSettings[]): Record<string, SettingSpec<string>> {
  const specs: Record<string, SettingSpec<string>> = {};
  for (const setting of sources.flatMap((source) => source.settings)) {
    specs[setting.name] = {
      name: setting.name,
      type: text(),
      fallback: null,
      sentence: setting.describe,
      ...(setting.secret ? { secret: true as const } : {}),
    };
  }
  return specs;
}

function problemsOfSources(
  chosen: readonly string[],
  known: readonly SourceSettings[],
  given: ReadonlyMap<string, string>,
): SettingProblem[] {
  const names = known.map((source) => source.name);
  const problems: SettingProblem[] = [];
  if (chosen.includes('sandbox') && chosen.length > 1) {
    problems.push({
      problem:
        'SOURCES names sandbox beside real sources, and fictional rows never mix with real ones',
      fix: 'take sandbox out, or leave it alone',
    });
  }
  // Without sources the sandbox is shown.
  for (const name of chosen.length === 0 ? known.map((s) => s.name).filter(isSandbox) : chosen) {
    const source = known.find((candidate) => candidate.name === name);
    if (source === undefined) {
      const near = closestMatch(name, names);
      problems.push({
        problem: `there is no source "${name}" (SOURCES)`,
        fix: near === null ? `choose from ${names.join(', ')}` : `did you mean ${near}?`,
      });
    }
    for (const setting of source?.settings ?? []) {
      const value = given.get(setting.name);
      if (value === undefined && setting.required) {
        problems.push({ problem: `source ${name} needs ${setting.name}`, fix: setting.fix });
      } else if (value !== undefined && setting.accepts?.(value) === false) {
        problems.push({ problem: `${setting.name} will not do`, fix: setting.fix });
      }
    }
  }
  return problems;
}

function isSandbox(name: string): boolean {
  return name === 'sandbox';
}

/** Sources that no contract makes fit for a public service. */
function unlicensed(chosen: readonly string[], known: readonly SourceSettings[]): SettingProblem[] {
  const fit = known.filter(({ redistribution = 'allowed' }) => mayBeLicensed(redistribution));
  const names = fit.map(({ name }) => name).filter((name) => name !== 'sandbox');
  return known
    .filter((source) => chosen.includes(source.name) && !fit.includes(source))
    .map(({ name }) => ({
      problem: `source ${name} gives nobody the right to show its data, and LICENSED_SOURCES_ONLY is true`,
      fix: `take ${name} out of SOURCES and choose from ${names.join(', ')}; or, where only you use the data, set LICENSED_SOURCES_ONLY=false`,
    }));
}

function readConfigFile(options: ReadSettingsOptions): {
  path: string;
  content?: string;
  problems: SettingProblem[];
} {
  const flag = options.flags['config'];
  const named = typeof flag === 'string' ? flag : options.env['AFTERBELL_CONFIG'];
  if (named === undefined || named === '') return { path: '', problems: [] };
  const path = resolve(options.cwd, named);
  try {
    return { path, content: readFileSync(path, 'utf8'), problems: [] };
  } catch {
    const problem = `the settings file ${path} cannot be read`;
    return { path, problems: [{ problem, fix: 'correct --config or AFTERBELL_CONFIG' }] };
  }
}
