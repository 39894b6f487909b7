import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAfterbell, scratchFolder, spawnAfterbell } from '../support/afterbell-process.ts';
import { type CellWorld, cellWorld } from '../support/cells/cell-world.ts';
import { openPostgres } from '../../src/storage/engines/postgres/postgres.ts';

const TIMEOUT = { timeout: 240_000 };

let world: CellWorld;
beforeAll(async () => {
  world = await cellWorld([]);
  const admin = openPostgres({ url: world.server.url, poolSize: 1 });
  for (const name of ['east', 'west']) await admin.query(`create database ${name}`);
  await admin.close();
}, 120_000);
afterAll(() => world.close());

/** Runs a command on a cell, as an operator would. Fails the test if the command fails. */
async function run(cell: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runAfterbell(args, envOf(cell));
  expect(code, `${args.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
}

function envOf(cell: string): Record<string, string> {
  return {
    DATABASE_URL: urlOf(cell),
    GATHERING_DATABASE_URL: world.gathering.url,
    TARGET_DATABASE_URL: urlOf(cell === 'east' ? 'west' : 'east'),
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATA_DIR: scratchFolder(),
  };
}

function urlOf(database: string): string {
  const url = new URL(world.server.url);
  url.pathname = `/${database}`;
  return url.href;
}

test(
  'adds two cells and moves a customer, whose move was killed and aborted before',
  TIMEOUT,
  async () => {
    for (const cell of ['east', 'west']) {
      expect(await run(cell, ['cell', 'init', cell])).toMatch(`The cell ${cell} has all facts.`);
    }
    await world.beat();
    await expect
      .poll(() => runAfterbell(['cell', 'status', '--json'], envOf('east')), { timeout: 30_000 })
      .toMatchObject({
        code: 0,
        stdout: expect.stringContaining('"condition":"following"') as string,
      });

    const key = (await run('east', ['keys', 'create', '--customer', 'Example Corp'])).trim();
    const id = `${key.slice(0, 13)}${key.slice(-4)}`;
    expect(await run('east', ['cell', 'routes'])).toBe(`${id} east;\n`);

    // Killed while requests are rejected: the customer is served again after an abort or another move.
    const west = openPostgres({ url: urlOf('west'), poolSize: 1 });
    await west.transaction(async (tx) => {
      await tx.query('lock table customer in exclusive mode');
      const killed = spawnAfterbell(['cell', 'move', 'Example Corp'], envOf('east'));
      await killed.line(/^requests are rejected/);
      killed.child.kill('SIGKILL');
      expect(await killed.ended).toBe('SIGKILL');
    });
    await west.close();
    const abort = ['cell', 'move', 'Example Corp', '--abort'];
    expect(await run('east', abort)).toMatch('stays on this cell');
    expect(await run('east', ['cell', 'routes'])).toBe(`${id} east;\n`);

    const move = ['cell', 'move', 'Example Corp', '--url', 'https://west.example.com'];
    expect(await run('east', move)).toMatch(/^Moved cus_\S+, after \d+ ms without requests/);
    expect(await run('east', ['cell', 'routes'])).toBe('');
    expect(await run('west', ['cell', 'routes'])).toBe(`${id} west;\n`);
    expect(await run('east', move)).toMatch(/^Moved cus_/);
  },
);
