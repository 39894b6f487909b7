import { lockKeys } from '../../accounts/keys/key-store.ts';
import { CellError } from '../../storage/cells/init-cell.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { sqlState } from '../../storage/errors.ts';
import { claimMarker, readMarker } from '../../storage/marker.ts';
import { lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import { loadBaselines } from '../../webhooks/subscription/baseline.ts';
import { rejectConflicts } from './check-move.ts';
import {
  type CopiedRows,
  deleteAllRows,
  deleteFirstRows,
  findStayingPeople,
  insertRows,
  readFirstRows,
} from './customer-rows.ts';
import type { MoveOptions } from './move-customer.ts';
import {
  type FanOutState,
  readFanOutState,
  takeOverChanges,
  templatesWithSets,
} from './take-over-changes.ts';

/** More units than any plan has, so that a server that does not know of the move admits nothing. */
const ALL_UNITS = 1_000_000_000;

interface HandOver {
  toName: string;
  /** Returns whether nothing is in flight, and the new cell has the facts of the old one. */
  isReady(from: Queryable): Promise<boolean>;
}

/**
 * Copies the customer to the new cell and gives it up here, in one transaction of each cell. The copy
 * is committed first and stays inactive until this cell has given up the customer. Returns false
 * without a change if something is still in flight.
 */
export async function handOver(options: MoveOptions, step: HandOver): Promise<boolean> {
  try {
    return await handOverOnce(options, step);
  } catch (error) {
    // A change of the customer's keys that began before this one: it goes first.
    if (sqlState(error) === '40P01') return false;
    throw error;
  }
}

function handOverOnce(options: MoveOptions, { toName, isReady }: HandOver): Promise<boolean> {
  const { from, to, customerId, onStep } = options;
  return from.transaction(async (tx) => {
    await tx.query('set local idle_in_transaction_session_timeout = 0');
    await lockCustomerRows(tx, customerId);
    if (!(await isReady(tx))) return false;
    await rejectConflicts(tx, to, customerId);
    const rows = await readFirstRows(tx, customerId);
    const templateIds = await templatesWithSets(tx, customerId);
    const state = await readFanOutState(tx, templateIds);
    await to.transaction((other) => arrive(other, { ...options, tx, rows, templateIds, state }));
    await onStep('arriving');
    await giveUp(tx, options, toName);
    return true;
  });
}

/**
 * Locks what all writers for a customer lock: keys and people its row, deliveries the endpoints, and
 * counts the row of the minute. They wait for less than a second, and then find the customer gone.
 */
async function lockCustomerRows(tx: Transaction, customerId: string): Promise<void> {
  await lockKeys(tx);
  await tx.query(`select id from customer where id = $1 for update`, [customerId]);
  const endpoints = await tx.query<{ id: string }>(
    `select id from webhook_endpoint where customer_id = $1`,
    [customerId],
  );
  await lockEndpoints(
    tx,
    endpoints.map(({ id }) => id),
  );
  await tx.query(
    `insert into quota_minute (customer_id, per_minute, base_ms, admitted_ms)
     values ($1, 0, 0, '{}') on conflict do nothing`,
    [customerId],
  );
  await tx.query(`select 1 from quota_minute where customer_id = $1 for update`, [customerId]);
}

async function arrive(
  tx: Transaction,
  options: MoveOptions & {
    /** The transaction of the old cell. */
    tx: Transaction;
    rows: readonly CopiedRows[];
    templateIds: readonly string[];
    state: FanOutState;
  },
): Promise<void> {
  const { customerId, token, rows, templateIds, state } = options;
  const [present] = await tx.query<{ state: string | null; isOver: boolean }>(
    `select move_state as state, move_token is null as "isOver"
       from customer where id = $1 for update`,
    [customerId],
  );
  if (present !== undefined && present.state !== 'arriving' && present.state !== 'moved') {
    throw new CellError('the new cell already has this customer, and it is active there');
  }
  if (present?.state === 'moved' && !present.isOver) {
    throw new CellError(
      'the history of an earlier move is still on the new cell: repeat that move first',
    );
  }
  await copySecretsKey(options.tx, tx);
  await deleteAllRows(tx, customerId);
  const staying = await findStayingPeople(tx, rows);
  for (const copied of rows) {
    if (copied.table.name !== 'attempt_hour') await insertRows(tx, copied, staying);
    if (copied.table.name === 'customer') await markArriving(tx, customerId, token);
  }
  const hours = rows.find(({ table }) => table.name === 'attempt_hour');
  if (hours !== undefined) await addRolledUpHours(tx, hours);
  await takeOverChanges(tx, {
    customerId,
    templateIds,
    state,
    async loadBaselines(keys) {
      const dataOf = await loadBaselines(options.tx, keys);
      return keys.map((key) => ({ ...key, data: dataOf(key) ?? null }));
    },
  });
}

/** The new cell can decrypt the secrets of the customer only with the same key. */
async function copySecretsKey(from: Queryable, to: Queryable): Promise<void> {
  const keyId = await readMarker(from, 'secrets-key');
  if (keyId === null || (await claimMarker(to, 'secrets-key', keyId)) === keyId) return;
  throw new CellError('the cells have different keys: all cells need the same SECRETS_KEY');
}

async function markArriving(tx: Transaction, customerId: string, token: string): Promise<void> {
  await tx.query(
    `update customer
        set move_state = 'arriving', move_token = $2, moved_to = null, moved_to_url = null
      where id = $1`,
    [customerId, token],
  );
}

/** Adds the hours that this cell has rolled up. It computes all others from the attempts. */
async function addRolledUpHours(tx: Transaction, hours: CopiedRows): Promise<void> {
  await tx.query(
    `insert into attempt_hour
     select r.* from json_populate_recordset(null::attempt_hour, $1::json) r
       join attempt_hours_kept k on r.hour >= k.since and r.hour < k.until
     on conflict do nothing`,
    [hours.json],
  );
}

/** Removes what the new cell has taken over. Keys stay, so that their requests learn of the move. */
async function giveUp(tx: Transaction, options: MoveOptions, toName: string): Promise<void> {
  const { customerId, token, toUrl } = options;
  const now = options.clock.now();
  await deleteFirstRows(tx, customerId);
  // The new cell sends them, under the same ids.
  await tx.query(
    `update delivery set state = 'cancelled', finished_at = to_timestamp($2 / 1000.0)
      where customer_id = $1 and state in ('pending', 'retrying', 'held')`,
    [customerId, now],
  );
  await tx.query(
    `update webhook_endpoint set deleted_at = coalesce(deleted_at, to_timestamp($2 / 1000.0))
      where customer_id = $1`,
    [customerId, now],
  );
  await tx.query(
    `update customer
        set move_state = 'moved', move_token = $2, moved_to = $3, moved_to_url = $4,
            deleted_at = to_timestamp($5 / 1000.0)
      where id = $1`,
    [customerId, token, toName, toUrl, now],
  );
  // Servers that do not know of the move yet find no units, for a minute.
  await tx.query(
    `insert into quota_minute (customer_id, per_minute, base_ms, admitted_ms, has_blocks)
     values ($1, 0, 0, '{}', true)`,
    [customerId],
  );
  await tx.query(
    `insert into quota_block
     values ($2, $1, $3, 0, 0, 0, 0,
             floor(extract(epoch from clock_timestamp()) * 1000)::int8 + 5000)`,
    [customerId, `moved ${token}`, ALL_UNITS],
  );
}
