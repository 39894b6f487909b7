import { expect, test } from 'vitest';
import { runAfterbell, scratchFolder } from '../../../test/support/afterbell-process.ts';

test.each(['serve', 'work', 'ingest'])(
  '%s apart on the embedded store is refused, with what to do',
  async (role) => {
    const run = await runAfterbell([role, '--data-dir', scratchFolder()]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^afterbell \w+ shares its store .* set DATABASE_URL .*\n$/);
  },
);

test('a replica without its primary is refused', async () => {
  const env = { DATABASE_REPLICA_URL: 'postgres://nobody@127.0.0.1/none' };
  const run = await runAfterbell(['work', '--data-dir', scratchFolder()], env);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('set DATABASE_URL to its primary');
});

test.each([
  [{ WEBHOOK_CA_FILE: '/no/such/file' }, /^WEBHOOK_CA_FILE \/no\/such\/file cannot be read/m],
  [{ HOST: '192.0.2.1' }, /^HOST 192\.0\.2\.1 cannot be listened on \(\w+\): set HOST to /m],
])('a start that cannot have %j names the setting and its mend', async (env, said) => {
  const run = await runAfterbell(['start', '--port', '0', '--data-dir', scratchFolder()], env);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(said);
  expect(run.stderr).not.toContain('unexpected error');
});
