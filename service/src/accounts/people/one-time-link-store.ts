import type { Instant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import type { Actor } from '../audit-log.ts';
import type { Role } from '../permissions.ts';
import { generateId } from '../deps.ts';
import { hashToken, generateToken } from '../token.ts';
import { lockRightToInvite, type PersonRef } from './membership-store.ts';

/** A link with a single-use token. The store does not keep the token itself. */
export interface OneTimeLink {
  id: string;
  kind: LinkKind;
  email: string | null;
  role: Role | null;
  customerId: string | null;
  personId: string | null;
  createdAt: Instant;
  expiresAt: Instant;
}

export type LinkKind = 'setup' | 'invitation' | 'password-reset';

const COLUMNS = `id, kind, email, role, customer_id, person_id, created_at, expires_at`;

/** Number of passwords that may be hashed for a link. */
const LINK_TRIES = 5;

/** Creates a link. `token` is shown only once. */
export async function createLink(
  tx: Transaction,
  random: Random,
  { creator, ...link }: Omit<OneTimeLink, 'id'> & { creator?: Actor },
): Promise<{ id: string; token: string }> {
  const token = generateToken(random);
  const id = generateId('lnk', random);
  const { kind, email, role, customerId, personId, createdAt, expiresAt } = link;
  const invitedBy = creator?.kind === 'person' ? creator.id : null;
  await tx.query(
    ...statement(sql`
    insert into one_time_link
      (id, hash, kind, email, role, customer_id, person_id, created_at, expires_at, invited_by)
    values (${id}, ${hashToken(token)}, ${kind}, ${email}, ${role}, ${customerId}, ${personId},
            to_timestamp(${createdAt} / 1000.0), to_timestamp(${expiresAt} / 1000.0), ${invitedBy})`),
  );
  return { id, token };
}

/**
 * Returns the link for a token, or null if the token is unknown, used, expired, out of tries or for
 * a different kind of link.
 */
export async function findLink(
  db: Queryable,
  kind: LinkKind,
  token: string,
  now: Instant,
): Promise<OneTimeLink | null> {
  // Uses the unique index on the hash.
  const rows = await db.query<LinkRow>(
    `select ${COLUMNS} from one_time_link
      where hash = $1 and kind = $2 and used_at is null and expires_at > to_timestamp($3 / 1000.0)
        and tries < $4`,
    [hashToken(token), kind, now, LINK_TRIES],
  );
  return rows[0] === undefined ? null : toLink(rows[0]);
}

/** Counts a try of the link that `findLink` would return. Returns false if there is none. */
export async function takeTry(
  db: Queryable,
  kind: LinkKind,
  token: string,
  now: Instant,
): Promise<boolean> {
  // Uses the unique index on the hash.
  const rows = await db.query(
    `update one_time_link set tries = tries + 1
      where hash = $1 and kind = $2 and used_at is null and expires_at > to_timestamp($3 / 1000.0)
        and tries < $4
      returning id`,
    [hashToken(token), kind, now, LINK_TRIES],
  );
  return rows.length === 1;
}

/** Returns a try that was taken for nothing. */
export async function returnTry(db: Queryable, token: string): Promise<void> {
  // Uses the unique index on the hash.
  await db.query('update one_time_link set tries = tries - 1 where hash = $1 and tries > 0', [
    hashToken(token),
  ]);
}

/**
 * Marks a link as used, also after its last try. If two calls run concurrently, one of them gets
 * null.
 */
export async function useLink(
  tx: Transaction,
  kind: LinkKind,
  token: string,
  now: Instant,
): Promise<OneTimeLink | null> {
  // Uses the unique index on the hash.
  const rows = await tx.query<LinkRow>(
    `update one_time_link set used_at = to_timestamp($3 / 1000.0)
      where hash = $1 and kind = $2 and used_at is null and expires_at > to_timestamp($3 / 1000.0)
      returning ${COLUMNS}`,
    [hashToken(token), kind, now],
  );
  return rows[0] === undefined ? null : toLink(rows[0]);
}

/**
 * Deletes all unused links of one kind for a person. With null, deletes those that are not for a
 * person.
 */
export async function deleteUnusedLinks(
  tx: Transaction,
  kind: LinkKind,
  personId: string | null,
): Promise<void> {
  // Uses the index on the person.
  await tx.query(
    `delete from one_time_link
      where kind = $1 and person_id is not distinct from $2 and used_at is null`,
    [kind, personId],
  );
}

/** Lists the open invitations of a customer or, with null, those for operators, newest first. */
export async function listInvitations(
  db: Queryable,
  customerId: string | null,
  now: Instant,
): Promise<OneTimeLink[]> {
  // Uses the index on the customer.
  const rows = await db.query<LinkRow>(
    `select ${COLUMNS} from one_time_link
      where customer_id is not distinct from $1 and kind = 'invitation' and used_at is null
        and expires_at > to_timestamp($2 / 1000.0) and tries < $3
      order by created_at desc, id`,
    [customerId, now, LINK_TRIES],
  );
  return rows.map(toLink);
}

/**
 * Deletes an invitation and returns it, or null if it does not exist or belongs to another
 * customer.
 */
export async function removeInvitation(
  tx: Transaction,
  customerId: string | null,
  id: string,
): Promise<OneTimeLink | null> {
  // Returns the invitation if it was unused.
  const rows = await tx.query<LinkRow>(
    `delete from one_time_link
      where id = $1 and customer_id is not distinct from $2 and kind = 'invitation'
        and used_at is null
      returning ${COLUMNS}`,
    [id, customerId],
  );
  return rows[0] === undefined ? null : toLink(rows[0]);
}

/** Deletes the unused links that a person created for a customer or, with null, all of them. */
export async function deleteLinksCreatedBy(
  tx: Transaction,
  { personId, customerId }: PersonRef,
): Promise<void> {
  // Uses the index on the inviter.
  await tx.query(
    `delete from one_time_link
      where invited_by = $1 and used_at is null and ($2::text is null or customer_id = $2)`,
    [personId, customerId],
  );
}

interface LinkRow extends Row {
  id: string;
  kind: LinkKind;
  email: string | null;
  role: Role | null;
  customer_id: string | null;
  person_id: string | null;
  created_at: Instant;
  expires_at: Instant;
}

function toLink(row: LinkRow): OneTimeLink {
  return {
    id: row.id,
    kind: row.kind,
    email: row.email,
    role: row.role,
    customerId: row.customer_id,
    personId: row.person_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/**
 * Checks whether the creator of a link for a customer or, with null, for an operator is still allowed
 * to create it.
 */
export async function mayCreateLinks(
  tx: Transaction,
  creator: Actor,
  customerId: string | null,
): Promise<boolean> {
  if (creator.kind !== 'person') return true;
  return lockRightToInvite(tx, { personId: creator.id ?? '', customerId });
}
