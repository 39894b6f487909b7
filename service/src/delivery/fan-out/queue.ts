import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import {
  followsEveryCompany,
  hasBaseline,
  hasSets,
  type TemplateSets,
} from '../../webhooks/subscription/baseline.ts';

/** A company whose data changed, for one template. */
export interface ChangedSubject {
  templateId: string;
  symbol: string;
  changedAt: Instant;
}

/**
 * Queues subjects for their subscribers. A subject that is already queued starts again with the
 * first subscriber. Leaves out subjects without subscribers, because a new subscription queues its
 * own subject. Any subject may have subscribers of a template with subscriptions to company sets.
 */
export async function queueSubjects(
  tx: Transaction,
  subjects: readonly ChangedSubject[],
): Promise<void> {
  if (subjects.length === 0) return;
  // The rows are ordered so that two processes cannot deadlock.
  await tx.query(
    `insert into webhook_fan_out as f (template_id, symbol, changed_at)
     select n."templateId", n.symbol, to_timestamp(min(n."changedAt") / 1000.0)
       from jsonb_to_recordset($1::jsonb) as n("templateId" text, symbol text, "changedAt" float8)
      where exists (select 1 from webhook_subscription s
                     where s.template_id = n."templateId" and s.symbol = n.symbol)
         or ${followsEveryCompany('n."templateId"')}
      group by 1, 2 order by 1, 2
     on conflict (template_id, symbol, only_endpoint) do update
       set after_endpoint = '', changed_at = least(f.changed_at, excluded.changed_at)`,
    [JSON.stringify(subjects)],
  );
}

/** Changed subjects that have, or may have, subscribers. */
export interface FollowedSubjects {
  followed: ChangedSubject[];
  /** Keyed by template. */
  templateSets: Map<string, TemplateSets>;
  /** True if any subjects are queued, in the store or by a transaction that is processing them. */
  hasQueued: boolean;
}

export async function loadFollowed(
  tx: Transaction,
  subjects: readonly ChangedSubject[],
): Promise<FollowedSubjects> {
  // Returns one row per subject. Uses index webhook_subscription_sets.
  const rows = await tx.query<FollowedRow>(
    `select n.template_id as "templateId", n.symbol,
            exists (select 1 from webhook_fan_out) as "hasQueued",
            ${hasSets('n.template_id')} as "hasSets",
            ${hasBaseline('n.template_id')} as "hasBaseline",
            exists (select 1 from webhook_subscription s
                     where s.template_id = n.template_id and s.symbol = n.symbol) as "isFollowed"
       from unnest($1::text[], $2::text[]) as n(template_id, symbol)`,
    [subjects.map(({ templateId }) => templateId), subjects.map(({ symbol }) => symbol)],
  );
  const followedRows = rows.filter((row) => row.isFollowed || row.hasSets || row.hasBaseline);
  const keys = new Set(followedRows.map(({ templateId, symbol }) => `${templateId} ${symbol}`));
  return {
    followed: subjects.filter(({ templateId, symbol }) => keys.has(`${templateId} ${symbol}`)),
    templateSets: new Map(rows.map(({ templateId, ...sets }) => [templateId, sets])),
    hasQueued: rows[0]?.hasQueued ?? true,
  };
}

interface FollowedRow extends Row, TemplateSets {
  templateId: string;
  symbol: string;
  isFollowed: boolean;
  hasQueued: boolean;
}

/** Queues every company with a subscription to, or a baseline of, one of these templates. */
export async function queueSubscribed(
  tx: Transaction,
  templateIds: readonly string[],
  changedAt: Instant,
): Promise<void> {
  // Reads all subscriptions to the templates and their baselines. The rows are ordered so that two processes cannot
  // deadlock.
  await tx.query(
    `insert into webhook_fan_out as f (template_id, symbol, changed_at)
     select s.template_id, s.symbol, to_timestamp($2 / 1000.0) from (
       select template_id, symbol from webhook_subscription where kind <> 'set'
       union select template_id, symbol from webhook_baseline) s
      where s.template_id = any($1::text[]) order by 1, 2
     on conflict (template_id, symbol, only_endpoint) do update
       set after_endpoint = '', changed_at = least(f.changed_at, excluded.changed_at)`,
    [templateIds, changedAt],
  );
}

