import type { Plan } from '../../domain/plan.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { PLAN_COLUMNS, type PlanRow, toPlan } from '../plans/plan-store.ts';

/** A customer with API keys and a plan. No function in this file returns deleted customers. */
export interface Customer {
  id: string;
  name: string;
  plan: Plan;
  createdAt: Instant;
  /** Null if the customer is not suspended. */
  suspendedAt: Instant | null;
}

const CUSTOMER = `
  select customer.id, customer.name, customer.created_at, customer.suspended_at, ${PLAN_COLUMNS}
    from customer join plan on plan.name = customer.plan
   where customer.deleted_at is null`;

export async function findCustomer(db: Queryable, id: string): Promise<Customer | null> {
  const rows = await db.query<CustomerRow>(`${CUSTOMER} and customer.id = $1`, [id]);
  return rows[0] === undefined ? null : toCustomer(rows[0]);
}

/**
 * Like `findCustomer`, but locks the row until the transaction ends. Call it before creating
 * anything for a customer; otherwise the new object could survive a concurrent deletion of the
 * customer. Lock the customer before its keys, as `deleteCustomer` does.
 */
export async function lockCustomer(tx: Transaction, id: string): Promise<Customer | null> {
  await tx.query(`select id from customer where id = $1 for no key update`, [id]);
  return findCustomer(tx, id);
}

export async function findCustomerByName(db: Queryable, name: string): Promise<Customer | null> {
  // Uses the unique index on the names of active customers.
  const rows = await db.query<CustomerRow>(`${CUSTOMER} and customer.name = $1`, [name]);
  return rows[0] === undefined ? null : toCustomer(rows[0]);
}

/**
 * Lists customers in name order. `after` is the last name on the previous page. `search` matches
 * any part of a name, ignoring case.
 */
export async function listCustomers(
  db: Queryable,
  options: { search?: string; after?: string; limit: number },
): Promise<Customer[]> {
  const { search = '', after = '', limit } = options;
  // Reads one page from the index on names. A search keeps reading until the page is full.
  const rows = await db.query<CustomerRow>(
    `${CUSTOMER} and customer.name > $1
        and ($2 = '' or position(lower($2) in lower(customer.name)) > 0)
      order by customer.name limit $3`,
    [after, search, limit],
  );
  return rows.map(toCustomer);
}

/** Returns false if the name is taken. */
export async function insertCustomer(
  db: Queryable,
  customer: { id: string; name: string; plan: string; createdAt: Instant },
): Promise<boolean> {
  // Returns the id if the customer was added.
  const rows = await db.query(
    `insert into customer (id, name, plan, created_at)
     values ($1, $2, $3, to_timestamp($4 / 1000.0))
     on conflict (name) where deleted_at is null do nothing returning id`,
    [customer.id, customer.name, customer.plan, customer.createdAt],
  );
  return rows.length === 1;
}

/**
 * Updates the given fields. Returns false if the customer does not exist. Throws the store's error
 * if the name is taken or the plan does not exist.
 */
export async function updateCustomer(
  db: Queryable,
  id: string,
  change: { name?: string; plan?: string; suspendedAt?: Instant | null },
): Promise<boolean> {
  const { name = null, plan = null, suspendedAt } = change;
  // Returns the id if the row was updated. Suspending a suspended customer keeps the original time.
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

/** Returns false if the customer does not exist. */
export async function markCustomerDeleted(
  db: Queryable,
  id: string,
  at: Instant,
): Promise<boolean> {
  // Returns the id if the row was updated.
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
