import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { SettingSpec } from '../platform/settings.ts';
import { renderSettingsMarkdown } from '../config/settings.ts';
import { settingsTable } from '../config/settings-table.ts';
import { commands } from './commands/registry.gen.ts';
import { addSettingOptions } from './setting-options.ts';

function optionsOf(command: Command): string[] {
  return command.options.map(({ flags }) => flags);
}

test('adds global flags to the program and all other flags to the commands they apply to', () => {
  const program = new Command();
  expect(optionsOf(addSettingOptions(program))).toContain('--data-dir <folder>');
  const serve = optionsOf(addSettingOptions(program.command('serve')));
  expect(serve).toEqual([
    '--port <number>',
    '--host <address>',
    '--processes <number>',
    '--sources <list>',
    '--now <instant>',
  ]);
  expect(optionsOf(addSettingOptions(program.command('work')))).toEqual(['--now <instant>']);
  expect(optionsOf(addSettingOptions(program.command('keys')))).toEqual([]);
});

test('adds flags only to commands that exist', () => {
  const names = Object.keys(commands);
  for (const { flag } of Object.values<SettingSpec<unknown>>(settingsTable)) {
    if (flag === undefined || flag.on === 'every command') continue;
    expect(names).toEqual(expect.arrayContaining([...flag.on]));
  }
});

test('documents which commands accept each flag', () => {
  const page = renderSettingsMarkdown();
  expect(page).toContain('| `PORT` | `--port <number>`, start, serve |');
  expect(page).toContain('| `DATA_DIR` | `--data-dir <folder>`, every command |');
});
