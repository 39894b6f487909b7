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
import { findExposures } from './exposures.ts';

export { renderSettingsMarkdown } from './settings-docs.ts';

/** The effective settings. `settings-table.ts` describes each of them. */
export interface Settings extends OwnValues {
  /** API keys and contacts for sources by setting name; contains only those that are set. */
  sourceSettings: ReadonlyMap<string, string>;
  /** Values that must be redacted in logs. */
  secrets: readonly string[];
  /** Absolute path of the settings file, or null if there is none. */
  configFile: string | null;
}

/** The fields of a provider that are needed to read its settings. */
export interface SourceSettings {
  name: string;
  settings: readonly ProviderSetting[];
  redistribution?: Redistribution;
}

export interface ReadSettingsOptions {
  /**
   * Flags by their long names in camelCase: `{dataDir: 'x', config: 'y.env'}`. Unknown flags are
   * ignored.
   */
  flags: Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string | undefined>>;
  /** Working directory, against which relative paths are resolved. */
  cwd: string;
  sources: readonly SourceSettings[];
}

/** Thrown if settings are invalid. The message lists every problem with its fix. */
export class SettingsError extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ problem, fix }) => `${problem}: ${fix}`).join('\n'));
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

const PREFIX = 'AFTERBELL_';
/** Names that start with the service's prefix but are not settings of the service. */
const OTHER_NAMES = ['AFTERBELL_CONFIG', 'AFTERBELL_RECORDINGS'];

/**
 * Reads flags, then the environment, then the settings file given by `--config` or
 * `AFTERBELL_CONFIG`. Throws a `SettingsError` that lists every problem.
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
  const { serviceSettings, sourceSettings } = splitValues(values, Object.keys(sourceSpecs));
  problems.unshift(...file.problems);
  problems.push(...problemsOfSources(serviceSettings.sources, options.sources, sourceSettings));
  if (serviceSettings.licensedSourcesOnly)
    problems.push(...unlicensed(serviceSettings.sources, options.sources));
  if (serviceSettings.databaseReplicaUrl !== null && serviceSettings.databaseUrl === null)
    problems.push(REPLICA_WITHOUT_PRIMARY);
  if (serviceSettings.webhookDeliveryDays < serviceSettings.webhookAttemptDays)
    problems.push(ATTEMPTS_OUTLIVE_DELIVERIES);
  if (serviceSettings.nodeEnv === 'production') {
    problems.push(...testOnlySettings(serviceSettings), ...findExposures(serviceSettings));
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const secretNames = options.sources.flatMap(({ settings }) => settings.filter((s) => s.secret));
  const secrets = secretNames.flatMap(({ name }) => sourceSettings.get(name) ?? []);
  const { databaseUrl, databaseReplicaUrl, gatheringDatabaseUrl, targetDatabaseUrl } =
    serviceSettings;
  for (const url of [databaseUrl, databaseReplicaUrl, gatheringDatabaseUrl, targetDatabaseUrl])
    if (url !== null) secrets.push(url);
  const configFile = file.content === undefined ? null : file.path;
  return { ...serviceSettings, sourceSettings, secrets, configFile };
}

type OwnValues = SettingValues<typeof settingsTable>;

function splitValues(
  values: OwnValues & Readonly<Record<string, unknown>>,
  sourceNames: readonly string[],
): { serviceSettings: OwnValues; sourceSettings: Map<string, string> } {
  const serviceSettings: OwnValues & Record<string, unknown> = { ...values };
  const sourceSettings = new Map<string, string>();
  for (const name of sourceNames) {
    const value = serviceSettings[name];
    if (typeof value === 'string') sourceSettings.set(name, value);
    delete serviceSettings[name];
  }
  return { serviceSettings, sourceSettings };
}

const REPLICA_WITHOUT_PRIMARY: SettingProblem = {
  problem: 'DATABASE_REPLICA_URL is set without DATABASE_URL, but a replica accepts no writes',
  fix: 'set DATABASE_URL to its primary, or unset DATABASE_REPLICA_URL',
};

const ATTEMPTS_OUTLIVE_DELIVERIES: SettingProblem = {
  problem:
    'WEBHOOK_DELIVERY_DAYS is less than WEBHOOK_ATTEMPT_DAYS, but an attempt is only shown with its delivery',
  fix: 'raise WEBHOOK_DELIVERY_DAYS or lower WEBHOOK_ATTEMPT_DAYS',
};

/** Reports settings that must not be used in production. */
function testOnlySettings(settings: OwnValues): SettingProblem[] {
  const problems: SettingProblem[] = [];
  if (settings.now !== null) {
    problems.push({
      problem: 'NOW is set while NODE_ENV is production, so responses would carry a wrong time',
      fix: 'unset NOW, or unset NODE_ENV=production if this is a test',
    });
  }
  if (settings.webhookDevAllow.length > 0 && !settings.webhookDevAllowInProduction) {
    problems.push({
      problem:
        'WEBHOOK_DEV_ALLOW is set while NODE_ENV is production, so customers could reach your own network',
      fix: 'unset WEBHOOK_DEV_ALLOW; or, if you trust every customer, set WEBHOOK_DEV_ALLOW_IN_PRODUCTION=true',
    });
  }
  return problems;
}

