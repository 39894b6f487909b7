import { type PGlite, protocol } from '@electric-sql/pglite';
import { parserOf, type ValueParser } from '../../../src/storage/values/types.ts';

const { serialize } = protocol;

export interface StatementResult {
  rows: Record<string, unknown>[];
  /** Name of the command, such as `SELECT`, `COMMIT` or `ROLLBACK`. */
  command: string;
}

interface Statement {
  name: string;
  columns: { name: string; parse: ValueParser }[];
}

/**
 * Runs statements that are prepared on first use. A simulation repeats a few hundred statements,
 * and planning each of them again would cost more than running it.
 */
export function preparedRunner(
  lite: PGlite,
): (sql: string, params: readonly (string | null)[]) => Promise<StatementResult> {
  const statements = new Map<string, Statement>();
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;

  async function send(...messages: Uint8Array[]) {
    const bytes = Buffer.concat([...messages, serialize.sync()]);
    return (await lite.execProtocol(bytes, { syncToFs: false })).messages;
  }

  async function prepare(text: string): Promise<Statement> {
    count += 1;
    const name = `s${count}`;
    const parse = serialize.parse({ name, text });
    const described = await send(parse, serialize.describe({ type: 'S', name }));
    const columns = described.flatMap((message) =>
      'fields' in message ? (message.fields as { name: string; dataTypeID: number }[]) : [],
    );
    const statement = {
      name,
      columns: columns.map((column) => {
        return { name: column.name, parse: parserOf(column.dataTypeID) };
      }),
    };
    statements.set(text, statement);
    return statement;
  }

  async function run(sql: string, params: readonly (string | null)[]): Promise<StatementResult> {
    const { name, columns } = statements.get(sql) ?? (await prepare(sql));
    const bind = serialize.bind({ statement: name, values: [...params] });
    const messages = await send(bind, serialize.execute({}));
    const result: StatementResult = { rows: [], command: '' };
    for (const message of messages) {
      if ('fields' in message)
        result.rows.push(rowOf(columns, message.fields as (string | null)[]));
      else if ('text' in message) result.command = String(message.text).split(' ')[0] ?? '';
    }
    return result;
  }

  // Runs statements in call order, including concurrent calls.
  return (sql, params) => {
    const turn = last.then(() => run(sql, params));
    last = turn.catch(() => undefined);
    return turn;
  };
}

function rowOf(
  columns: Statement['columns'],
  fields: readonly (string | null)[],
): StatementResult['rows'][0] {
  const row: StatementResult['rows'][0] = {};
  for (const [index, { name, parse }] of columns.entries()) {
    const text = fields[index] ?? null;
    row[name] = text === null ? null : parse(text);
  }
  return row;
}
