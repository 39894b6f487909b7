import type { Db, Queryable, Row } from '../../storage/db.ts';
import {
  type CopiedRows,
  insertRows,
  MOVED_TABLES,
  type MovedTable,
  readRows,
} from './customer-rows.ts';

const PAGE_SIZE = 500;

/**
 * Copies what the new cell did not need at once: finished deliveries with their attempts, the request
 * log, and counts that servers wrote after the handover. Rows that are there already are not added
 * again. The old cell keeps them until its retention deletes them.
 */
export async function moveHistory(cells: { from: Db; to: Db; customerId: string }): Promise<void> {
  const { from, to, customerId } = cells;
  for (let after: string | null = ''; after !== null;) {
    after = await copyDeliveries(from, to, { customerId, after });
  }
  for (let after: number | null = 0; after !== null;) {
    after = await copyRequests(from, to, { customerId, after });
  }
  await moveLateUsage(from, to, customerId);
  await from.query(`update customer set move_token = null where id = $1 and move_state = 'moved'`, [
    customerId,
  ]);
}

/** Returns the position after the page; null after the last one. */
async function copyDeliveries(
  from: Db,
  to: Db,
  { customerId, after }: { customerId: string; after: string },
): Promise<string | null> {
  const [afterEndpoint = '', afterId = ''] = after.split(' ');
  // Returns one page, by index delivery_by_endpoint.
  const page = await from.query<Row & { endpointId: string; id: string }>(
    `select d.endpoint_id as "endpointId", d.id
       from webhook_endpoint e join delivery d on d.endpoint_id = e.id
      where e.customer_id = $1 and (d.endpoint_id, d.id) > ($2, $3)
      order by d.endpoint_id, d.id limit ${PAGE_SIZE}`,
    [customerId, afterEndpoint, afterId],
  );
  const last = page.at(-1);
  if (last === undefined) return null;
  const ids = page.map(({ id }) => `'${id.replaceAll("'", "''")}'`).join(', ');
  const deliveries = await read(from, 'delivery', { where: `id in (${ids})`, customerId });
  const attempts = await read(from, 'delivery_attempt', {
    where: `delivery_id in (${ids})`,
    customerId,
  });
  await to.transaction(async (tx) => {
    await insertRows(tx, deliveries);
    await insertRows(tx, attempts);
  });
  return `${last.endpointId} ${last.id}`;
}

/** Returns the position after the page; null after the last one. */
async function copyRequests(
  from: Db,
  to: Db,
  { customerId, after }: { customerId: string; after: number },
): Promise<number | null> {
  const page = await from.query<Row & { id: number }>(
    `select id from request_log where customer_id = $1 and id > $2 order by id limit ${PAGE_SIZE}`,
    [customerId, after],
  );
  const last = page.at(-1);
  if (last === undefined) return null;
  const ids = page.map(({ id }) => id).join(', ');
  const rows = await read(from, 'request_log', { where: `id in (${ids})`, customerId });
  const columns = rows.columns.join(', ');
  // A repeated page is recognized by its requests, with index request_log_by_time.
  await to.query(
    `insert into request_log (${columns})
     select ${columns} from json_populate_recordset(null::request_log, $1::json) n
      where not exists (select 1 from request_log o
                         where o.at = n.at and o.request_id = n.request_id)
      order by n.at`,
    [rows.json],
  );
  return last.id;
}

/** Adds the counts of requests that were admitted right before the handover. */
async function moveLateUsage(from: Db, to: Db, customerId: string): Promise<void> {
  await from.transaction(async (tx) => {
    const where = 'customer_id = $1';
    const { json } = await read(tx, 'usage_hour', { where, customerId });
    await tx.query(`delete from usage_hour where ${where}`, [customerId]);
    await to.query(
      `insert into usage_hour as u select * from json_populate_recordset(null::usage_hour, $1::json)
       on conflict (customer_id, hour, key_id, endpoint, status)
         do update set requests = u.requests + excluded.requests`,
      [json],
    );
  });
}

function read(
  db: Queryable,
  name: string,
  options: { where: string; customerId: string },
): Promise<CopiedRows> {
  return readRows(db, tableOf(name), options);
}

function tableOf(name: string): MovedTable {
  const table = MOVED_TABLES.find((each) => each.name === name);
  if (table === undefined) throw new Error(`${name} is no table of customers`);
  return table;
}
