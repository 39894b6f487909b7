import { COMMAND_LINE, recordAuditEvent } from '../../accounts/audit-log.ts';
import type { Clock } from '../../platform/clock.ts';
import { readCellName } from '../../storage/cells/cell-marker.ts';
import { CellError } from '../../storage/cells/init-cell.ts';
import type { Db, Queryable, Row } from '../../storage/db.ts';
import { IN_FLIGHT } from '../../webhooks/queue/in-flight.ts';
import { ensureBaseline } from '../../webhooks/subscription/baseline.ts';
import type { WebhookContext } from '../../webhooks/webhook-deps.ts';
import { checkMove } from './check-move.ts';
import { handOver } from './hand-over.ts';
import { moveHistory } from './move-history.ts';
import { templatesWithSets } from './take-over-changes.ts';

/** Steps of a move, in order. A move that ends at any of them can be repeated. */
export type MoveStep =
  | 'leaving'
  | 'drained'
  | 'closing'
  | 'arriving'
  | 'moved'
  | 'active'
  | 'history';

export interface MoveOptions {
  /** The cell that has the customer. */
  from: Db;
  to: Db;
  customerId: string;
  /** Public address of the new cell, for the problem `customer-moved`; null if there is none. */
  toUrl: string | null;
  clock: Clock;
  webhooks: WebhookContext;
  /** A new id, the same in both cells. */
  token: string;
  /** Called after each step. */
  onStep(step: MoveStep): void | Promise<void>;
}

export interface MoveResult {
  /** Time in which requests of the customer were rejected or waited; null if it was moved before. */
  closedMs: number | null;
}

type MoveState = 'leaving' | 'closing' | 'moved' | 'arriving' | null;

/** Time after the handover's announcement in which servers learn of it. */
const ANNOUNCE_MS = 150;
const DRAIN_MS_MAX = 120_000;
const HANDOVER_MS_MAX = 30_000;
/** Requests are rejected while the handover waits for facts. */
const FACTS_MS_MAX = 5_000;
const POLL_MS = 10;

/**
 * Moves a customer to another cell: deliveries in flight end, then requests are rejected for a
 * moment, in which everything that the new cell needs is copied in one step, and finally the history
 * follows. At no time do both cells deliver for the customer or admit its requests. If it is
 * interrupted, repeating it finishes the move.
 */
export async function moveCustomer(options: MoveOptions): Promise<MoveResult> {
  const { from, to, customerId, onStep } = options;
  const names = await checkMove(from, to);
  const state = await readMoveState(from, customerId);
  if (state === 'missing') throw new CellError(`no customer has the ID ${customerId}`);
  if (state === 'arriving') {
    throw new CellError('the customer is arriving here: repeat the move on the cell it comes from');
  }
  let closedMs: number | null = null;
  if (state !== 'moved') closedMs = await leave(options, names.to);
  await requireMovedTo(from, customerId, names.to);
  await activate(options);
  await onStep('active');
  await moveHistory({ from, to, customerId });
  await onStep('history');
  return { closedMs };
}

/** Keeps the customer where it is, unless the old cell has handed it over already. */
export async function abortMove({
  from,
  to,
  customerId,
}: Pick<MoveOptions, 'from' | 'to' | 'customerId'>): Promise<void> {
  const rows = await from.query(
    `update customer set move_state = null, move_token = null
      where id = $1 and move_state in ('leaving', 'closing') returning id`,
    [customerId],
  );
  if (rows.length === 0) {
    throw new CellError('the customer is not leaving this cell: if it has moved, repeat the move');
  }
  // The copy on the new cell is not active. The next move replaces it.
  await to.query(`update customer set moved_to = null where id = $1 and move_state = 'arriving'`, [
    customerId,
  ]);
}

