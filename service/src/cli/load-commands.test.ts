import { expect, test } from 'vitest';
import { loadCommands } from './load-commands.ts';
import { commands } from './commands/registry.gen.ts';

const namesFor = async (line: string) => {
  const loaded = await loadCommands(line === '' ? [] : line.split(' '));
  return loaded.map(({ name }) => name);
};

test('a line that names a command loads it and no other', async () => {
  expect(await namesFor('keys create --customer cus_1')).toEqual(['keys']);
  expect(await namesFor('--sandbox --config a.env market-status')).toEqual(['market-status']);
});

test('where a value is the name of another one, both are loaded', async () => {
  expect(await namesFor('customers add keys')).toEqual(['customers', 'keys']);
});

test.each(['', '--help', 'help', '-h', 'keys --help', 'help keys', 'kyes', '--version'])(
  '"%s" loads all: help lists them, and a wrong name is compared with them',
  async (line) => {
    expect(await namesFor(line)).toEqual(Object.keys(commands));
  },
);

test('a command has the name of its file', async () => {
  for (const [name, load] of Object.entries(commands)) expect((await load()).name).toBe(name);
});
