import { type Command, Option } from 'commander';
import type { SettingFlag, SettingSpec } from '../platform/settings.ts';
import { settingsTable } from '../config/settings-table.ts';

/**
 * Adds the flags of the settings to a command: those of every command to the program, those that
 * name it to any other. The values stay text; `context.settings` reads them with the rest.
 */
export function addSettingOptions(command: Command): Command {
  for (const spec of Object.values<SettingSpec<unknown>>(settingsTable)) {
    if (spec.flag === undefined || !belongs(spec.flag, command)) continue;
    command.addOption(new Option(spec.flag.form, describe(spec)));
  }
  return command;
}

function belongs({ on }: SettingFlag, command: Command): boolean {
  return on === 'every command' ? command.parent === null : on.includes(command.name());
}

function describe(spec: SettingSpec<unknown>): string {
  const notes: string[] = [];
  if (!spec.flagOnly) notes.push(`or ${spec.name}`);
  if (spec.fallback !== null && spec.fallback !== '') notes.push(`default ${spec.fallback}`);
  return notes.length === 0 ? spec.sentence : `${spec.sentence} (${notes.join(', ')})`;
}