/** Returns the time in which the customer was rejected. */
async function leave(options: MoveOptions, toName: string): Promise<number> {
  const { from, to, customerId, clock, webhooks, onStep } = options;
  for (const templateId of await templatesWithSets(from, customerId)) {
    await ensureBaseline({ db: to, clock, webhooks }, templateId);
  }
  await setState(options, 'leaving');
  await onStep('leaving');
  await poll(clock, DRAIN_MS_MAX, 'deliveries in flight do not end', () =>
    isDrained(from, customerId),
  );
  await onStep('drained');
  await waitForFacts(options, from, DRAIN_MS_MAX);
  const startedMs = clock.monotonicMs();
  await setState(options, 'closing');
  await onStep('closing');
  await clock.sleep(ANNOUNCE_MS);
  await poll(clock, HANDOVER_MS_MAX, 'the customer cannot be handed over', () =>
    handOver(options, { toName, isReady: (tx) => isReadyToHandOver(options, tx) }),
  ).catch(async (error: unknown) => {
    // Only the old cell can have the customer: the handover did not commit there.
    await from.query(
      `update customer set move_state = null where id = $1 and move_state = 'closing'`,
      [customerId],
    );
    throw error;
  });
  await onStep('moved');
  await activate(options);
  return clock.monotonicMs() - startedMs;
}

/** Called under the locks of the customer, so nothing is sent or shown for it any more. */
async function isReadyToHandOver(options: MoveOptions, from: Queryable): Promise<boolean> {
  if (!(await isDrained(from, options.customerId))) return false;
  await waitForFacts(options, from, FACTS_MS_MAX);
  return true;
}

/** Waits until the new cell has all facts that the old one may have sent or shown. */
async function waitForFacts(
  { to, clock }: MoveOptions,
  from: Queryable,
  limitMs: number,
): Promise<void> {
  const newest = await newestChange(from);
  await poll(clock, limitMs, 'the new cell does not receive the newest facts', async () => {
    return (await newestChange(to)) >= newest;
  });
}

async function isDrained(db: Queryable, customerId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from ${IN_FLIGHT} f join webhook_endpoint e on e.id = f.endpoint_id
      where e.customer_id = $1 limit 1`,
    [customerId],
  );
  return rows.length === 0;
}

async function newestChange(db: Queryable): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from change_record',
  );
  return row?.id ?? 0;
}

async function setState(
  { from, customerId, token }: MoveOptions,
  state: 'leaving' | 'closing',
): Promise<void> {
  await from.query(
    `update customer set move_state = $2, move_token = $3
      where id = $1 and deleted_at is null and move_state is distinct from 'moved'`,
    [customerId, state, token],
  );
}

async function readMoveState(db: Queryable, customerId: string): Promise<MoveState | 'missing'> {
  const [row] = await db.query<Row & { state: MoveState; isDeleted: boolean }>(
    `select move_state as state, deleted_at is not null as "isDeleted" from customer where id = $1`,
    [customerId],
  );
  if (row === undefined || (row.isDeleted && row.state !== 'moved')) return 'missing';
  return row.state;
}

async function requireMovedTo(from: Queryable, customerId: string, name: string): Promise<void> {
  const [row] = await from.query<{ name: string | null }>(
    `select moved_to as name from customer where id = $1`,
    [customerId],
  );
  if (row?.name === name) return;
  throw new CellError(`the customer has moved to the cell ${row?.name}, not to ${name}`);
}

/** Makes the copy on the new cell the customer, once the old cell has given it up. */
async function activate({ from, to, customerId, clock }: MoveOptions): Promise<void> {
  const [moved] = await from.query<{ token: string | null }>(
    `select move_token as token from customer where id = $1 and move_state = 'moved'`,
    [customerId],
  );
  if (moved === undefined) throw new CellError('the old cell still has the customer');
  await to.transaction(async (tx) => {
    const active = await tx.query(
      `update customer set move_state = null, move_token = null
        where id = $1 and move_state = 'arriving' and move_token = $2 returning id`,
      [customerId, moved.token],
    );
    if (active.length === 0) return;
    await recordAuditEvent(tx, {
      actor: COMMAND_LINE,
      at: clock.now(),
      action: 'customer.move',
      subject: customerId,
      customerId,
      details: { from: await readCellName(from) },
    });
  });
}

async function poll(
  clock: Clock,
  limitMs: number,
  problem: string,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const endsMs = clock.monotonicMs() + limitMs;
  while (!(await isDone())) {
    if (clock.monotonicMs() >= endsMs) {
      throw new CellError(`${problem} within ${limitMs / 1_000} s: repeat the move, or abort it`);
    }
    await clock.sleep(POLL_MS);
  }
}
