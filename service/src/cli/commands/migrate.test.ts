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
  "migrates with the owner's database role, then runs the service with a role that cannot create tables",
  TIMEOUT,
  async ({ skip }) => {
    const empty = await emptyPostgres();
    if ('missing' in empty) return skip(empty.missing);
    const serviceRole = `afterbell_service_${process.pid}`;
    const serviceUrl = new URL(empty.url);
    serviceUrl.username = serviceRole;
    serviceUrl.password = 'secret';
    const ownerArgs = ['--database-url', empty.url];
    const serviceArgs = ['--database-url', serviceUrl.href];
    const owner = openPostgres({ url: empty.url });
    onTestFinished(async () => {
      await owner.execute(`drop owned by ${serviceRole}; drop role ${serviceRole}`);
      await owner.close();
    });
    await owner.execute(`
      create role ${serviceRole} login password 'secret';
      revoke create on schema public from public;
      grant usage on schema public to ${serviceRole}`);

    const beforeMigration = await runAfterbell([
      'keys',
      'create',
      '--plan',
      'free',
      ...serviceArgs,
    ]);
    expect(beforeMigration).toMatchObject({ code: 1, stdout: '' });
    expect(beforeMigration.stderr).toContain('run `afterbell migrate`');
    const dry = await runAfterbell(['migrate', '--dry-run', '--json', ...ownerArgs]);
    expect(JSON.parse(dry.stdout)).toEqual({ applied: [], pending: await names() });
    expect(await owner.query("select 1 from pg_tables where schemaname = 'public'")).toEqual([]);

    const done = await runAfterbell(['migrate', ...ownerArgs]);
    expect(done).toMatchObject({ code: 0, stdout: (await names()).map((n) => `${n}\n`).join('') });
    const withoutGrants = await runAfterbell(['keys', 'list', ...serviceArgs]);
    expect(withoutGrants).toMatchObject({ code: 1, stdout: '' });
    expect(withoutGrants.stderr).toContain('alter default privileges');

    await owner.execute(
      `grant select, insert, update, delete on all tables in schema public to ${serviceRole}`,
    );
    const key = await runAfterbell(['keys', 'create', '--plan', 'free', ...serviceArgs]);
    expect(key).toMatchObject({ code: 0, stdout: expect.stringMatching(/^eds_/) });
    const again = await runAfterbell(['migrate', ...serviceArgs]);
    expect(again).toMatchObject({ code: 0, stdout: '' });
  },
);

test(
  'backs up and migrates a store in a folder, but changes nothing in a dry run',
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
    const pending = (await names(4)).map((name) => `${name}\n`).join('');
    const dry = await runAfterbell(['migrate', '--dry-run', '--data-dir', data]);
    expect(dry).toMatchObject({ code: 0, stdout: pending });
    expect(await readdir(data)).toEqual(['live']);

    const done = await runAfterbell(['migrate', '--data-dir', data]);
    expect(done).toMatchObject({ code: 0, stdout: pending });
    expect(await readdir(data)).toEqual(['live', 'live.before-0004.tar']);
    const again = await runAfterbell(['migrate', '--json', '--data-dir', data]);
    expect(JSON.parse(again.stdout)).toEqual({ applied: [], pending: [] });
  },
);
