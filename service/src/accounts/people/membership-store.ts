import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import type { Role } from '../permissions.ts';

/**
 * A person together with a customer; the customer is null for operators. People who do not belong to
 * that customer are not found.
 */
export interface PersonRef {
  customerId: string | null;
  personId: string;
}

/** An account that a person may open, or the service if the customer is null. */
export interface Membership {
  customerId: string | null;
  customerName: string | null;
  role: Role;
}

/** Condition for the memberships of one person or customer, with the parameters of a `PersonRef`. */
const MEMBERSHIP = 'person_id = $1 and customer_id is not distinct from $2';

/** Lists the enabled memberships of a person: the service first, then customers by name. */
export function listMemberships(db: Queryable, personId: string): Promise<Membership[]> {
  return db.query<Membership & Row>(
    `select m.customer_id as "customerId", c.name as "customerName", m.role
       from membership m left join customer c on c.id = m.customer_id
      where m.person_id = $1 and m.disabled_at is null
      order by c.name nulls first, m.customer_id`,
    [personId],
  );
}

/** Returns false if the person has this membership already. */
export async function insertMembership(
  db: Queryable,
  { personId, customerId }: PersonRef,
  { role, createdAt }: { role: Role; createdAt: Instant },
): Promise<boolean> {
  // Returns a row if the membership was added.
  const rows = await db.query(
    `insert into membership (person_id, customer_id, role, created_at, used_at)
     values ($1, $2, $3, to_timestamp($4 / 1000.0), to_timestamp($4 / 1000.0))
     on conflict do nothing returning person_id`,
    [personId, customerId, role, createdAt],
  );
  return rows.length === 1;
}

/** Checks whether a member of a customer or, with null, an operator has an email address. */
export async function hasMember(
  db: Queryable,
  customerId: string | null,
  emailKey: string,
): Promise<boolean> {
  // Uses the index on the email address.
  const rows = await db.query(
    `select 1 from person p join membership m on m.person_id = p.id
      where p.email_key = $2 and m.customer_id is not distinct from $1 limit 1`,
    [customerId, emailKey],
  );
  return rows.length === 1;
}

/** Counts the people of a customer. */
export async function countPeople(db: Queryable, customerId: string): Promise<number> {
  // Uses the index on the customer.
  const rows = await db.query<{ count: number }>(
    'select count(*) as count from membership where customer_id = $1',
    [customerId],
  );
  return rows[0]?.count ?? 0;
}

/** Checks whether at least one operator exists. */
export async function hasOperator(db: Queryable): Promise<boolean> {
  // Uses the index on the customer.
  const rows = await db.query('select 1 from membership where customer_id is null limit 1');
  return rows.length === 1;
}

/** Makes this the membership that the person's next sign-in opens. */
export async function markUsed(db: Queryable, ref: PersonRef, now: Instant): Promise<void> {
  await db.query(`update membership set used_at = to_timestamp($3 / 1000.0) where ${MEMBERSHIP}`, [
    ref.personId,
    ref.customerId,
    now,
  ]);
}

export async function setRole(db: Queryable, ref: PersonRef, role: Role): Promise<void> {
  await db.query(`update membership set role = $3 where ${MEMBERSHIP}`, [
    ref.personId,
    ref.customerId,
    role,
  ]);
}

export async function setDisabled(
  db: Queryable,
  ref: PersonRef,
  disabledAt: Instant | null,
): Promise<void> {
  // Keeps the original time if the membership is already disabled.
  await db.query(
    `update membership
        set disabled_at = case when $3::float8 is null then null
                               else coalesce(disabled_at, to_timestamp($3 / 1000.0)) end
      where ${MEMBERSHIP}`,
    [ref.personId, ref.customerId, disabledAt],
  );
}

/**
 * Deletes a membership and the sessions that show it. With the last membership, the person goes
 * too, with their codes and links.
 */
export async function deleteMembership(db: Queryable, ref: PersonRef): Promise<void> {
  const ids = [ref.personId, ref.customerId];
  await db.query(`delete from membership where ${MEMBERSHIP}`, ids);
  await db.query(`delete from session where ${MEMBERSHIP}`, ids);
  // Dependent rows are deleted by foreign keys.
  await db.query(
    `delete from person where id = $1
        and not exists (select 1 from membership where person_id = $1)`,
    [ref.personId],
  );
}

/** Deletes a customer's memberships and invitations, and the people who belong to no other. */
export async function deleteCustomerPeople(db: Queryable, customerId: string): Promise<void> {
  // Uses the index on the customer.
  await db.query('delete from one_time_link where customer_id = $1', [customerId]);
  // Returns one row per member, by the index on the customer.
  const members = await db.query<{ id: string }>(
    'select person_id as id from membership where customer_id = $1 order by person_id',
    [customerId],
  );
  for (const { id } of members) await deleteMembership(db, { personId: id, customerId });
}

/**
 * Returns the ids of the enabled administrators: the owners of a customer, or the operators. The
 * rows stay locked until the transaction ends, so that the last two administrators cannot be
 * removed concurrently.
 */
export async function lockAdministrators(
  tx: Transaction,
  customerId: string | null,
): Promise<string[]> {
  // Returns the ids of enabled owners or operators; uses the index on the customer. All callers
  // lock in id order.
  const rows = await tx.query<{ id: string }>(
    `select person_id as id from membership
      where customer_id is not distinct from $1 and role in ('owner', 'operator')
        and disabled_at is null
      order by person_id for update`,
    [customerId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Checks whether a person may create links for a customer or, with null, for operators. The row
 * stays locked until the transaction ends, so that a concurrent removal either prevents the link or
 * deletes it.
 */
export async function lockRightToInvite(
  tx: Transaction,
  { personId, customerId }: PersonRef,
): Promise<boolean> {
  // Takes a shared lock, so that two people who create links for each other do not deadlock.
  const rows = await tx.query(
    `select 1 from membership
      where person_id = $1 and disabled_at is null
        and (role = 'operator' or (role = 'owner' and customer_id = $2))
      for share`,
    [personId, customerId],
  );
  return rows.length > 0;
}
