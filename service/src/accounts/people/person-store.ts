import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import type { Role } from '../permissions.ts';

/** Someone who can sign in. */
export interface Person {
  id: string;
  email: string;
  role: Role;
  /** Null only for operators. */
  customerId: string | null;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  createdAt: Instant;
  disabledAt: Instant | null;
}

/** Secrets used for authentication. They must not leave this folder. */
export interface Credentials {
  passwordHash: string | null;
  totpSecret: string | null;
  totpLastStep: number | null;
}

const PERSON = `
  select id, email, role, customer_id, password_hash, totp_secret, totp_last_step,
         totp_confirmed_at, created_at, disabled_at
    from person`;

export async function findPerson(
  db: Queryable,
  id: string,
): Promise<(Person & Credentials) | null> {
  const rows = await db.query<PersonRow>(`${PERSON} where id = $1`, [id]);
  return rows[0] === undefined ? null : toPerson(rows[0]);
}

/** Like `findPerson`, but locks the row until the transaction ends. */
export async function lockPerson(
  tx: Transaction,
  id: string,
): Promise<(Person & Credentials) | null> {
  const rows = await tx.query<PersonRow>(`${PERSON} where id = $1 for update`, [id]);
  return rows[0] === undefined ? null : toPerson(rows[0]);
}

export async function findPersonByEmail(
  db: Queryable,
  emailKey: string,
): Promise<(Person & Credentials) | null> {
  // Uses the unique index on the email address.
  const rows = await db.query<PersonRow>(`${PERSON} where email_key = $1`, [emailKey]);
  return rows[0] === undefined ? null : toPerson(rows[0]);
}

/**
 * Lists a customer's people or, with `customerId: null`, the operators, ordered by email address.
 */
export async function listPeople(db: Queryable, customerId: string | null): Promise<Person[]> {
  // Uses the index on the customer.
  const rows = await db.query<PersonRow>(
    `${PERSON} where customer_id is not distinct from $1 order by email_key`,
    [customerId],
  );
  return rows.map((row) => withoutCredentials(toPerson(row)));
}

/** Counts the people of a customer. */
export async function countPeople(db: Queryable, customerId: string): Promise<number> {
  // Uses the index on the customer.
  const rows = await db.query<{ count: number }>(
    'select count(*) as count from person where customer_id = $1',
    [customerId],
  );
  return rows[0]?.count ?? 0;
}

/** Lists all people, ordered by email address. */
export async function listAllPeople(db: Queryable): Promise<Person[]> {
  // Scans and sorts the table; only operators do this, on the command line.
  const rows = await db.query<PersonRow>(`${PERSON} order by email_key`);
  return rows.map((row) => withoutCredentials(toPerson(row)));
}

/** Returns false if the email address is taken. */
export async function insertPerson(
  db: Queryable,
  person: {
    id: string;
    email: string;
    emailKey: string;
    role: Role;
    customerId: string | null;
    passwordHash: string | null;
    createdAt: Instant;
  },
): Promise<boolean> {
  const { id, email, emailKey, role, customerId, passwordHash, createdAt } = person;
  // Returns the id if the person was added.
  const rows = await db.query(
    ...statement(sql`
    insert into person (id, email, email_key, role, customer_id, password_hash, created_at)
    values (${id}, ${email}, ${emailKey}, ${role}, ${customerId}, ${passwordHash},
            to_timestamp(${createdAt} / 1000.0))
    on conflict (email_key) do nothing returning id`),
  );
  return rows.length === 1;
}

export async function setPasswordHash(db: Queryable, id: string, hash: string): Promise<void> {
  await db.query('update person set password_hash = $2 where id = $1', [id, hash]);
}

export async function setRole(db: Queryable, id: string, role: Role): Promise<void> {
  await db.query('update person set role = $2 where id = $1', [id, role]);
}

export async function setDisabled(
  db: Queryable,
  id: string,
  disabledAt: Instant | null,
): Promise<void> {
  // Keeps the original time if the person is already disabled.
  await db.query(
    `update person
        set disabled_at = case when $2::float8 is null then null
                               else coalesce(disabled_at, to_timestamp($2 / 1000.0)) end
      where id = $1`,
    [id, disabledAt],
  );
}

/** Deletes a person together with their sessions, codes and links. */
export async function deletePerson(db: Queryable, id: string): Promise<void> {
  // Dependent rows are deleted by foreign keys.
  await db.query('delete from person where id = $1', [id]);
}

/** Deletes a customer's people and invitations. */
export async function deleteCustomerPeople(db: Queryable, customerId: string): Promise<void> {
  // Uses the index on the customer.
  await db.query('delete from one_time_link where customer_id = $1', [customerId]);
  // Uses the index on the customer.
  await db.query('delete from person where customer_id = $1', [customerId]);
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
    `select id from person
      where customer_id is not distinct from $1 and role in ('owner', 'operator')
        and disabled_at is null
      order by id for update`,
    [customerId],
  );
  return rows.map(({ id }) => id);
}

/** Checks whether at least one operator exists. */
export async function hasOperator(db: Queryable): Promise<boolean> {
  // Uses the index on the customer.
  const rows = await db.query('select 1 from person where customer_id is null limit 1');
  return rows.length === 1;
}

/** Copies fields one by one, so that a new field is not exposed by accident. */
export function withoutCredentials(person: Person): Person {
  return {
    id: person.id,
    email: person.email,
    role: person.role,
    customerId: person.customerId,
    hasPassword: person.hasPassword,
    hasSecondFactor: person.hasSecondFactor,
    createdAt: person.createdAt,
    disabledAt: person.disabledAt,
  };
}

interface PersonRow extends Row {
  id: string;
  email: string;
  role: Role;
  customer_id: string | null;
  password_hash: string | null;
  totp_secret: string | null;
  totp_last_step: number | null;
  totp_confirmed_at: Instant | null;
  created_at: Instant;
  disabled_at: Instant | null;
}

function toPerson(row: PersonRow): Person & Credentials {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    customerId: row.customer_id,
    hasPassword: row.password_hash !== null,
    hasSecondFactor: row.totp_confirmed_at !== null,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    passwordHash: row.password_hash,
    totpSecret: row.totp_secret,
    totpLastStep: row.totp_last_step,
  };
}
