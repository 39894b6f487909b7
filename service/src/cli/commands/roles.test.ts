import { expect, test } from 'vitest';
import { runAfterbell, scratchFolder } from '../../../test/support/afterbell-process.ts';

test.each(['serve', 'work', 'ingest'])(
  '%s fails with the embedded store and suggests PostgreSQL',
  async (role) => {
    const run = await runAfterbell([role, '--data-dir', scratchFolder()]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^afterbell \w+ shares its store .* set DATABASE_URL .*\n$/);
  },
);

test('rejects a replica database without its primary', async () => {
  const env = { DATABASE_REPLICA_URL: 'postgres://nobody@127.0.0.1/none' };
  const run = await runAfterbell(['work', '--data-dir', scratchFolder()], env);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('set DATABASE_URL to its primary');
});

test.each([
  [{ WEBHOOK_CA_FILE: '/no/such/file' }, /^WEBHOOK_CA_FILE \/no\/such\/file cannot be read/m],
  [
    { HOST: '192.0.2.1' },
    /^HOST 192\.0\.2\.1 is not an address of this machine \(\w+\): set HOST to /m,
  ],
])('start with %j reports the invalid setting and its fix', async (env, message) => {
  const run = await runAfterbell(['start', '--port', '0', '--data-dir', scratchFolder()], env);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(message);
  expect(run.stderr).not.toContain('unexpected error');
});
