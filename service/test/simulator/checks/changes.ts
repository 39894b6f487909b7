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

export interface ChangeSeen {
  symbol: string;
  observedAt: number;
  committedAt: number;
}

/**
 * Ledger B: replaying all change records in order yields the current state of the store. Each
 * record starts from the end of the previous one for its entity, and none is empty. Each real
 * change therefore has exactly one record.
 */
export function createChangeCheck(
  db: Db,
  report: (wrong: string) => void,
): { check(): Promise<ChangeSeen[]>; count(): number } {
  const told = new Map<string, Record<string, unknown>>();
  let lastId = 0;
  let lastAt = 0;
  let count = 0;

  async function check(): Promise<ChangeSeen[]> {
    const rows = await db.query<ChangeRow>(
      `select id, entity_id, symbol, kind, fields, observed_at, committed_at from change_record
        where id > $1 and dataset = 'earnings' order by id`,
      [lastId],
    );
    for (const row of rows) takeIn(row);
    if (rows.length > 0) await compare();
    return rows.map((row) => ({
      symbol: row.symbol,
      observedAt: row.observed_at,
      committedAt: row.committed_at,
    }));
  }

  function takeIn(row: ChangeRow): void {
    lastId = row.id;
    count += 1;
    if (row.committed_at < lastAt) report(`change ${row.id} was committed before the one before`);
    lastAt = row.committed_at;
    const before = told.get(row.entity_id);
    if ((before === undefined) !== (row.kind === 'added'))
      report(`change ${row.id} is ${row.kind}`);
    const after = { ...before };
    for (const [name, { from, to }] of Object.entries(row.fields)) {
      if (!isEqual(from, after[name])) {
        report(`change ${row.id} begins with ${name} ${text(from)}, not ${text(after[name])}`);
      }
      if (isEqual(from, to)) report(`change ${row.id} changes nothing in ${name}`);
      after[name] = to;
    }
    if (Object.keys(row.fields).length === 0) report(`change ${row.id} names nothing`);
    if (row.kind === 'removed') told.delete(row.entity_id);
    else told.set(row.entity_id, after);
  }

  /** Current rows, with the field names that changes use. */
  async function compare(): Promise<void> {
    const rows = await db.query<{ id: string } & Row>(
      `select id, date, time, eps_estimate as "epsEstimate", eps,
              revenue_estimate as "revenueEstimate", revenue, date_status as "dateStatus"
         from earnings_event where known_to is null`,
    );
    if (rows.length !== told.size) report(`${rows.length} reports stand, ${told.size} were told`);
    for (const { id, ...facts } of rows) {
      const known = told.get(id) ?? {};
      for (const [name, value] of Object.entries(facts)) {
        if (isEqual(value, known[name])) continue;
        report(`${id} has ${name} ${text(value)}; changes tell ${text(known[name])}`);
      }
    }
  }

  return { check, count: () => count };
}

/** Numerics are returned as text. A field that never occurred equals null. */
function isEqual(a: unknown, b: unknown): boolean {
  return text(a) === text(b);
}

function text(value: unknown): string {
  return JSON.stringify(value ?? null);
}
