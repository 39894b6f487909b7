import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';

/** A company of which something changed, about which subscribers are to be told. */
export interface ChangedSubject {
  templateId: string;
  symbol: string;
  changedAt: Instant;
}

/**
 * Queues companies for all who watch them; a company that is queued already begins anew. Those that
 * nobody watches are left out: whoever subscribes at this moment is looked at on its own.
 */
export async function queueSubjects(
  tx: Transaction,
  subjects: readonly ChangedSubject[],
): Promise<void> {
  if (subjects.length === 0) return;
  // One row a subject, by the primary key; subscribers by theirs. In order, so that two processes
  // never wait for each other.
  await tx.query(
    `insert into webhook_fan_out as f (template_id, symbol, changed_at)
     select n."templateId", n.symbol, to_timestamp(min(n."changedAt") / 1000.0)
       from jsonb_to_recordset($1::jsonb) as n("templateId" text, symbol text, "changedAt" float8)
      where exists (select 1 from webhook_subscription s
                     where s.template_id = n."templateId" and s.symbol = n.symbol)
      group by 1, 2 order by 1, 2
     on conflict (template_id, symbol, only_endpoint) do update
       set after_endpoint = '', changed_at = least(f.changed_at, excluded.changed_at)`,
    [JSON.stringify(subjects)],
  );
}

/** Queues every company that is watched through one of these templates. */
export async function queueWatched(
  tx: Transaction,
  templateIds: readonly string[],
  changedAt: Instant,
): Promise<void> {
  // One row a company and template, over the subscriptions of the templates by the primary key. In
  // order, so that two processes never wait for each other.
  await tx.query(
    `insert into webhook_fan_out as f (template_id, symbol, changed_at)
     select distinct s.template_id, s.symbol, to_timestamp($2 / 1000.0)
       from webhook_subscription s where s.template_id = any($1::text[]) order by 1, 2
     on conflict (template_id, symbol, only_endpoint) do update
       set after_endpoint = '', changed_at = least(f.changed_at, excluded.changed_at)`,
    [templateIds, changedAt],
  );
}

/** A queued company with the place reached among those who watch it. */
export interface QueuedSubject extends ChangedSubject {
  /** Empty: all who watch it. */
  onlyEndpoint: string;
  afterEndpoint: string;
}

/**
 * Those that no other process works at, locked until the transaction ends, the oldest first: when
 * there are more, so many of the oldest and as many of the newest, which a long queue must not hold up.
 */
export async function takeQueued(tx: Transaction, limit: number): Promise<QueuedSubject[]> {
  // At most `limit` rows at either end of index webhook_fan_out_by_age.
  const take = (order: 'asc' | 'desc'): Promise<(QueuedSubject & Row)[]> =>
    tx.query<QueuedSubject & Row>(
      `select template_id as "templateId", symbol, changed_at as "changedAt",
              only_endpoint as "onlyEndpoint", after_endpoint as "afterEndpoint"
         from webhook_fan_out order by changed_at ${order} limit $1 for update skip locked`,
      [limit],
    );
  const oldest = await take('asc');
  if (oldest.length < limit) return oldest;
  const known = new Set(oldest.map(keyOf));
  const newest = (await take('desc')).filter((subject) => !known.has(keyOf(subject)));
  return [...oldest, ...newest.toReversed()];
}

function keyOf({ templateId, symbol, onlyEndpoint }: QueuedSubject): string {
  return `${templateId} ${symbol} ${onlyEndpoint}`;
}

/** Takes subjects off the queue, or remembers where to go on with them. */
export async function settleQueued(
  tx: Transaction,
  places: ReadonlyMap<QueuedSubject, string | null>,
): Promise<void> {
  const done = [...places].filter(([, after]) => after === null).map(([subject]) => subject);
  // At most one row each, by the primary key.
  await tx.query(
    `delete from webhook_fan_out f
      using jsonb_to_recordset($1::jsonb) as q("templateId" text, symbol text, "onlyEndpoint" text)
      where f.template_id = q."templateId" and f.symbol = q.symbol
        and f.only_endpoint = q."onlyEndpoint"`,
    [JSON.stringify(done)],
  );
  const begun = [...places].flatMap(([subject, after]) =>
    after === null ? [] : [{ ...subject, afterEndpoint: after }],
  );
  if (begun.length === 0) return;
  // One row each, by the primary key.
  await tx.query(
    `update webhook_fan_out f set after_endpoint = q."afterEndpoint"
       from jsonb_to_recordset($1::jsonb)
         as q("templateId" text, symbol text, "onlyEndpoint" text, "afterEndpoint" text)
      where f.template_id = q."templateId" and f.symbol = q.symbol
        and f.only_endpoint = q."onlyEndpoint"`,
    [JSON.stringify(begun)],
  );
}
