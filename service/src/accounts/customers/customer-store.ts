import type { Plan } from '../../domain/plan.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { PLAN_COLUMNS, type PlanRow, toPlan } from '../plans/plan-store.ts';

/** Somebody who has keys and a plan. Deleted customers are found by nothing here. */
export interface Customer {
  id: string;
  name: string;
  plan: Plan;
  createdAt: Instant;
  /** Null while in good standing. */
  suspendedAt: Instant | null;
}

const CUSTOMER = `
  select customer.id, customer.name, customer.created_at, customer.suspended_at, ${PLAN_COLUMNS}
    from customer join plan on plan.name = customer.plan
   where customer.deleted_at is null`;

export async function findCustomer(db: Queryable, id: string): Promise<Customer | null> {
  // At most one customer with its plan, by the primary keys.
  const rows = await db.query<CustomerRow>(`${CUSTOMER} and customer.id = $1`, [id]);
  return rows[0] === undefined ? null : toCustomer(rows[0]);
}

/**
 * As `findCustomer`, and what is found stands until the transaction ends: whoever makes something for a
 * customer asks so, lest it outlives a customer that is deleted at that moment. It comes before the
 * lock on keys, as where a customer is deleted.
 */
export async function lockCustomer(tx: Transaction, id: string): Promise<Customer | null> {
  // At most one row, by the primary key.
  await tx.query(`select id from customer where id = $1 for no key update`, [id]);
  return findCustomer(tx, id);
}

export async function findCustomerByName(db: Queryable, name: string): Promise<Customer | null> {
  // At most one customer with its plan, by the unique index on the names of those not deleted.
  const rows = await db.query<CustomerRow>(`${CUSTOMER} and customer.name = $1`, [name]);
  return rows[0] === undefined ? null : toCustomer(rows[0]);
}

/**
 * Customers by name, at most `limit`, those after the name `after`; with `search` only those whose
 * name contains it in any case.
 */
export async function listCustomers(
  db: Queryable,
  options: { search?: string; after?: string; limit: number },
): Promise<Customer[]> {
  const { search = '', after = '', limit } = options;
  // A page in the order of the index on names, from a name on; a search reads on until it is full.
  const rows = await db.query<CustomerRow>(
    `${CUSTOMER} and customer.name > $1
        and ($2 = '' or position(lower($2) in lower(customer.name)) > 0)
      order by customer.name limit $3`,
    [after, search, limit],
  );
  return rows.map(toCustomer);
}

/** False when there is one of that name. */
export async function insertCustomer(
  db: Queryable,
  customer: { id: string; name: string; plan: string; createdAt: Instant },
): Promise<boolean> {
  // The id when it was added; the unique index on names keeps a second one out.
  const rows = await db.query(
    `insert into customer (id, name, plan, created_at)
     values ($1, $2, $3, to_timestamp($4 / 1000.0))
     on conflict (name) where deleted_at is null do nothing returning id`,
    [customer.id, customer.name, customer.plan, customer.createdAt],
  );
  return rows.length === 1;
}

/**
 * Changes what is given of a customer. False when there is none. Throws the store's error when the
 * name is another's or the plan does not exist.
 */
export async function updateCustomer(
  db: Queryable,
  id: string,
  change: { name?: string; plan?: string; suspendedAt?: Instant | null },
): Promise<boolean> {
  const { name = null, plan = null, suspendedAt } = change;
  // The id when it was changed, by the primary key; null leaves name and plan as they are. One that is
  // suspended already is so since when it was.
  const rows = await db.query(
    `update customer
        set name = coalesce($2, name), plan = coalesce($3, plan),
            suspended_at = case when not $4 then suspended_at
                                when $5::float8 is null then null
                                else coalesce(suspended_at, to_timestamp($5 / 1000.0)) end
      where id = $1 and deleted_at is null
      returning id`,
    [id, name, plan, suspendedAt !== undefined, suspendedAt ?? null],
  );
  return rows.length === 1;
}

/** False when there is none. */
export async function markCustomerDeleted(
  db: Queryable,
  id: string,
  at: Instant,
): Promise<boolean> {
  // The id when it was there, by the primary key.
  const rows = await db.query(
    `update customer set deleted_at = to_timestamp($2 / 1000.0)
      where id = $1 and deleted_at is null
      returning id`,
    [id, at],
  );
  return rows.length === 1;
}

interface CustomerRow extends PlanRow, Row {
  id: string;
  name: string;
  created_at: Instant;
  suspended_at: Instant | null;
}

function toCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    name: row.name,
    plan: toPlan(row),
    createdAt: row.created_at,
    suspendedAt: row.suspended_at,
  };
}
