import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';

/** A signed-in browser. The store keeps only a hash of the session's token. */
export interface Session {
  id: string;
  personId: string;
  /** The customer that the session shows; null if it shows the service to an operator. */
  customerId: string | null;
  createdAt: Instant;
  /** Rounded down to the minute. */
  lastSeenAt: Instant;
  /** Time when the session ends even if it is in use. */
  expiresAt: Instant;
  /** Time when the password was last entered. */
  passwordAt: Instant;
  address: string | null;
  userAgent: string | null;
}

const COLUMNS = `
  session.id, session.person_id, session.customer_id, session.created_at, session.last_seen_at, session.expires_at,
  session.password_at, session.address, session.user_agent`;

export async function insertSession(
  db: Queryable,
  session: Session & { tokenHash: Uint8Array },
): Promise<void> {
  const { id, personId, customerId, tokenHash, address, userAgent } = session;
  const { createdAt, lastSeenAt, expiresAt, passwordAt } = session;
  await db.query(
    ...statement(sql`
    insert into session (id, person_id, customer_id, token_hash, created_at, last_seen_at,
                         expires_at, password_at, address, user_agent)
    values (${id}, ${personId}, ${customerId}, ${tokenHash}, to_timestamp(${createdAt} / 1000.0),
            to_timestamp(${lastSeenAt} / 1000.0), to_timestamp(${expiresAt} / 1000.0),
            to_timestamp(${passwordAt} / 1000.0), ${address}, ${userAgent})`),
  );
}

/**
 * Returns the session for a token, or null if the session is past `expiresAt` or has been idle
 * since `idleSince`.
 */
export async function findSessionByToken(
  db: Queryable,
  tokenHash: Uint8Array,
  limits: { now: Instant; idleSince: Instant },
): Promise<Session | null> {
  // Uses the unique index on the hash.
  const rows = await db.query<SessionRow>(
    `select ${COLUMNS} from session
      where token_hash = $1 and expires_at > to_timestamp($2 / 1000.0)
        and last_seen_at > to_timestamp($3 / 1000.0)`,
    [tokenHash, limits.now, limits.idleSince],
  );
  return rows[0] === undefined ? null : toSession(rows[0]);
}

/** Lists a person's active sessions, most recently used first. */
export async function listPersonSessions(
  db: Queryable,
  personId: string,
  limits: { now: Instant; idleSince: Instant },
): Promise<Session[]> {
  // Uses the index on the person.
  const rows = await db.query<SessionRow>(
    `select ${COLUMNS} from session
      where person_id = $1 and expires_at > to_timestamp($2 / 1000.0)
        and last_seen_at > to_timestamp($3 / 1000.0)
      order by last_seen_at desc, id`,
    [personId, limits.now, limits.idleSince],
  );
  return rows.map(toSession);
}

export async function touchSession(db: Queryable, id: string, now: Instant): Promise<void> {
  await db.query('update session set last_seen_at = to_timestamp($2 / 1000.0) where id = $1', [
    id,
    now,
  ]);
}

/** Ends a session at `endsAt` at the latest. Returns false if it no longer exists. */
export async function limitSession(db: Queryable, id: string, endsAt: Instant): Promise<boolean> {
  // Returns the id if the row was updated.
  const rows = await db.query(
    `update session set expires_at = least(expires_at, to_timestamp($2 / 1000.0))
      where id = $1 returning id`,
    [id, endsAt],
  );
  return rows.length === 1;
}

/** Returns false if the person has no such session. */
export async function deleteSession(db: Queryable, personId: string, id: string): Promise<boolean> {
  const rows = await db.query('delete from session where id = $1 and person_id = $2 returning id', [
    id,
    personId,
  ]);
  return rows.length === 1;
}

/**
 * Ends a person's sessions and returns how many there were: all of them, or those that show one
 * customer or, with null, the service.
 */
export async function deletePersonSessions(
  db: Queryable,
  personId: string,
  customerId?: string | null,
): Promise<number> {
  // Uses the index on the person.
  const rows = await db.query(
    `delete from session
      where person_id = $1 and ($2 or customer_id is not distinct from $3) returning id`,
    [personId, customerId === undefined, customerId ?? null],
  );
  return rows.length;
}

/** Shows another customer in a session, or the service with null. */
export async function setSessionCustomer(
  db: Queryable,
  id: string,
  customerId: string | null,
): Promise<void> {
  await db.query('update session set customer_id = $2 where id = $1', [id, customerId]);
}

/** Ends a person's least recently used sessions, so that only `max` are left. */
export async function deleteOldestSessions(
  db: Queryable,
  { personId, keptId, max }: { personId: string; keptId: string; max: number },
): Promise<void> {
  // Uses the index on the person.
  await db.query(
    `delete from session where id in (
       select id from session where person_id = $1 and id <> $2
        order by last_seen_at desc, created_at desc, id offset $3)`,
    [personId, keptId, max - 1],
  );
}

/** Deletes expired sessions. */
export async function deleteEndedSessions(db: Queryable, cutoff: Instant): Promise<void> {
  // Uses the index on the expiry.
  await db.query('delete from session where expires_at < to_timestamp($1 / 1000.0)', [cutoff]);
}

interface SessionRow extends Row {
  id: string;
  person_id: string;
  customer_id: string | null;
  created_at: Instant;
  last_seen_at: Instant;
  expires_at: Instant;
  password_at: Instant;
  address: string | null;
  user_agent: string | null;
}

function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    personId: row.person_id,
    customerId: row.customer_id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    passwordAt: row.password_at,
    address: row.address,
    userAgent: row.user_agent,
  };
}
