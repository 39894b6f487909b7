import type { Db, Row } from '../../../src/storage/db.ts';

interface ChangeRow extends Row {
  id: number;
  entity_id: string;
  symbol: string;
  kind: string;
  fields: Record<string, { from: unknown; to: unknown }>;
  observed_at: number;
  committed_at: number;
}

export interface RecordedChange {
  symbol: string;
  observedAt: number;
  committedAt: number;
}

/**
 * Checks that replaying all change records in order yields the current state in the store. Each
 * record starts where the previous record for its entity ended, and none is empty. Each real change
 * therefore has exactly one record.
 */
export class ChangeCheck {
  readonly #db: Db;
  readonly #report: (violation: string) => void;
  readonly #replayed = new Map<string, Record<string, unknown>>();
  #lastId = 0;
  #lastCommitAt = 0;
  #count = 0;

  constructor(db: Db, report: (violation: string) => void) {
    this.#db = db;
    this.#report = report;
  }

  count(): number {
    return this.#count;
  }

  async check(): Promise<RecordedChange[]> {
    const rows = await this.#db.query<ChangeRow>(
      `select id, entity_id, symbol, kind, fields, observed_at, committed_at from change_record
        where id > $1 and dataset = 'earnings' order by id`,
      [this.#lastId],
    );
    for (const row of rows) this.#replay(row);
    if (rows.length > 0) await this.#compareToStore();
    return rows.map((row) => ({
      symbol: row.symbol,
      observedAt: row.observed_at,
      committedAt: row.committed_at,
    }));
  }

  #replay(row: ChangeRow): void {
    const report = (violation: string): void => this.#report(`change ${row.id} ${violation}`);
    this.#lastId = row.id;
    this.#count += 1;
    if (row.committed_at < this.#lastCommitAt) report('was committed before the previous one');
    this.#lastCommitAt = row.committed_at;
    const before = this.#replayed.get(row.entity_id);
    if ((before === undefined) !== (row.kind === 'added')) report(`is ${row.kind}`);
    const after = { ...before };
    for (const [name, { from, to }] of Object.entries(row.fields)) {
      if (!isEqual(from, after[name])) {
        report(`starts from ${name} ${text(from)}, not ${text(after[name])}`);
      }
      if (isEqual(from, to)) report(`does not change ${name}`);
      after[name] = to;
    }
    if (Object.keys(row.fields).length === 0) report('has no fields');
    if (row.kind === 'removed') this.#replayed.delete(row.entity_id);
    else this.#replayed.set(row.entity_id, after);
  }

  /** Loads the current rows with the field names that changes use. */
  async #compareToStore(): Promise<void> {
    const rows = await this.#db.query<{ id: string } & Row>(
      `select id, date, time, eps_estimate as "epsEstimate", eps,
              revenue_estimate as "revenueEstimate", revenue, date_status as "dateStatus"
         from earnings_event where known_to is null`,
    );
    if (rows.length !== this.#replayed.size) {
      this.#report(`the store has ${rows.length} reports, the changes ${this.#replayed.size}`);
    }
    for (const { id, ...fields } of rows) {
      const replayed = this.#replayed.get(id) ?? {};
      for (const [name, value] of Object.entries(fields)) {
        if (isEqual(value, replayed[name])) continue;
        this.#report(`${id} has ${name} ${text(value)}, its changes ${text(replayed[name])}`);
      }
    }
  }
}

/** The database returns numerics as text. A field that was never set equals null. */
function isEqual(a: unknown, b: unknown): boolean {
  return text(a) === text(b);
}

function text(value: unknown): string {
  return JSON.stringify(value ?? null);
}
