import type { Instant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';
import { copyLine } from '../../storage/values/copy-line.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import { ATTEMPTS_MAX } from './retry-schedule.ts';
import { makeDeliveryId } from './delivery-id.ts';
import type { LockedEndpoint } from '../endpoint/lock-endpoints.ts';
import { markInProgress } from './in-flight.ts';
import { type PendingResolution, resolvePending, type PendingDelivery } from './resolve-pending.ts';

/** The endpoint, template and symbol of a delivery. */
export interface DeliverySubject {
  endpoint: LockedEndpoint;
  templateId: string;
  eventType: string;
  symbol: string;
}

export interface DeliveryOptions {
  now: Instant;
  /** Set to true to list all fields as changed, as for a manual redelivery. */
  includeAllFields?: boolean;
  /** ID of the finished delivery to redeliver. */
  replayOf?: string | null;
}

/** Decides how to combine a change with a pending delivery. Replaced only in tests. */
export type PendingRule = (pending: PendingDelivery | null) => PendingResolution;

export interface CreateDeps {
  tx: Transaction;
  random: Random;
  rule?: PendingRule | undefined;
}

/**
 * Ensures that each subject of the locked endpoints has a pending delivery, by creating one if
 * necessary. The delivery is held if the endpoint is disabled. Each subject may occur only once.
 * Returns the delivery IDs in the order of the subjects.
 */
export async function createDeliveries(
  { tx, random, rule = resolvePending }: CreateDeps,
  subjects: readonly (DeliverySubject & { changedAt: Instant; dueAt?: Instant })[],
  options: DeliveryOptions,
): Promise<string[]> {
  const { now } = options;
  const endpointIds = subjects.map(({ endpoint }) => endpoint.id);
  const symbols = subjects.map(({ symbol }) => symbol);
  // The statements run in this order but are sent together to save a round trip.
  const [, pending] = await Promise.all([
    markInProgress(tx, endpointIds, symbols),
    loadPending(tx, subjects),
  ]);
  const created: NewDelivery[] = [];
  const superseded: { id: string; by: string }[] = [];
  const ids = subjects.map((subject) => {
    const resolution = rule(pending.get(keyOf(subject)) ?? null);
    if (resolution.kind === 'absorb') return resolution.id;
    const id = makeDeliveryId(now, random);
    created.push({ ...options, ...subject, id });
    if (resolution.kind === 'supersede') superseded.push({ id: resolution.id, by: id });
    return id;
  });
  await supersede(tx, superseded, now);
  await insertDeliveries(tx, created);
  if (options.includeAllFields === true) {
    const dueTimes = ids.map((id, i) => ({ id, due: subjects[i]?.dueAt ?? now }));
    // Updates deliveries that were already pending.
    await tx.query(
      `update delivery d
          set names_all = true, replay_of = coalesce(d.replay_of, $2),
              due_at = least(d.due_at, to_timestamp(a.due / 1000.0))
         from jsonb_to_recordset($1::jsonb) as a(id text, due float8)
        where d.id = a.id and not d.may_have_left`,
      [JSON.stringify(dueTimes), options.replayOf ?? null],
    );
  }
  return ids;
}

/** Marks pending deliveries as superseded by newer deliveries. */
export async function supersede(
  tx: Transaction,
  pairs: readonly { id: string; by: string }[],
  now: Instant,
): Promise<void> {
  if (pairs.length === 0) return;
  await tx.query(
    `update delivery d
        set state = 'superseded', superseded_by = p.by, finished_at = to_timestamp($2 / 1000.0)
       from jsonb_to_recordset($1::jsonb) as p(id text, by text)
      where d.id = p.id and d.state in ('pending', 'retrying', 'held')`,
    [JSON.stringify(pairs), now],
  );
}

export interface NewDelivery extends DeliverySubject, DeliveryOptions {
  id: string;
  /** Time at which the change was committed or the delivery was requested. */
  changedAt: Instant;
  /** Defaults to now. */
  dueAt?: Instant;
  isTest?: boolean;
}

/** Inserts deliveries to locked endpoints. None of their subjects may have a pending delivery. */
export async function insertDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const lines = deliveries.map((delivery) => {
    const createdAt = new Date(delivery.now).toISOString();
    return copyLine([
      delivery.id,
      delivery.endpoint.customerId,
      delivery.endpoint.id,
      delivery.templateId,
      delivery.eventType,
      delivery.symbol,
      delivery.endpoint.isDisabled && delivery.isTest !== true ? 'held' : 'pending',
      delivery.isTest === true ? 't' : 'f',
      delivery.includeAllFields === true ? 't' : 'f',
      delivery.replayOf ?? null,
      new Date(delivery.changedAt).toISOString(),
      createdAt,
      delivery.dueAt === undefined ? createdAt : new Date(delivery.dueAt).toISOString(),
      delivery.isTest === true ? 1 : ATTEMPTS_MAX,
    ]);
  });
  await tx.copy(
    `delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state, is_test,
               names_all, replay_of, changed_at, created_at, due_at, max_attempts)`,
    lines.join(''),
  );
}

async function loadPending(
  tx: Transaction,
  subjects: readonly DeliverySubject[],
): Promise<Map<string, PendingDelivery>> {
  // Returns at most one row per subject, using index `delivery_waiting`. Without the limit, the
  // planner would join with all pending deliveries, whose number grows with every symbol that
  // changes at the same time.
  const rows = await tx.query<PendingRow>(
    `select s.endpoint_id, s.template_id, s.symbol, d.id, d.may_have_left
       from unnest($1::text[], $2::text[], $3::text[]) as s(endpoint_id, template_id, symbol)
      cross join lateral (
        select w.id, w.may_have_left from delivery w
         where w.endpoint_id = s.endpoint_id and w.template_id = s.template_id
           and w.symbol = s.symbol and w.state in ('pending', 'retrying', 'held') and not w.is_test
         limit 1) as d`,
    [
      subjects.map(({ endpoint }) => endpoint.id),
      subjects.map(({ templateId }) => templateId),
      subjects.map(({ symbol }) => symbol),
    ],
  );
  return new Map(
    rows.map((row) => [
      `${row.endpoint_id} ${row.template_id} ${row.symbol}`,
      { id: row.id, maybeSent: row.may_have_left },
    ]),
  );
}

function keyOf({ endpoint, templateId, symbol }: DeliverySubject): string {
  return `${endpoint.id} ${templateId} ${symbol}`;
}

interface PendingRow extends Row {
  endpoint_id: string;
  template_id: string;
  symbol: string;
  id: string;
  may_have_left: boolean;
}
