import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import type { Role } from '../permissions.ts';

/** Someone who can sign in, as one of their memberships shows them. */
export interface Person {
  id: string;
  email: string;
  role: Role;
  /** Null only for operators. */
  customerId: string | null;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  /** Time when they became a member. */
  createdAt: Instant;
  /** Time when the membership was disabled. */
  disabledAt: Instant | null;
}

/** Secrets used for authentication. They must not leave this folder. */
export interface Credentials {
  passwordHash: string | null;
  totpSecret: string | null;
  totpLastStep: number | null;
}

const COLUMNS = `
  p.id, p.email, m.role, m.customer_id, p.password_hash, p.totp_secret, p.totp_last_step,
  p.totp_confirmed_at, m.created_at, m.disabled_at`;
// Memberships come first, because all writers lock them before the person.
const TABLES = 'from membership m join person p on p.id = m.person_id';
/** Enabled memberships first, then the one that a session used last. */
const BEST_FIRST = 'm.disabled_at is not null, m.used_at desc, m.customer_id';

/** Conditions with the parameters of `membershipOf`. */
const OF_MEMBERSHIP = 'p.id = $1 and ($2 or m.customer_id is not distinct from $3)';

/**
 * Finds a person as a member of a customer or, with null, as an operator. Without `customerId`, in the
 * membership that sign-in opens, which is disabled only if all of them are.
 */
export async function findPerson(
  db: Queryable,
  id: string,
  customerId?: string | null,
): Promise<(Person & Credentials) | null> {
  const rows = await db.query<PersonRow>(
    `select ${COLUMNS} ${TABLES} where ${OF_MEMBERSHIP} order by ${BEST_FIRST} limit 1`,
    membershipOf(id, customerId),
  );
  return rows[0] === undefined ? null : toPerson(rows[0]);
}

/** Like `findPerson`, but locks the rows until the transaction ends. */
export async function lockPerson(
  tx: Transaction,
  id: string,
  customerId?: string | null,
): Promise<(Person & Credentials) | null> {
  const rows = await tx.query<PersonRow>(
    `select ${COLUMNS} ${TABLES} where ${OF_MEMBERSHIP} order by ${BEST_FIRST} limit 1 for update`,
    membershipOf(id, customerId),
  );
  return rows[0] === undefined ? null : toPerson(rows[0]);
}

function membershipOf(id: string, customerId: string | null | undefined) {
  return [id, customerId === undefined, customerId ?? null];
}

/**
 * Finds the people who sign in with an email address. An address may have several accounts, because
 * nothing proves that it belongs to one of them.
 */
export async function findPeopleByEmail(
  db: Queryable,
  emailKey: string,
): Promise<(Person & Credentials)[]> {
  // Uses the index on the email address.
  const rows = await db.query<PersonRow>(
    `select distinct on (p.id) ${COLUMNS} ${TABLES} where p.email_key = $1
      order by p.id, ${BEST_FIRST}`,
    [emailKey],
  );
  return rows.map(toPerson);
}

/** Lists a customer's people or, with null, the operators, ordered by email address. */
export async function listPeople(db: Queryable, customerId: string | null): Promise<Person[]> {
  // Uses the index on the customer.
  const rows = await db.query<PersonRow>(
    `select ${COLUMNS} ${TABLES} where m.customer_id is not distinct from $1 order by p.email_key`,
    [customerId],
  );
  return rows.map((row) => withoutCredentials(toPerson(row)));
}

/** Lists all memberships of the people with an ID or email address, or of all people. */
export async function listAllPeople(db: Queryable, name: string | null = null): Promise<Person[]> {
  // Scans and sorts the tables; only operators do this, on the command line.
  const rows = await db.query<PersonRow>(
    `select ${COLUMNS} ${TABLES} where $1::text is null or p.id = $1 or p.email_key = $1
      order by p.email_key, p.id, m.customer_id nulls first`,
    [name],
  );
  return rows.map((row) => withoutCredentials(toPerson(row)));
}

export async function insertPerson(
  db: Queryable,
  person: {
    id: string;
    email: string;
    emailKey: string;
    passwordHash: string | null;
    createdAt: Instant;
  },
): Promise<void> {
  const { id, email, emailKey, passwordHash, createdAt } = person;
  await db.query(
    `insert into person (id, email, email_key, password_hash, created_at)
     values ($1, $2, $3, $4, to_timestamp($5 / 1000.0))`,
    [id, email, emailKey, passwordHash, createdAt],
  );
}

export async function setPasswordHash(db: Queryable, id: string, hash: string): Promise<void> {
  await db.query('update person set password_hash = $2 where id = $1', [id, hash]);
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
