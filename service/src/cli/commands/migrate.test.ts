import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runAfterbell, scratchFolder } from '../../../test/support/afterbell-process.ts';
import { emptyPostgres } from '../../../test/support/empty-postgres.ts';
import { loadMigrations, migrate, MIGRATIONS_FOLDER } from '../../storage/schema/migrate.ts';
import { openPglite } from '../../storage/engines/pglite/pglite.ts';
import { openPostgres } from '../../storage/engines/postgres/postgres.ts';

const TIMEOUT = { timeout: 240_000 };

async function names(from = 1): Promise<string[]> {
  const files = (await loadMigrations()).filter(({ number }) => number >= from);
  return files.map(({ number, name }) => `${String(number).padStart(4, '0')}-${name}`);
}

test(
  'one role makes the tables, and another that may make none runs the service on them',
  TIMEOUT,
  async ({ skip }) => {
    const empty = await emptyPostgres();
    if ('missing' in empty) return skip(empty.missing);
    const clerk = `afterbell_clerk_${process.pid}`;
    const asClerk = new URL(empty.url);
    asClerk.username = clerk;
    asClerk.password = 'secret';
    const ofOwner = ['--database-url', empty.url];
    const ofClerk = ['--database-url', asClerk.href];
    const owner = openPostgres({ url: empty.url });
    onTestFinished(async () => {
      await owner.execute(`drop owned by ${clerk}; drop role ${clerk}`);
      await owner.close();
    });
    await owner.execute(`
      create role ${clerk} login password 'secret';
      revoke create on schema public from public;
      grant usage on schema public to ${clerk}`);

    const tooEarly = await runAfterbell(['keys', 'create', '--plan', 'free', ...ofClerk]);
    expect(tooEarly).toMatchObject({ code: 1, stdout: '' });
    expect(tooEarly.stderr).toContain('run `afterbell migrate`');
    const dry = await runAfterbell(['migrate', '--dry-run', '--json', ...ofOwner]);
    expect(JSON.parse(dry.stdout)).toEqual({ applied: [], pending: await names() });
    expect(await owner.query("select 1 from pg_tables where schemaname = 'public'")).toEqual([]);

    const done = await runAfterbell(['migrate', ...ofOwner]);
    expect(done).toMatchObject({ code: 0, stdout: (await names()).map((n) => `${n}\n`).join('') });
    const forgotten = await runAfterbell(['keys', 'list', ...ofClerk]);
    expect(forgotten).toMatchObject({ code: 1, stdout: '' });
    expect(forgotten.stderr).toContain('alter default privileges');

    await owner.execute(
      `grant select, insert, update, delete on all tables in schema public to ${clerk}`,
    );
    const key = await runAfterbell(['keys', 'create', '--plan', 'free', ...ofClerk]);
    expect(key).toMatchObject({ code: 0, stdout: expect.stringMatching(/^eds_/) });
    const again = await runAfterbell(['migrate', ...ofClerk]);
    expect(again).toMatchObject({ code: 0, stdout: '' });
  },
);

test(
  'a store in a folder is backed up and brought forward, and a dry run leaves it',
  TIMEOUT,
  async () => {
    const data = scratchFolder();
    const none = await runAfterbell(['migrate', '--data-dir', data]);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('there is no store in');

    await mkdir(join(data, 'live'));
    const old = await openPglite({ dataDir: join(data, 'live', 'pg') });
    await migrate(old, MIGRATIONS_FOLDER, 3);
    await old.close();
    const todo = (await names(4)).map((name) => `${name}\n`).join('');
    const dry = await runAfterbell(['migrate', '--dry-run', '--data-dir', data]);
    expect(dry).toMatchObject({ code: 0, stdout: todo });
    expect(await readdir(data)).toEqual(['live']);

    const done = await runAfterbell(['migrate', '--data-dir', data]);
    expect(done).toMatchObject({ code: 0, stdout: todo });
    expect(await readdir(data)).toEqual(['live', 'live.before-0004.tar']);
    const again = await runAfterbell(['migrate', '--json', '--data-dir', data]);
    expect(JSON.parse(again.stdout)).toEqual({ applied: [], pending: [] });
  },
);
