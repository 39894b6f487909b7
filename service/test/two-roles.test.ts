import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../src/storage/engines/postgres/postgres.ts';
import { runAfterbell, scratchFolder, startAfterbell } from './support/afterbell-process.ts';
import { killablePostgres } from './support/killable-postgres.ts';

const GUIDE = new URL('../../docs/backup-and-restore.md', import.meta.url);
const TIMEOUT = { timeout: 240_000 };

/** Returns the statements of the guide that let one role own the tables and another use them. */
function grantsOfGuide(): string {
  const [, sql] =
    /psql -d afterbell -U afterbell_owner <<'SQL'\n(.*?)\nSQL\n/s.exec(
      readFileSync(GUIDE, 'utf8'),
    ) ?? [];
  return sql ?? expect.fail('the guide has no statements for two roles');
}

test(
  'a role that owns no table serves, backs up and restores, with the settings file of the printed commands',
  TIMEOUT,
  async () => {
    const server = await killablePostgres();
    onTestFinished(() => server.close());
    const urlOf = (role: string, database: string): string =>
      `postgres://${role}@127.0.0.1:${server.port}/${database}`;
    const admin = openPostgres({ url: server.url, poolSize: 1 });
    await admin.query('create role afterbell_owner login');
    await admin.query('create database afterbell owner afterbell_owner');
    await admin.query('create database restored owner afterbell_owner');
    await admin.query('create role service login');
    await admin.close();
    const owner = openPostgres({ url: urlOf('afterbell_owner', 'afterbell'), poolSize: 1 });
    // The superuser of the test's server is called as the guide's second role.
    await owner.execute(grantsOfGuide().replaceAll('to afterbell;', 'to service;'));
    await owner.close();
    const ownerUrl = urlOf('afterbell_owner', 'afterbell');
    const run = async (args: readonly string[]) => {
      const { code, stdout, stderr } = await runAfterbell(args);
      expect(code, `${args.join(' ')}\n${stderr}`).toBe(0);
      return stdout;
    };
    await run(['migrate', '--database-url', ownerUrl]);

    const folder = scratchFolder();
    const config = join(folder, 'afterbell.conf');
    writeFileSync(
      config,
      [
        'SOURCES=files',
        'PUBLIC_URL=https://earnings.example.com',
        `DATABASE_URL=${urlOf('service', 'afterbell')}`,
        `DATA_DIR=${folder}`,
        `SECRETS_KEY=${Buffer.alloc(32, 7).toString('base64')}`,
      ].join('\n'),
    );
    const service = await startAfterbell(['--config', config]);
    const printed = service.output.stderr;
    expect(printed).toMatch(/set up +https:\/\/earnings\.example\.com\/dashboard\/set-up#/);
    expect(printed).not.toMatch(/SECRETS_KEY|PUBLIC_URL/);
    const create = /npx afterbell (keys create .*)/.exec(printed)?.[1] ?? '';
    const args = create.split(' ').map((word) => word.replaceAll("'", ''));
    const key = (await run(args)).trim();
    expect((await service.get('/v1/market-status', key)).status).toBe(200);

    const backup = join(folder, 'backup.tar');
    await run(['backup', '--config', config, '--to', backup]);
    expect(await service.stop()).toBe(0);
    await run(['restore', backup, '--database-url', urlOf('afterbell_owner', 'restored')]);
    const restored = ['--database-url', urlOf('afterbell_owner', 'restored')];
    expect(await run(['keys', 'list', ...restored])).toMatch(key.slice(0, 13));
  },
);
