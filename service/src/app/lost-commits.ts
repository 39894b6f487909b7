import type { CommittedEntry, JournalKind } from '../storage/commit-journal.ts';
import type { Queryable } from '../storage/db.ts';

type EntryOf<Kind extends JournalKind> = Extract<CommittedEntry, { kind: Kind }>;

const RESPONSES = { table: 'raw_answer', column: 'observed_at' } as const;
const ACTIONS = { table: 'audit_event', column: 'at' } as const;

/** Returns the entries whose rows the store does not have, oldest first. */
export async function findLostCommits(
  db: Queryable,
  process: string,
  entries: readonly CommittedEntry[],
): Promise<CommittedEntry[]> {
  const of = <Kind extends JournalKind>(kind: Kind): EntryOf<Kind>[] =>
    entries.filter((entry): entry is EntryOf<Kind> => entry.kind === kind);
  const lost = new Set<CommittedEntry>([
    ...(await lostRows(db, RESPONSES, of('response'), ({ observedAt }) => observedAt)),
    ...(await lostChanges(db, of('change'))),
    ...(await lostAttempts(db, of('attempt'))),
    ...(await lostRows(db, ACTIONS, of('action'), ({ at }) => at)),
    ...(await lostCounts(db, process, of('count'))),
  ]);
  return entries.filter((entry) => lost.has(entry));
}

// Other processes may have written since the failover, and ids that follow a sequence may have been
// used again. So rows are found by their id and their time.

async function lostRows<Entry extends { id: number }>(
  db: Queryable,
  { table, column }: { table: 'raw_answer' | 'audit_event'; column: 'observed_at' | 'at' },
  entries: readonly Entry[],
  timeOf: (entry: Entry) => number,
): Promise<Entry[]> {
  if (entries.length === 0) return [];
  // Returns at most one row per id, by the primary key.
  const rows = await db.query<{ id: number }>(
    `select r.id from unnest($1::int8[], $2::float8[]) as r (id, at)
       join ${table} t on t.id = r.id and t.${column} = to_timestamp(r.at / 1000.0)`,
    [entries.map(({ id }) => id), entries.map(timeOf)],
  );
  const ids = new Set(rows.map(({ id }) => id));
  return entries.filter(({ id }) => !ids.has(id));
}

/** No id of a change is used again, because the epoch has started. */
async function lostChanges(
  db: Queryable,
  entries: readonly EntryOf<'change'>[],
): Promise<EntryOf<'change'>[]> {
  if (entries.length === 0) return [];
  // Returns at most one row per id, by the primary key.
  const rows = await db.query<{ id: number }>(
    `select id from change_record where id = any($1::int8[])`,
    [entries.map(({ id }) => id)],
  );
  const ids = new Set(rows.map(({ id }) => id));
  return entries.filter(({ id }) => !ids.has(id));
}

async function lostAttempts(
  db: Queryable,
  entries: readonly EntryOf<'attempt'>[],
): Promise<EntryOf<'attempt'>[]> {
  if (entries.length === 0) return [];
  // Returns at most one row per attempt, by the primary key. The epoch has recorded attempts as
  // unknown whose claims the store has, but not their results.
  const rows = await db.query<{ id: string; n: number }>(
    `select a.delivery_id as id, a.n from unnest($1::text[], $2::int4[]) as r (id, n)
       join delivery_attempt a on a.delivery_id = r.id and a.n = r.n and a.state = 'finished'`,
    [entries.map(({ deliveryId }) => deliveryId), entries.map(({ n }) => n)],
  );
  const stored = new Set(rows.map(({ id, n }) => `${id} ${n}`));
  return entries.filter(({ deliveryId, n }) => !stored.has(`${deliveryId} ${n}`));
}

async function lostCounts(
  db: Queryable,
  process: string,
  entries: readonly EntryOf<'count'>[],
): Promise<EntryOf<'count'>[]> {
  if (entries.length === 0) return [];
  // Returns at most one row.
  const [row] = await db.query<{ mark: number }>(
    'select mark from quota_commit where process = $1',
    [process],
  );
  return entries.filter(({ mark }) => mark > (row?.mark ?? 0));
}

/** Counts lost requests again, unless their day, month or plan has ended. */
export async function restoreCounts(
  db: Queryable,
  lost: readonly EntryOf<'count'>[],
): Promise<void> {
  if (lost.length === 0) return;
  // Inserts or updates one row per customer. All of its requests in one quota are added at once.
  await db.query(
    `with lost as (
       select "customerId" as customer_id, "dayId" as day_id, "monthId" as month_id, generation,
              "perDay" as per_day, "perMonth" as per_month, sum(units)::int4 as units
         from jsonb_to_recordset($1::jsonb) as r (
           "customerId" text, "dayId" int4, "monthId" int4, generation int4, "perDay" int4,
           "perMonth" int4, units int4)
        where "perDay" is not null or "perMonth" is not null
        group by 1, 2, 3, 4, 5, 6),
     newest as (
       select distinct on (customer_id) * from lost
        order by customer_id, generation desc, month_id desc, day_id desc)
     insert into quota_use as q
       (customer_id, day_id, day_count, per_day, month_id, month_count, per_month, generation)
     select customer_id, case when per_day is null then 0 else day_id end,
            case when per_day is null then 0 else units end, per_day,
            case when per_month is null then 0 else month_id end,
            case when per_month is null then 0 else units end, per_month, generation
       from newest
     on conflict (customer_id) do update
       set day_count = q.day_count + case when q.day_id = excluded.day_id then excluded.day_count else 0 end,
           month_count = q.month_count
             + case when q.month_id = excluded.month_id then excluded.month_count else 0 end
       where q.generation = excluded.generation`,
    [JSON.stringify(lost)],
  );
}
