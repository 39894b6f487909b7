import type { Queryable, Transaction } from '../../storage/db.ts';
import { IN_FLIGHT } from '../queue/in-flight.ts';
import type { SubscriptionKey, WebhookDeps } from '../webhook-deps.ts';

/**
 * The baseline of a template is the data of every company after its last fan-out. An endpoint that
 * subscribes to thousands of companies would otherwise need a row with its data for each of them.
 */

const PAGE_SIZE = 500;

/**
 * Stores the baseline of a template unless it is stored already. Takes seconds for ten thousand
 * companies, once per store and template. From its start on, every fan-out updates the baseline,
 * so a change that is stored meanwhile is never overwritten.
 */
export async function ensureBaseline(
  { db, clock, webhooks }: Pick<WebhookDeps, 'db' | 'clock' | 'webhooks'>,
  templateId: string,
): Promise<void> {
  const name = cursorOf(templateId);
  const [cursor] = await db.query<{ position: number }>(
    `insert into webhook_cursor (name, position) values ($1, 0)
     on conflict (name) do update set name = excluded.name returning position`,
    [name],
  );
  if (cursor?.position === 1) return;
  // Returns one row per symbol, some ten thousand.
  const rows = await db.query<{ symbol: string; reports: boolean }>(
    `select symbol, bool_or(reports) as reports from security group by symbol order by symbol`,
  );
  for (let start = 0; start < rows.length; start += PAGE_SIZE) {
    const page = rows.slice(start, start + PAGE_SIZE);
    const keys = page.map(({ symbol }) => ({ templateId, symbol }));
    const dataOf = await webhooks.loadSourceData(db, keys, clock.now());
    // A company without data is stored only if it may have some without a change of its own.
    const stored = page
      .map(({ symbol, reports }) => ({ symbol, reports, data: dataOf({ templateId, symbol }) }))
      .filter(({ reports, data }) => reports || data !== null);
    await db.query(
      `insert into webhook_baseline (template_id, symbol, data)
       select $1, n.symbol, n.data
         from jsonb_to_recordset($2::jsonb) as n(symbol text, data text)
       on conflict do nothing`,
      [templateId, JSON.stringify(stored)],
    );
  }
  await db.query(`update webhook_cursor set position = 1 where name = $1`, [name]);
}

/** Subscriptions to company sets of a template. */
export interface TemplateSets {
  hasSets: boolean;
  hasBaseline: boolean;
}

/** Returns, for each template, whether any endpoint subscribes to a company set. */
export async function loadTemplateSets(
  db: Queryable,
  templateIds: readonly string[],
): Promise<Map<string, TemplateSets>> {
  // Returns one row per template. Uses index webhook_subscription_sets.
  const rows = await db.query<{ id: string; hasSets: boolean; hasBaseline: boolean }>(
    `select t.id, ${hasSets('t.id')} as "hasSets", ${hasBaseline('t.id')} as "hasBaseline"
       from unnest($1::text[]) as t(id)`,
    [templateIds],
  );
  return new Map(rows.map(({ id, ...sets }) => [id, sets]));
}

/** SQL condition for templates with a subscription to a company set. */
export const hasSets = (template: string): string =>
  `exists (select 1 from webhook_subscription w where w.template_id = ${template} and w.kind = 'set')`;
/** SQL condition for templates with a baseline. */
export const hasBaseline = (template: string): string =>
  `exists (select 1 from webhook_cursor c where c.name = 'baseline ' || ${template})`;

/** SQL condition for templates of which every changed company must be processed. */
export function followsEveryCompany(template: string): string {
  return `(${hasSets(template)} or ${hasBaseline(template)})`;
}

/** Returns the baseline of the given companies. Companies without one are missing. */
export async function loadBaselines(
  db: Queryable,
  keys: readonly SubscriptionKey[],
): Promise<(key: SubscriptionKey) => string | null | undefined> {
  const rows = await db.query<{ templateId: string; symbol: string; data: string | null }>(
    `select b.template_id as "templateId", b.symbol, b.data
       from unnest($1::text[], $2::text[]) as k(template_id, symbol)
       join webhook_baseline b on b.template_id = k.template_id and b.symbol = k.symbol`,
    [keys.map(({ templateId }) => templateId), keys.map(({ symbol }) => symbol)],
  );
  const texts = new Map(rows.map((row) => [keyOf(row), row.data]));
  return (key) => texts.get(keyOf(key));
}

/**
 * Saves the data of companies whose fan-out is complete. A company that has lost its data keeps its
 * baseline, as receivers keep what they have acknowledged.
 */
export async function saveBaselines(
  tx: Transaction,
  entries: readonly (SubscriptionKey & { data: string | null })[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(
    `insert into webhook_baseline as b (template_id, symbol, data)
     select n."templateId", n.symbol, n.data
       from jsonb_to_recordset($1::jsonb) as n("templateId" text, symbol text, data text)
      order by 1, 2
     on conflict (template_id, symbol) do update
       set data = coalesce(excluded.data, b.data), is_stale = false`,
    [JSON.stringify(entries)],
  );
}

/** Returns whether any template has a baseline. */
export async function hasAnyBaseline(db: Queryable): Promise<boolean> {
  const rows = await db.query(
    `select 1 from webhook_cursor where starts_with(name, 'baseline ') limit 1`,
  );
  return rows.length > 0;
}

/** Marks the baselines of companies with changes that are too old to be sent. */
export async function markStale(tx: Transaction, keys: readonly SubscriptionKey[]): Promise<void> {
  await tx.query(
    `update webhook_baseline b set is_stale = true
       from (select o.template_id, o.symbol from webhook_baseline o
              where (o.template_id, o.symbol) in (
                      select * from unnest($1::text[], $2::text[]) as k(template_id, symbol))
                and not o.is_stale
              order by 1, 2 for update) n
      where b.template_id = n.template_id and b.symbol = n.symbol`,
    [keys.map(({ templateId }) => templateId), keys.map(({ symbol }) => symbol)],
  );
}

/**
 * Returns the companies whose data may differ from their baseline: those with changes that have not
 * been fanned out, and those with changes that never will be. Includes companies with a delivery in
 * flight to the endpoint, which may arrive with older data.
 */
export async function loadUnsettled(
  db: Queryable,
  { templateId, endpointId }: { templateId: string; endpointId: string },
): Promise<string[]> {
  // Returns one row per current symbol. Reads the queue, unread change records, open claims and
  // index webhook_baseline_stale.
  const rows = await db.query<{ symbol: string }>(
    `select s.symbol from security s where s.symbol in (
       select symbol from webhook_fan_out where template_id = $1 and only_endpoint = ''
       union all
       select symbol from change_record
        where id > coalesce((select position from webhook_cursor where name = 'changes'), 0)
       union all
       select symbol from webhook_baseline where template_id = $1 and is_stale
       union all
       select symbol from ${IN_FLIGHT} f where f.endpoint_id = $2)`,
    [templateId, endpointId],
  );
  return [...new Set(rows.map(({ symbol }) => symbol))];
}

function cursorOf(templateId: string): string {
  return `baseline ${templateId}`;
}

function keyOf({ templateId, symbol }: SubscriptionKey): string {
  return `${templateId} ${symbol}`;
}