/** Returns the setting specs of all providers by name. Two providers may share a setting. */
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
  sources: readonly SourceSettings[],
  values: ReadonlyMap<string, string>,
): SettingProblem[] {
  const names = sources.map((source) => source.name);
  const problems: SettingProblem[] = [];
  if (chosen.includes('sandbox') && chosen.length > 1) {
    problems.push({
      problem: 'SOURCES lists sandbox with real sources, but simulated and real data never mix',
      fix: 'remove sandbox, or make it the only source',
    });
  }
  // Without configured sources, the service runs the sandbox.
  for (const name of chosen.length === 0 ? sources.map((s) => s.name).filter(isSandbox) : chosen) {
    const source = sources.find((candidate) => candidate.name === name);
    if (source === undefined) {
      const suggestion = closestMatch(name, names);
      problems.push({
        problem: `there is no source "${name}" (SOURCES)`,
        fix:
          suggestion === null ? `choose from ${names.join(', ')}` : `did you mean ${suggestion}?`,
      });
    }
    for (const setting of source?.settings ?? []) {
      const value = values.get(setting.name);
      if (value === undefined && setting.required) {
        problems.push({ problem: `source ${name} requires ${setting.name}`, fix: setting.fix });
      } else if (value !== undefined && setting.accepts?.(value) === false) {
        problems.push({ problem: `${setting.name} is invalid`, fix: setting.fix });
      }
    }
  }
  return problems;
}

function isSandbox(name: string): boolean {
  return name === 'sandbox';
}

/** Reports the sources that no license allows a public service to show. */
function unlicensed(
  chosen: readonly string[],
  sources: readonly SourceSettings[],
): SettingProblem[] {
  const licensable = sources.filter(({ redistribution = 'allowed' }) =>
    mayBeLicensed(redistribution),
  );
  const names = licensable.map(({ name }) => name).filter((name) => name !== 'sandbox');
  return sources
    .filter((source) => chosen.includes(source.name) && !licensable.includes(source))
    .map(({ name }) => ({
      problem: `source ${name} sells no licence to show its data, but LICENSED_SOURCES_ONLY is true`,
      fix: `remove ${name} from SOURCES and choose from ${names.join(', ')}; or, if only you use the data, set LICENSED_SOURCES_ONLY=false`,
    }));
}

function readConfigFile(options: ReadSettingsOptions): {
  path: string;
  content?: string;
  problems: SettingProblem[];
} {
  const flag = options.flags['config'];
  const file = typeof flag === 'string' ? flag : options.env['AFTERBELL_CONFIG'];
  if (file === undefined || file === '') return { path: '', problems: [] };
  const path = resolve(options.cwd, file);
  try {
    return { path, content: readFileSync(path, 'utf8'), problems: [] };
  } catch {
    const problem = `the settings file ${path} cannot be read`;
    return { path, problems: [{ problem, fix: 'correct --config or AFTERBELL_CONFIG' }] };
  }
}
