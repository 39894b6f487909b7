import type { Queryable } from '../storage/db.ts';

/** An ID as it occurs in requests, of customers and of objects that belong to them. */
const ID = /^(cus|key|per|lnk|ses|whe|del)_[0-9a-z]{20,29}$/;

/** Returns the customers that own the given objects. Texts that are not IDs are ignored. */
export async function ownersOf(
  db: Queryable,
  texts: readonly string[],
): Promise<{ id: string; customerId: string | null }[]> {
  const ids = texts.filter((text) => ID.test(text));
  if (ids.length === 0) return [];
  // Returns one row per ID, or per customer of a person, each by an index of its table.
  return db.query<{ id: string; customerId: string | null }>(
    `select id, customer_id as "customerId" from (
       select id, id as customer_id from customer
       union all select id, customer_id from api_key
       union all select person_id, customer_id from membership
       union all select id, customer_id from one_time_link
       union all select id, customer_id from session
       union all select id, customer_id from webhook_endpoint
       union all select id, customer_id from delivery) as object
      where id = any($1::text[])`,
    [ids],
  );
}
