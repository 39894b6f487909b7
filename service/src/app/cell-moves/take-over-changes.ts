import type { Queryable, Row, Transaction } from '../../storage/db.ts';

/**
 * Changes that the old cell may not have fanned out to the customer, and the data that it has sent
 * about companies in company sets. Both cells read the same changes, but each at its own pace.
 */
export interface FanOutState {
  /** The last change that the old cell has read. */
  position: number;
  /** Companies that wait for their subscribers, or whose changes have not been read. */
  unsettled: { templateId: string; symbol: string }[];
  /** Hashes of the baselines of templates with subscriptions to company sets. */
  baselines: { templateId: string; symbol: string; hash: string }[];
}

/** Templates of which the customer subscribes to company sets. */
export async function templatesWithSets(db: Queryable, customerId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select distinct s.template_id as id
       from webhook_subscription s join webhook_endpoint e on e.id = s.endpoint_id
      where e.customer_id = $1 and s.kind = 'set'`,
    [customerId],
  );
  return rows.map(({ id }) => id);
}

export async function readFanOutState(
  db: Queryable,
  templateIds: readonly string[],
): Promise<FanOutState> {
  const position = await readPosition(db);
  // Returns one row per queued company and per change that was not read.
  const unsettled = await db.query<Row & { templateId: string; symbol: string }>(
    `select template_id as "templateId", symbol from webhook_fan_out where template_id = any($1::text[])
     union
     select t.id, c.symbol from change_record c cross join unnest($1::text[]) as t(id)
      where c.id > $2`,
    [templateIds, position],
  );
  return { position, unsettled, baselines: await readHashes(db, templateIds) };
}

/**
 * Queues everything that the customer may not have been sent, in the transaction that adds its
 * endpoints: each subscription once, and each company of a set whose data may differ from what the
 * old cell has sent. The fan-out leaves out what a receiver has acknowledged.
 */
export async function takeOverChanges(
  tx: Transaction,
  options: {
    customerId: string;
    templateIds: readonly string[];
    state: FanOutState;
    /** Loads what the old cell has sent about companies: the data of its baseline. */
    loadBaselines(
      keys: readonly { templateId: string; symbol: string }[],
    ): Promise<readonly { templateId: string; symbol: string; data: string | null }[]>;
  },
): Promise<void> {
  const { customerId, templateIds } = options;
  // Waits until no process reads changes: it could overlook the subscriptions of this transaction.
  await tx.query(
    `insert into webhook_cursor (name, position) values ('changes', 0) on conflict do nothing`,
  );
  const [cursor] = await tx.query<{ position: number }>(
    `select position from webhook_cursor where name = 'changes' for update`,
  );
  if (templateIds.length > 0) {
    const keys = await differingCompanies(tx, { ...options, upTo: cursor?.position ?? 0 });
    const sent = await options.loadBaselines(keys);
    await tx.query(
      `insert into webhook_subscription
              (template_id, symbol, endpoint_id, created_at, answered_data, named_fields, kind)
       select s.template_id, n.symbol, s.endpoint_id, s.created_at, n.data, '{}', 'member'
         from (select distinct s.template_id, s.endpoint_id, min(s.created_at) as created_at
                 from webhook_subscription s join webhook_endpoint e on e.id = s.endpoint_id
                where e.customer_id = $1 and s.kind = 'set' group by 1, 2) s
         join jsonb_to_recordset($2::jsonb) as n("templateId" text, symbol text, data text)
           on n."templateId" = s.template_id
       on conflict do nothing`,
      [customerId, JSON.stringify(sent)],
    );
  }
  await tx.query(
    `insert into webhook_fan_out (template_id, symbol, only_endpoint, changed_at)
     select s.template_id, s.symbol, s.endpoint_id, now()
       from webhook_subscription s join webhook_endpoint e on e.id = s.endpoint_id
      where e.customer_id = $1 and e.deleted_at is null and s.kind <> 'set'
      order by 1, 2, 3
     on conflict do nothing`,
    [customerId],
  );
}

/** Companies of sets about which the two cells may have sent different data. */
async function differingCompanies(
  tx: Transaction,
  options: { templateIds: readonly string[]; state: FanOutState; upTo: number },
): Promise<{ templateId: string; symbol: string }[]> {
  const { templateIds, state, upTo } = options;
  const own = await readFanOutState(tx, templateIds);
  // Returns one row per change that this cell has read and the old one has not.
  const ahead = await tx.query<Row & { templateId: string; symbol: string }>(
    `select t.id as "templateId", c.symbol from change_record c
      cross join unnest($1::text[]) as t(id) where c.id > $2 and c.id <= $3`,
    [templateIds, state.position, upTo],
  );
  const hashOf = new Map(own.baselines.map((row) => [keyOf(row), row.hash]));
  const differing = state.baselines.filter((row) => hashOf.get(keyOf(row)) !== row.hash);
  const ofOther = new Set(state.baselines.map(keyOf));
  const added = own.baselines.filter((row) => !ofOther.has(keyOf(row)));
  const all = [...state.unsettled, ...own.unsettled, ...ahead, ...differing, ...added];
  return [...new Map(all.map((row) => [keyOf(row), row])).values()].map(
    ({ templateId, symbol }) => ({ templateId, symbol }),
  );
}

async function readPosition(db: Queryable): Promise<number> {
  const [cursor] = await db.query<{ position: number }>(
    `select position from webhook_cursor where name = 'changes'`,
  );
  return cursor?.position ?? 0;
}

function readHashes(db: Queryable, templateIds: readonly string[]) {
  // Returns one row per company with a baseline, some ten thousand per template.
  return db.query<Row & { templateId: string; symbol: string; hash: string }>(
    `select template_id as "templateId", symbol, md5(coalesce(data, '')) as hash
       from webhook_baseline where template_id = any($1::text[])`,
    [templateIds],
  );
}

function keyOf({ templateId, symbol }: { templateId: string; symbol: string }): string {
  return `${templateId} ${symbol}`;
}
