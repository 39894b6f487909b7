import type { Queryable } from '../../storage/db.ts';

/** Takes the people of a customer out, their sessions and links with them. */
export async function removePeopleOf(db: Queryable, customerId: string): Promise<void> {
  // Removes its links and its people, by the indexes on the customer.
  await db.query('delete from one_time_link where customer_id = $1', [customerId]);
  await db.query('delete from person where customer_id = $1', [customerId]);
}
