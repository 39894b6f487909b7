import { type Command, Option } from 'commander';
import type { SettingFlag, SettingSpec } from '../platform/settings.ts';
import { settingsTable } from '../config/settings-table.ts';

/**
 * Adds the flags of settings to a command: global flags to the program, and other flags to the
 * subcommands they apply to. Values remain text; `context.settings` parses them.
 */
export function addSettingOptions(command: Command): Command {
  for (const spec of Object.values<SettingSpec<unknown>>(settingsTable)) {
    if (spec.flag === undefined || !appliesTo(spec.flag, command)) continue;
    command.addOption(new Option(spec.flag.form, describe(spec)));
  }
  return command;
}

function appliesTo({ on }: SettingFlag, command: Command): boolean {
  return on === 'every command' ? command.parent === null : on.includes(command.name());
}

function describe({ name, sentence, flagOnly, fallback }: SettingSpec<unknown>): string {
  const notes: string[] = [];
  if (!flagOnly) notes.push(`or ${name}`);
  if (fallback !== null && fallback !== '') notes.push(`default ${fallback}`);
  return notes.length === 0 ? sentence : `${sentence.replace(/\.$/, '')} (${notes.join(', ')})`;
}