/** A queued subject with its progress through the subscribers. */
export interface QueuedSubject extends ChangedSubject {
  /** The only endpoint to deliver to. Empty for all subscribers. */
  onlyEndpoint: string;
  afterEndpoint: string;
}

/**
 * Locks queued subjects until the end of the transaction, oldest first, and skips subjects that
 * another process has locked. If there are more than `limit`, also returns up to `limit` of the
 * newest, so that new changes do not wait behind a long queue.
 */
export async function takeQueued(tx: Transaction, limit: number): Promise<QueuedSubject[]> {
  // Returns at most `limit` rows from either end of index webhook_fan_out_by_age.
  const take = (order: 'asc' | 'desc'): Promise<(QueuedSubject & Row)[]> =>
    tx.query<QueuedSubject & Row>(
      `select template_id as "templateId", symbol, changed_at as "changedAt",
              only_endpoint as "onlyEndpoint", after_endpoint as "afterEndpoint"
         from webhook_fan_out order by changed_at ${order} limit $1 for update skip locked`,
      [limit],
    );
  const oldest = await take('asc');
  if (oldest.length < limit) return oldest;
  const oldestKeys = new Set(oldest.map(keyOf));
  const newest = (await take('desc')).filter((subject) => !oldestKeys.has(keyOf(subject)));
  return [...oldest, ...newest.toReversed()];
}

function keyOf({ templateId, symbol, onlyEndpoint }: QueuedSubject): string {
  return `${templateId} ${symbol} ${onlyEndpoint}`;
}

/** Queues subjects that are partly fanned out, after the last endpoint processed. */
export async function queueRest(
  tx: Transaction,
  subjects: readonly QueuedSubject[],
  progress: ReadonlyMap<QueuedSubject, string | null>,
): Promise<void> {
  if (subjects.length === 0) return;
  const rows = subjects.map((subject) => ({
    ...subject,
    afterEndpoint: progress.get(subject) ?? subject.afterEndpoint,
  }));
  await tx.query(
    `insert into webhook_fan_out as f (template_id, symbol, changed_at, after_endpoint)
     select n."templateId", n.symbol, to_timestamp(n."changedAt" / 1000.0), n."afterEndpoint"
       from jsonb_to_recordset($1::jsonb)
         as n("templateId" text, symbol text, "changedAt" float8, "afterEndpoint" text)
      order by 1, 2
     on conflict (template_id, symbol, only_endpoint) do update
       set after_endpoint = '', changed_at = least(f.changed_at, excluded.changed_at)`,
    [JSON.stringify(rows)],
  );
}

/**
 * Saves the progress of queued subjects: the last endpoint processed, or null if the fan-out is
 * complete. Removes complete subjects from the queue.
 */
export async function saveProgress(
  tx: Transaction,
  progress: ReadonlyMap<QueuedSubject, string | null>,
): Promise<void> {
  const complete: QueuedSubject[] = [];
  const partial: QueuedSubject[] = [];
  for (const [subject, endpointId] of progress) {
    if (endpointId === null) complete.push(subject);
    else partial.push({ ...subject, afterEndpoint: endpointId });
  }
  await tx.query(
    `delete from webhook_fan_out f
      using jsonb_to_recordset($1::jsonb) as q("templateId" text, symbol text, "onlyEndpoint" text)
      where f.template_id = q."templateId" and f.symbol = q.symbol
        and f.only_endpoint = q."onlyEndpoint"`,
    [JSON.stringify(complete)],
  );
  if (partial.length === 0) return;
  await tx.query(
    `update webhook_fan_out f set after_endpoint = q."afterEndpoint"
       from jsonb_to_recordset($1::jsonb)
         as q("templateId" text, symbol text, "onlyEndpoint" text, "afterEndpoint" text)
      where f.template_id = q."templateId" and f.symbol = q.symbol
        and f.only_endpoint = q."onlyEndpoint"`,
    [JSON.stringify(partial)],
  );
}
