import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../../test/support/logs.ts';
import { readSettings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { type CliCommand, CliError } from '../command.ts';
import { forwardCommand } from './forward.ts';
import { readMessages, sendMessage, type ServerMessage } from './messages.ts';
import { serveControlSocket } from './server.ts';
import { connectToControl, isControlServed } from './socket.ts';

/** Returns a database that holds a table of names and supports two statements. */
function memoryDb(): Db & { names: unknown[]; isClosed: boolean } {
  const names: unknown[] = [];
  const unused = () => Promise.reject(new Error('not part of this test'));
  return {
    engine: 'pglite',
    names,
    isClosed: false,
    async query<T>(sql: string, params: readonly unknown[] = []) {
      if (sql.startsWith('insert')) names.push(params[0]);
      return names.map((name) => ({ name })) as T[];
    },
    transaction: unused,
    readSnapshot: unused,
    execute: unused,
    async close() {
      this.isClosed = true;
    },
  };
}

const note: CliCommand = {
  name: 'note',
  add(program, context) {
    const command = program.command('note').description('notes names');
    command
      .command('add')
      .argument('[name]')
      .option('--stdin')
      .option('--live')
      .action(async (name: string | undefined, options: { stdin?: true; live?: true }) => {
        const store = await context.openStore(options.live ? { kind: 'live' } : {});
        const names = options.stdin ? context.stdinLines() : [name ?? ''];
        for await (const text of names) {
          const rows = await store.db.query('insert into note values ($1)', [text]);
          context.stdout(`${String(rows.length)} ${text}\n`);
        }
        context.stderr(`in ${context.cwd}, terminal ${context.isTerminal}\n`);
        await store.close();
      });
    command.command('fail').action(() => {
      throw new CliError('not allowed', 7);
    });
    command.command('locked').action(() => {
      throw Object.assign(new Error('in use by 42'), { name: 'StoreHeldError' });
    });
    command.command('crash').action(() => {
      throw new Error('broken at apikey=HUSH');
    });
  },
};

const start: CliCommand = {
  name: 'start',
  forwardable: false,
  add: (program) => void program.command('start').action(() => undefined),
};

async function serve(options: { folder?: string } = {}) {
  const base = mkdtempSync(join(tmpdir(), 'ab-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const folder = options.folder ?? join(base, 'sandbox');
  mkdirSync(base, { recursive: true });
  const env = { XDG_RUNTIME_DIR: base };
  const db = memoryDb();
  const server = await serveControlSocket({
    folder,
    kind: 'sandbox',
    db,
    clock: fakeClock(0),
    log: silentLog,
    settings: readSettings({ flags: {}, env: {}, cwd: '/', sources: [] }),
    env,
    loadCommands: async () => [note, start],
  });
  onTestFinished(() => server.close());
  return { folder, env, db, server };
}

async function run(
  service: { folder: string; env: Record<string, string> },
  argv: string[],
  lines: Iterable<string> = [],
) {
  const socket = await connectToControl(service.folder, service.env);
  if (socket === null) throw new Error('no service is running');
  const output = { stdout: '', stderr: '', readsStdin: false };
  const code = await forwardCommand({
    socket,
    argv,
    cwd: '/home/user',
    isTerminal: true,
    stdout: (text) => void (output.stdout += text),
    stderr: (text) => void (output.stderr += text),
    async *stdinLines() {
      output.readsStdin = true;
      yield* lines;
    },
  });
  return { code, ...output };
}

test('runs a command in the service that has the store open, and returns its output and exit code', async () => {
  const service = await serve();
  expect(await run(service, ['note', 'add', 'Ünïcode\u2028'])).toEqual({
    code: 0,
    stdout: '1 Ünïcode\u2028\n',
    stderr: 'in /home/user, terminal true\n',
    readsStdin: false,
  });
  expect(service.db.names).toEqual(['Ünïcode\u2028']);
  expect(service.db.isClosed).toBe(false);
});

test('sends standard input in order once the forwarded command reads it', async () => {
  const service = await serve();
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} ${'x'.repeat(100)}`);
  const { code, stdout } = await run(service, ['note', 'add', '--stdin'], lines);
  expect(code).toBe(0);
  expect(service.db.names).toEqual(lines);
  expect(stdout.split('\n')).toHaveLength(5_001);
});

test('runs forwarded commands concurrently without mixing their output', async () => {
  const service = await serve();
  const names = ['a', 'b', 'c', 'd'];
  const results = await Promise.all(names.map((name) => run(service, ['note', 'add', name])));
  expect(results.map(({ stdout }) => stdout.slice(2))).toEqual(names.map((name) => `${name}\n`));
});

test.each([
  ['returns the exit code of a rejected command', ['note', 'fail'], 7, /^not allowed\n$/],
  ['reports a locked store without a crash', ['note', 'locked'], 1, /^in use by 42\n$/],
  [
    'reports a crash as one line without secrets',
    ['note', 'crash'],
    1,
    /^afterbell: .*\[redacted\].*\n$/,
  ],
  ['rejects an unknown command', ['nota'], 1, /unknown command 'nota'[^]*note/],
  ['never starts a second service', ['start'], 1, /unknown command 'start'/],
  ['rejects a command for the other store', ['note', 'add', 'x', '--live'], 1, /sandbox store/],
])('%s', async (_, argv, code, stderr) => {
  const service = await serve();
  const result = await run(service, argv);
  expect(result.code).toBe(code);
  expect(result.stderr).toMatch(stderr);
  expect(service.db.names).toEqual([]);
});

test('finishes a command whose client disconnects, then runs the next command', async () => {
  const service = await serve();
  const socket = await connectToControl(service.folder, service.env);
  if (socket === null) throw new Error('no service is running');
  const argv = ['note', 'add', '--stdin'];
  sendMessage(socket, { type: 'run', argv, cwd: '/', isTerminal: false });
  for await (const message of readMessages<ServerMessage>(socket)) {
    if (message.type === 'want-stdin') sendMessage(socket, { type: 'line', text: 'first' });
    if (message.type === 'stdout') break;
  }
  expect((await run(service, ['note', 'add', 'next'])).code).toBe(0);
  expect(service.db.names).toEqual(['first', 'next']);
});

test('restricts the control socket to the current user', async () => {
  const { server } = await serve();
  expect(statSync(server.path).mode & 0o777).toBe(0o600);
});

test('uses a short socket path for a store with a very long path', async () => {
  const folder = `/nowhere/${'deep/'.repeat(30)}sandbox`;
  const service = await serve({ folder });
  expect(service.server.path.length).toBeLessThanOrEqual(100);
  expect((await run(service, ['note', 'add', 'x'])).code).toBe(0);
});

test('replaces the control socket of a crashed service', async () => {
  const base = mkdtempSync(join(tmpdir(), 'ab-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  writeFileSync(join(base, 'control.sock'), '');
  expect(await isControlServed(base, {})).toBe(false);
  const service = await serve({ folder: base });
  expect((await run(service, ['note', 'add', 'x'])).code).toBe(0);
});

test('removes the control socket when it closes', async () => {
  const { folder, env, server } = await serve();
  expect(await isControlServed(folder, env)).toBe(true);
  await server.close();
  expect(await isControlServed(folder, env)).toBe(false);
  expect(existsSync(server.path)).toBe(false);
});

test('reports an error if the service stops before a forwarded command has finished', async () => {
  const base = mkdtempSync(join(tmpdir(), 'ab-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const server = createServer((socket) => socket.once('data', () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(join(base, 'control.sock'), resolve));
  onTestFinished(() => void server.close());
  await expect(run({ folder: base, env: {} }, ['note', 'fail'])).rejects.toThrow(
    'the running service stopped before the command finished',
  );
});
