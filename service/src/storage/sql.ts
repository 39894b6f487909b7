import type { SqlScalar, SqlValue } from './db.ts';

/**
 * A piece of SQL with its values. Placeholders are numbered only when the piece is used as a
 * statement, so it can be spliced into any other piece.
 */
export class Sql {
  readonly #strings: readonly string[];
  readonly #values: readonly (SqlValue | Sql)[];
  #compiled: Statement | null = null;

  constructor(strings: readonly string[], values: readonly (SqlValue | Sql)[]) {
    this.#strings = strings;
    this.#values = values;
  }

  /** Returns the statement with placeholders `$1`, `$2`, … in order of appearance. */
  get text(): string {
    return (this.#compiled ??= this.#compile()).text;
  }

  /** Returns the placeholder values in order. */
  get params(): readonly SqlValue[] {
    return (this.#compiled ??= this.#compile()).params;
  }

  #compile(): Statement {
    const params: SqlValue[] = [];
    const numberOf = new Map<SqlValue, number>();
    return { text: this.#write(params, numberOf), params };
  }

  #write(params: SqlValue[], numberOf: Map<SqlValue, number>): string {
    let text = this.#strings[0] ?? '';
    this.#values.forEach((value, index) => {
      text += value instanceof Sql ? value.#write(params, numberOf) : place(value);
      text += this.#strings[index + 1] ?? '';
    });
    return text;

    /** Arrays and bytes are sent once, however often they are used. Scalars are sent each time. */
    function place(value: SqlValue): string {
      const isShared = typeof value === 'object' && value !== null;
      const number = (isShared ? numberOf.get(value) : undefined) ?? params.push(value);
      if (isShared) numberOf.set(value, number);
      return `$${number}`;
    }
  }
}

interface Statement {
  text: string;
  params: readonly SqlValue[];
}

/**
 * Builds SQL from a template: every `${value}` becomes a placeholder, and every `${sql…}` is
 * spliced in. The text depends only on the pieces, never on the values, so prepared plans can be
 * reused.
 *
 * `await db.query<{ id: string }>(...statement(sql`select id from plan where name = ${name}`))`
 */
export function sql(strings: TemplateStringsArray, ...values: readonly (SqlValue | Sql)[]): Sql {
  return new Sql(strings, values);
}

/** Returns the two arguments for `Queryable.query`. */
export function statement({ text, params }: Sql): [text: string, params: readonly SqlValue[]] {
  return [text, params];
}

interface ColumnTypes {
  text: string;
  int4: number;
  int8: number;
  float8: number;
  bool: boolean;
}
export type ColumnType = keyof ColumnTypes;
export type RecordShape = Readonly<Record<string, ColumnType>>;

/** A row in a recordset. The compiler checks it column by column. */
export type RecordOf<Shape extends RecordShape> = {
  readonly [Column in keyof Shape]: ColumnTypes[Shape[Column]] | null;
};

/**
 * Many rows passed as one array parameter per column, so the statement text is the same for any
 * number of rows.
 */
export class Recordset<Shape extends RecordShape> {
  readonly #shape: Shape;
  readonly #columns: ReadonlyMap<string, readonly SqlScalar[]>;

  constructor(shape: Shape, rows: readonly RecordOf<Shape>[]) {
    this.#shape = shape;
    const columns = Object.keys(shape).map(
      (column) => [column, rows.map((row) => row[column] ?? null)] as const,
    );
    this.#columns = new Map(columns);
  }

  /**
   * Returns `unnest($1::text[], $2::int4[]) as alias(column, …)` for a `from` clause, with the
   * given columns or by default all of them. A statement may use the same recordset several times.
   */
  as(alias: string, columns: readonly (keyof Shape & string)[] = Object.keys(this.#shape)): Sql {
    const arrays = columns.map((column) => this.#columns.get(column) ?? []);
    const casts = columns.map((column) => `::${this.#shape[column]}[]`);
    const names = columns.map((column) => `"${column}"`).join(', ');
    const strings = casts.map((_, index) => (index === 0 ? 'unnest(' : `${casts[index - 1]}, `));
    return new Sql([...strings, `${casts.at(-1)}) as ${alias}(${names})`], arrays);
  }
}
