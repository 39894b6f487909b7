import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import type { Role } from '../permissions.ts';

/** Somebody who may sign in. */
export interface Person {
  id: string;
  email: string;
  role: Role;
  /** Null for operators, and for them alone. */
  customerId: string | null;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  createdAt: Instant;
  disabledAt: Instant | null;
}

/** What proves that somebody is that person: not to leave this folder. */
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
  // At most one person, by the primary key.
  const rows = await db.query<PersonRow>(`${PERSON} where id = $1`, [id]);
  return rows[0] === undefined ? null : toPerson(rows[0]);
}

/** As `findPerson`, and nobody changes them until the transaction ends. */
export async function lockPerson(
  tx: Transaction,
  id: string,
): Promise<(Person & Credentials) | null> {
  // At most one person, by the primary key.
  const rows = await tx.query<PersonRow>(`${PERSON} where id = $1 for update`, [id]);
  return rows[0] === undefined ? null : toPerson(rows[0]);
}

export async function findPersonByEmail(
  db: Queryable,
  emailKey: string,
): Promise<(Person & Credentials) | null> {
  // At most one person, by the unique index on the e-mail address.
  const rows = await db.query<PersonRow>(`${PERSON} where email_key = $1`, [emailKey]);
  return rows[0] === undefined ? null : toPerson(rows[0]);
}

/** The people of a customer by address; with `customerId: null` the operators. */
export async function listPeople(db: Queryable, customerId: string | null): Promise<Person[]> {
  // All people of a customer, or all who have none, by the index on the customer.
  const rows = await db.query<PersonRow>(
    `${PERSON} where customer_id is not distinct from $1 order by email_key`,
    [customerId],
  );
  return rows.map((row) => withoutCredentials(toPerson(row)));
}

/** Everybody, by address. */
export async function listAllPeople(db: Queryable): Promise<Person[]> {
  // All people: for operators at a command line; a scan and a sort.
  const rows = await db.query<PersonRow>(`${PERSON} order by email_key`);
  return rows.map((row) => withoutCredentials(toPerson(row)));
}

/** False when the address is somebody's. */
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
  // Changes one row, by the primary key.
  await db.query('update person set password_hash = $2 where id = $1', [id, hash]);
}

export async function setRole(db: Queryable, id: string, role: Role): Promise<void> {
  // Changes one row, by the primary key.
  await db.query('update person set role = $2 where id = $1', [id, role]);
}

export async function setDisabled(
  db: Queryable,
  id: string,
  disabledAt: Instant | null,
): Promise<void> {
  // Changes one row, by the primary key. Who is disabled already is so since when they were.
  await db.query(
    `update person
        set disabled_at = case when $2::float8 is null then null
                               else coalesce(disabled_at, to_timestamp($2 / 1000.0)) end
      where id = $1`,
    [id, disabledAt],
  );
}

/** Takes a person out, and with them their sessions, codes and links. */
export async function deletePerson(db: Queryable, id: string): Promise<void> {
  // Removes one row, by the primary key; what belongs to it follows by foreign keys.
  await db.query('delete from person where id = $1', [id]);
}

/** Takes the people of a customer out, and its invitations. */
export async function deleteCustomerPeople(db: Queryable, customerId: string): Promise<void> {
  // Removes rows by the index on the customer.
  await db.query('delete from one_time_link where customer_id = $1', [customerId]);
  // Removes rows by the index on the customer.
  await db.query('delete from person where customer_id = $1', [customerId]);
}

/**
 * The ids of those who keep a customer (its owners) or the service (operators) in reach. Their rows
 * stay locked until the transaction ends, so that two of them cannot go at once.
 */
export async function lockAdministrators(
  tx: Transaction,
  customerId: string | null,
): Promise<string[]> {
  // Ids of enabled owners or operators, by the index on the customer, in one order for all.
  const rows = await tx.query<{ id: string }>(
    `select id from person
      where customer_id is not distinct from $1 and role in ('owner', 'operator')
        and disabled_at is null
      order by id for update`,
    [customerId],
  );
  return rows.map(({ id }) => id);
}

/** Whether anybody runs this service. */
export async function hasOperator(db: Queryable): Promise<boolean> {
  // One row when there is an operator, by the index on the customer.
  const rows = await db.query('select 1 from person where customer_id is null limit 1');
  return rows.length === 1;
}

/** Field by field, so that nothing is shown by forgetting it. */
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
