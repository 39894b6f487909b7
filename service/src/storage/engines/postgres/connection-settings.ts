import pg from 'pg';

/**
 * The connection pooler between this process and the server: `auto` recognizes it, `none` rules out
 * one that shares a connection between transactions, and `transaction` is one that does.
 */
export type Pooler = 'auto' | 'none' | 'transaction';

/**
 * Where the settings of a connection last: until it is closed, or only until the end of a
 * transaction, because the next transaction may run on another connection to the server. Prepared
 * statements and LISTEN last as long as the settings.
 */
export type SettingsScope = 'session' | 'transaction';

export class ConnectionSettings {
  readonly #pooler: Pooler;
  readonly #settings: readonly (readonly [name: string, value: string])[];

  constructor(
    pooler: Pooler,
    { statementTimeoutMs, lockTimeoutMs }: { statementTimeoutMs: number; lockTimeoutMs: number },
  ) {
    this.#pooler = pooler;
    this.#settings = [
      // These fix how values are printed, whatever the server's defaults are.
      ['TimeZone', 'UTC'],
      ['DateStyle', 'ISO, YMD'],
      ['IntervalStyle', 'postgres'],
      ['bytea_output', 'hex'],
      // For data in memory or on SSDs, where random page reads cost little more than sequential
      // ones. With the default cost, the planner scans ten thousand rows to find a few dozen.
      ['random_page_cost', '1.1'],
      ['statement_timeout', `${statementTimeoutMs}ms`],
      // A hung process must not hold the row locks of its transaction forever.
      ['idle_in_transaction_session_timeout', '60s'],
      // A table may be locked for minutes, by VACUUM FULL or REINDEX. Requests then fail with 503
      // instead of waiting.
      ['lock_timeout', `${lockTimeoutMs}ms`],
    ];
  }

  /**
   * Applies the settings to a new connection for as long as it is open, unless a pooler is
   * recognized: it sends a process id of its own to each client, because a client has no server
   * process of its own.
   *
   * The settings are not sent as start-up parameters, because PgBouncer refuses most of them.
   */
  async prepare(client: pg.ClientBase): Promise<SettingsScope> {
    if (this.#pooler === 'transaction') return 'transaction';
    const pid = processId(client);
    const condition = this.#pooler === 'none' ? 'true' : `pg_backend_pid() = ${pid}`;
    // Returns one row: the settings, or null if there is a pooler.
    const { rows } = await client.query<{ applied: unknown }>(
      `select case when ${condition} then array[${this.#calls(false).join()}] end as applied`,
    );
    return rows[0]?.applied === null ? 'transaction' : 'session';
  }

  /**
   * A statement without rows that applies the settings until the end of the transaction. Each call
   * returns its value, so the condition is false and every call is evaluated.
   */
  get statement(): string {
    return `select where ${this.#calls(true)
      .map((call) => `${call} is null`)
      .join(' or ')}`;
  }

  /**
   * Statements that do the same at the start of a transaction. Unlike a query, they may come before
   * SET TRANSACTION.
   */
  get script(): string {
    return this.#settings.map(([name, value]) => `set local ${name} = '${value}'`).join('; ');
  }

  #calls(isLocal: boolean): string[] {
    return this.#settings.map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`);
  }
}

/** Returns the id that the server, or a pooler, sent when the connection was opened. */
export function processId(client: pg.ClientBase): number {
  const id: unknown = Reflect.get(client, 'processID');
  return typeof id === 'number' ? id : -1;
}

/** The part of the driver that sends more than one statement at once. Its types don't include it. */
interface DriverConnection {
  stream: { cork(): void; uncork(): void };
  parse(message: { text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
}

interface DriverQuery {
  submit(connection: DriverConnection): unknown;
  handleCommandComplete(message: unknown, connection: DriverConnection): void;
}

/**
 * Runs one statement together with the settings, in one round trip and one implicit transaction, so
 * that a pooler runs both on the same connection to the server.
 */
export function queryWithSettings<R extends pg.QueryResultRow>(
  client: pg.ClientBase,
  settings: string,
  statement: pg.QueryConfig & { queryMode: 'extended' },
): Promise<pg.QueryResult<R>> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query<R>(statement, (error, result) =>
      error ? reject(error) : resolve(result),
    );
    const driver = query as unknown as DriverQuery;
    const submit = driver.submit.bind(driver);
    const complete = driver.handleCommandComplete.bind(driver);
    driver.submit = (connection) => {
      connection.stream.cork();
      try {
        connection.parse({ text: settings });
        connection.bind({});
        connection.execute({});
        // Adds the statement itself and the end of the implicit transaction.
        return submit(connection);
      } finally {
        connection.stream.uncork();
      }
    };
    driver.handleCommandComplete = () => {
      // The first completed command is the settings. The next one is the statement.
      driver.handleCommandComplete = complete;
    };
    client.query(query);
  });
}
