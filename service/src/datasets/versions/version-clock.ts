import type { Instant } from '../../platform/instant.ts';
import { findClockDoubt } from '../../storage/cells/cell-state.ts';
import { CELL_MARKER } from '../../storage/cells/cell-marker.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { StoreUnavailableError } from '../../storage/errors.ts';

/**
 * Maps the commit order to instants. Two rules ensure that the response as of a past instant never
 * changes. A writer takes its instant here, no earlier than the newest one already taken, and
 * blocks all other writers until it commits. A read as of an instant first ensures that every
 * future writer has a later instant.
 */

/**
 * Returns the instant for the versions that this transaction writes: the current time, or the
 * newest known instant if that is later. Call it right before writing the first version. Other
 * writers, and reads as of now, wait here until the transaction ends.
 */
export async function takeVersionInstant(tx: Transaction, now: Instant): Promise<Instant> {
  // Updates and returns the only row, which remains locked until the commit.
  const [row] = await tx.query<{ at: Instant }>(
    `insert into version_clock as c (at, first_at)
     values (to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0))
     on conflict (only_row) do update set
       at = greatest(c.at, excluded.at),
       first_at = coalesce(c.first_at, greatest(c.at, excluded.at))
     returning at`,
    [now],
  );
  if (row === undefined) throw new Error('version_clock returned no row');
  return row.at;
}

/**
 * Resolves once the state as of an instant is final, which means that every version up to it is
 * committed. Waits for a running writer at most once per instant. Returns the instant of the
 * store's first commit; null if there is none up to the instant.
 *
 * A cell has no writers of its own. Transactions arrive there in the order of their commits, the
 * clock with them, so its clock is past the instant only after every version up to the instant.
 * Throws `StoreUnavailableError` if it is not yet.
 */
export async function settleVersions(db: Queryable, at: Instant): Promise<Instant | null> {
  // Returns one row. A running writer has an instant no earlier than the one read here, because it
  // started from the same row.
  const [row] = await db.query<ClockRow>(
    `select coalesce(c.at > to_timestamp($1 / 1000.0), false) as settled, c.first_at,
            exists (select 1 from store_marker where name = '${CELL_MARKER}') as is_cell
       from (select 1) as one left join version_clock c on true`,
    [at],
  );
  if (row?.is_cell === true) return settledOnCell(db, row);
  if (row?.settled === true) return row.first_at;
  // Moves the only row past the instant, after the writer that has locked it commits. Returns it.
  const [moved] = await db.query<{ first_at: Instant | null }>(
    `insert into version_clock as c (at) values (to_timestamp($1 / 1000.0))
     on conflict (only_row) do update set at = greatest(c.at, excluded.at)
     returning first_at`,
    [at + 1],
  );
  return moved?.first_at ?? null;
}

type ClockRow = { settled: boolean; first_at: Instant | null; is_cell: boolean };

async function settledOnCell(db: Queryable, row: ClockRow): Promise<Instant | null> {
  const doubt = await findClockDoubt(db);
  if (doubt === null && row.settled) return row.first_at;
  throw new StoreUnavailableError(
    doubt === null
      ? 'The cell has not received the facts of this instant yet.'
      : `The facts of this cell are incomplete (${doubt}).`,
  );
}
