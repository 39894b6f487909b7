import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { describeDriver } from '../../../../test/support/storage-conformance.ts';
import { isStoreTrouble, sqlState, StoreUnavailableError } from '../../errors.ts';
import { convertConnectErrors } from './connection-errors.ts';
import { openPostgres, rejectOldServer } from './postgres.ts';
import { postgresStore } from '../../../../test/support/stores.ts';

const first = await postgresStore();

if ('missing' in first) {
  test('PostgreSQL passes the conformance suite', ({ skip }) => {
    skip(first.missing);
    expect(first).toHaveProperty('db');
  });
} else {
  let unused: typeof first.db | undefined = first.db;
  describeDriver('PostgreSQL', async () => {
    const db = unused;
    unused = undefined;
    if (db !== undefined) return db;
    const another = await postgresStore();
    if ('missing' in another) throw new Error(another.missing);
    return another.db;
  });

  test('reports a connection closed by the PostgreSQL server as unavailable and recovers on the next call', async () => {
    const store = await postgresStore();
    if ('missing' in store) throw new Error(store.missing);
    const end = 'select pg_terminate_backend(pg_backend_pid())';
    await expect(store.db.query(end)).rejects.toBeInstanceOf(StoreUnavailableError);
    const work = store.db.transaction((tx) => tx.query(end));
    await expect(work).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.db.query('select 1 as value')).resolves.toEqual([{ value: 1 }]);
    await store.db.close();
  });

  test('ends a query that waits for a locked table, but lets a transaction wait', async () => {
    const store = await postgresStore();
    if ('missing' in store) throw new Error(store.missing);
    const db = openPostgres({ url: store.url, lockTimeoutMs: 50 });
    const read = 'select 1 as value from customer limit 1';
    let waiting: Promise<unknown> | undefined;
    await store.db.transaction(async (tx) => {
      await tx.query('lock table customer');
      const failed = await db.query(read).catch((error: unknown) => error);
      expect([sqlState(failed), isStoreTrouble(failed)]).toEqual(['55P03', true]);
      waiting = db.transaction((other) => other.query(read));
    });
    await expect(waiting).resolves.toEqual([]);
    await Promise.all([db.close(), store.db.close()]);
  });

  test("prepares each statement in a keepsPlans transaction once per connection and uses the table's index", async () => {
    const store = await postgresStore();
    if ('missing' in store) throw new Error(store.missing);
    const db = openPostgres({ url: store.url, poolSize: 1 });
    await db.execute('create table numbered (n int4 primary key, note text)');
    const find = 'select t.note from unnest($1::int4[]) as r(n) join numbered t on t.n = r.n';
    for (let time = 0; time < 5; time += 1) {
      await db.transaction((tx) => tx.query(find, [[time]]), { keepsPlans: true });
    }
    // Returns one row per prepared statement of this connection, from the catalog.
    const [prepared] = await db.query<{ name: string }>(
      `select name, generic_plans as generic, custom_plans as custom from pg_prepared_statements
        where statement like 'select t.note%'`,
    );
    expect(prepared).toMatchObject({ generic: 5, custom: 0 });
    const plan = await db.transaction(
      (tx) => tx.query(`explain execute ${prepared?.name}('{1}')`),
      {
        keepsPlans: true,
      },
    );
    // Without keepsPlans, the planner would scan the table, because it is still empty.
    expect(JSON.stringify(plan)).toContain('Index Scan using numbered_pkey');
    await db.close();
    await store.db.close();
  });
}

test('reports an unreachable PostgreSQL server as unavailable', async () => {
  const db = openPostgres({ url: 'postgres://nobody@127.0.0.1:1/none' });
  await expect(db.query('select 1')).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(db.transaction(async () => 1)).rejects.toBeInstanceOf(StoreUnavailableError);
  await db.close();
});

// Without an error listener, such a server would end the whole process.
test('survives a server that closes the connection during the handshake', async () => {
  const greeting = Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('Z', Buffer.from('I')),
    message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0')),
  ]);
  const db = openPostgres({ url: await serverThatSays(greeting) });
  await expect(db.query('select 1')).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(db.transaction(async () => 1)).rejects.toBeInstanceOf(StoreUnavailableError);
  await db.close();
});

// While a password or database name is being changed, clients get a 503.
test.each([
  ['28P01', 'password authentication failed', 'check the user and password in DATABASE_URL'],
  ['28000', 'role is not permitted to log in', 'check the user and password in DATABASE_URL'],
  ['3D000', 'database does not exist', 'create it with createdb'],
  ['42501', 'permission denied for database', 'grant connect on database NAME to USER'],
  ['53300', 'too many connections for role', 'the connection limit of the role or database'],
  ['55000', 'database is not currently accepting connections', 'allow_connections true'],
  ['57P03', 'the database system is starting up', 'wait until it accepts connections'],
  ['08P01', 'no such database', 'this is the answer of a connection pooler'],
])(
  'reports a login rejected by the PostgreSQL server (%s) as unavailable and suggests a fix',
  async (state, expectedMessage, fix) => {
    const fields = `SFATAL\0VFATAL\0C${state}\0M${expectedMessage}\0\0`;
    const db = openPostgres({ url: await serverThatSays(message('E', Buffer.from(fields))) });
    const failed = await db.query('select 1').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StoreUnavailableError);
    expect(String(failed)).toContain(expectedMessage);
    expect(String(failed)).toContain(fix);
    await expect(db.transaction(async () => 1)).rejects.toBeInstanceOf(StoreUnavailableError);
    await db.close();
  },
);

test.each([
  ['client password must be a string', 'add it to DATABASE_URL'],
  ['The server does not support SSL connections', 'remove sslmode'],
  ['timeout exceeded when trying to connect', 'all connections of this process are in use'],
])('says what to change if the driver fails with "%s"', async (text, fix) => {
  const failed = await convertConnectErrors(Promise.reject(new Error(text))).catch(String);
  expect(failed).toMatch(/^StoreUnavailableError: The database is unavailable: /);
  expect(failed).toContain(`${text}: `);
  expect(failed).toContain(fix);
});

/** Returns the address of a server that sends these bytes to every client and then disconnects. */
async function serverThatSays(bytes: Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return `postgres://nobody@127.0.0.1:${port}/none`;
}

/** Encodes a server message: its letter, length and content. */
function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(letter), length, content]);
}

test('rejects a PostgreSQL server older than version 15 and reports its version', async () => {
  const oldServer = {
    query: async () => [{ number: 140_011, shown: '14.11' }],
  } as unknown as Parameters<typeof rejectOldServer>[0];
  await expect(rejectOldServer(oldServer)).rejects.toThrow(
    'PostgreSQL 14.11; version 15 or newer is required',
  );
});
