import { parseEnvFile } from './env-file.ts';
import { closestMatch } from './closest-match.ts';
import type { SettingType } from './setting-types.ts';

/** A row in a settings table. */
export interface SettingSpec<T> {
  /** Name in the environment and in files, such as `DATA_DIR`. */
  name: string;
  type: SettingType<T>;
  /** The default value as text. Null if there is none. */
  fallback: string | null;
  /** A sentence that describes the setting. */
  sentence: string;
  unit?: string;
  /** True for a secret, which never appears in messages or in the documentation. */
  secret?: true;
  flag?: SettingFlag;
  /** True if the setting is read only from its flag, never from the environment or a file. */
  flagOnly?: true;
}

export interface SettingFlag {
  /** Form of the flag on the command line, such as `--data-dir <folder>`. */
  form: string;
  /** The commands that accept the flag. */
  on: 'every command' | readonly string[];
}

export interface SettingsInput {
  /** Values by flag name in camelCase, as the command line parser returns them. */
  flags: Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string | undefined>>;
  /** The content of a settings file. */
  file?: { path: string; content: string };
  /** Folder against which relative paths are resolved. */
  folder: string;
  /** Environment variables with this prefix must be known settings. */
  prefix: string;
  /** Names that have the prefix but aren't settings. They are ignored. */
  otherNames: readonly string[];
}

/** An invalid setting and how to fix it. */
export interface SettingProblem {
  problem: string;
  fix: string;
}

/** A setting with a fallback always has a value. A setting without one may be null. */
export type SettingValues<Table> = {
  [Key in keyof Table]: Table[Key] extends { type: SettingType<infer T>; fallback: infer F }
    ? F extends string
      ? T
      : T | null
    : never;
};

type Specs = Readonly<Record<string, SettingSpec<unknown>>>;

interface SettingSource {
  value: string;
  from: string;
}

/**
 * Reads every setting in a table. Flags override the environment, which overrides the file. An
 * empty value is treated as missing. In the environment and in the file, the prefixed name
 * overrides the plain name. Returns all problems together, so a single start reports all of them.
 */
export function readSettingTable<const Table extends Specs>(
  table: Table,
  input: SettingsInput,
): { values: SettingValues<Table>; problems: SettingProblem[] } {
  const file = readFile(table, input);
  const problems = [...file.problems, ...unknownInEnvironment(table, input)];
  const values: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries(table)) {
    const source = findSource(spec, input, file.values);
    const fallback = spec.fallback === null ? null : spec.type.parse(spec.fallback, input.folder);
    const parsed = source === null ? fallback : spec.type.parse(source.value, input.folder);
    if (source !== null && parsed === null) problems.push(invalidValue(spec, source));
    values[key] = parsed?.value ?? null;
  }
  return { values: values as SettingValues<Table>, problems };
}

/** Converts a flag to its key among the parsed flags: `--data-dir <folder>` becomes `dataDir`. */
function flagKey(flag: SettingFlag): string {
  const name = flag.form.replace(/^--/, '').replace(/[ =].*$/, '');
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function findSource(
  spec: SettingSpec<unknown>,
  input: SettingsInput,
  fileValues: ReadonlyMap<string, SettingSource>,
): SettingSource | null {
  const flag = spec.flag === undefined ? undefined : input.flags[flagKey(spec.flag)];
  if (typeof flag === 'string' && flag !== '') return { value: flag, from: 'command line' };
  if (spec.flagOnly) return null;
  for (const name of [input.prefix + spec.name, spec.name]) {
    const value = input.env[name]?.trim();
    if (value !== undefined && value !== '') return { value, from: `environment, ${name}` };
  }
  return fileValues.get(spec.name) ?? null;
}

function readFile(
  table: Specs,
  input: SettingsInput,
): { values: Map<string, SettingSource>; problems: SettingProblem[] } {
  const values = new Map<string, SettingSource>();
  const problems: SettingProblem[] = [];
  if (input.file === undefined) return { values, problems };
  const { path, content } = input.file;
  const names = knownNames(table);
  const { lines, invalidLines: badLines } = parseEnvFile(content);
  for (const lineNumber of badLines) {
    problems.push({
      problem: `${path} line ${lineNumber} is not NAME=value`,
      fix: 'write one NAME=value per line; a comment starts with #',
    });
  }
  const prefixed = new Set<string>();
  for (const line of lines) {
    const hasPrefix = line.name.startsWith(input.prefix);
    const name = hasPrefix ? line.name.slice(input.prefix.length) : line.name;
    const where = `${path} line ${line.lineNumber}`;
    if (!names.includes(name)) problems.push(unknownName(line.name, where, name, names));
    else if (line.value !== '' && (hasPrefix || !prefixed.has(name))) {
      values.set(name, { value: line.value, from: where });
      if (hasPrefix) prefixed.add(name);
    }
  }
  return { values, problems };
}

function unknownInEnvironment(table: Specs, input: SettingsInput): SettingProblem[] {
  const names = knownNames(table);
  return Object.keys(input.env)
    .filter((name) => name.startsWith(input.prefix) && !input.otherNames.includes(name))
    .filter((name) => !names.includes(name.slice(input.prefix.length)))
    .map((name) => unknownName(name, 'environment', name.slice(input.prefix.length), names));
}

function knownNames(table: Specs): string[] {
  return Object.values(table)
    .filter((spec) => !spec.flagOnly)
    .map((spec) => spec.name);
}

function unknownName(
  shown: string,
  where: string,
  name: string,
  names: readonly string[],
): SettingProblem {
  const suggestion = closestMatch(name, names);
  return {
    problem: `unknown setting ${shown} (${where})`,
    fix:
      suggestion === null
        ? 'remove it, or see docs/settings.md for all names'
        : `did you mean ${suggestion}?`,
  };
}

function invalidValue(
  { name, type, secret }: SettingSpec<unknown>,
  source: SettingSource,
): SettingProblem {
  const shown = secret ? '' : ` "${(type.show?.(source.value) ?? source.value).slice(0, 80)}"`;
  const corrected = type.correct?.(source.value) ?? null;
  const fix =
    corrected === null ? `for example, set ${name}=${type.example}` : `set ${name}=${corrected}`;
  return {
    problem: `${name}${shown} must be ${type.describe} (${source.from})`,
    fix: secret ? 'see docs/settings.md' : fix,
  };
}
