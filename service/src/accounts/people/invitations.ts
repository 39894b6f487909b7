import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { type Actor, recordAuditEvent } from '../audit-log.ts';
import type { Role } from '../permissions.ts';
import { findCustomer, lockCustomer } from '../customers/customer-store.ts';
import { type AccountsDeps, type Invalid, invalid, notFound, type NotFound } from '../deps.ts';
import {
  createLink,
  findLink,
  listInvitations,
  mayCreateLinks,
  type OneTimeLink,
  removeInvitation,
  useLink,
} from './one-time-link-store.ts';
import { passwordProblem } from '../passwords/password-policy.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';
import type { Session } from '../sessions/session-store.ts';
import { type Client, switchSession } from '../sessions/sessions.ts';
import { addPerson, type CreatedPerson } from './add-person.ts';
import { readEmail } from './email.ts';
import { hashForLink } from './hash-for-link.ts';
import { countPeople, hasMember, insertMembership } from './membership-store.ts';
import type { Person } from './person-store.ts';

const INVITATION_MS = 7 * 86_400_000;
/** Maximum number of open invitations per customer. */
const OPEN_MAX = 50;
/** Maximum number of people and open invitations per customer. */
export const PEOPLE_MAX = 200;

/**
 * Invites an email address as an operator (`customerId: null`) or to join a customer. `token` is
 * shown only once, in a link that the inviter copies. The link works once, for seven days, and only
 * while the inviter is still allowed to invite people. The result does not tell whether the address has
 * an account, except for members of the same customer, which the inviter can list.
 */
export function invite(
  deps: AccountsDeps,
  options: { customerId: string | null; email: string; role: Role },
  actor: Actor,
): Promise<
  { kind: 'invited'; id: string; token: string; expiresAt: Instant } | NotFound | Invalid
> {
  const { customerId, role } = options;
  const now = deps.clock.now();
  const expiresAt = now + INVITATION_MS;
  return deps.db.transaction(async (tx) => {
    const email = readEmail(options.email);
    if (email === null) return invalid('email', 'an email address such as you@example.com');
    if ((role === 'operator') !== (customerId === null)) {
      return invalid('role', 'operators belong to no customer; owners and members belong to one');
    }
    if (customerId !== null && (await lockCustomer(tx, customerId)) === null) return notFound;
    const open = (await listInvitations(tx, customerId, now)).length;
    if (customerId !== null && open + (await countPeople(tx, customerId)) >= PEOPLE_MAX) {
      return invalid('email', `a customer has at most ${PEOPLE_MAX} people; remove one first`);
    }
    if (open >= OPEN_MAX) {
      return invalid('email', `${OPEN_MAX} invitations are open; withdraw one first`);
    }
    if (await hasMember(tx, customerId, email.key)) return IS_MEMBER;
    if (!(await mayCreateLinks(tx, actor, customerId))) {
      return invalid('email', 'you may no longer invite people');
    }
    const { id, token } = await createLink(tx, deps.random, {
      kind: 'invitation',
      email: email.display,
      role,
      customerId,
      personId: null,
      creator: actor,
      createdAt: now,
      expiresAt,
    });
    await recordAuditEvent(tx, {
      actor,
      at: now,
      action: 'person.invite',
      subject: id,
      customerId,
      details: {
        email: email.display,
        role,
      },
    });
    return { kind: 'invited', id, token, expiresAt };
  });
}

/** Returns the invitation for the accept page, or null if the link is not valid. */
export async function readInvitation(
  deps: AccountsDeps,
  token: string,
): Promise<{ email: string; role: Role; customerName: string | null } | null> {
  const link = await findLink(deps.db, 'invitation', token, deps.clock.now());
  if (link === null || link.email === null || link.role === null) return null;
  const { email, role, customerId } = link;
  const customer = customerId === null ? null : await findCustomer(deps.db, customerId);
  return { email, role, customerName: customer?.name ?? null };
}

/**
 * Creates an account for the invited person with the password they chose and signs them in. If there is
 * an account with the same address already, this is another one, so the result does not tell.
 */
export async function acceptInvitation(
  deps: AccountsDeps,
  input: { token: string; password: string } & Client,
): Promise<CreatedPerson | { kind: 'invalid-link' } | Invalid> {
  const { db, clock } = deps;
  const { token, password } = input;
  const invitation = await readInvitation(deps, token);
  const email = readEmail(invitation?.email ?? '');
  if (invitation === null || email === null) return { kind: 'invalid-link' };
  const problem = await passwordProblem(password, { email: email.key });
  if (problem !== null) return invalid('password', problem);
  const hashed = await hashForLink(deps, 'invitation', { token, password, emailKey: email.key });
  if (hashed.kind !== 'hashed') return hashed;
  return db.transaction(async (tx) => {
    const link = await useInvitation(tx, token, clock.now());
    if (link === null) return { kind: 'invalid-link' };
    const { role } = invitation;
    const { customerId } = link;
    const newPerson = { email, role, customerId, passwordHash: hashed.hash };
    const person = await addPerson(tx, deps, newPerson, input);
    if (person === null) return IS_MEMBER;
    const signIn = await completeSignIn(tx, deps, { person, client: input, secondFactor: null });
    return { kind: 'created', person, ...signIn };
  });
}

/**
 * Adds a membership to a person who is signed in with the invited address, and shows the new customer
 * in the session.
 */
export async function joinByInvitation(
  deps: AccountsDeps,
  { token, person, session }: { token: string; person: Person; session: Session },
  actor: Actor,
): Promise<
  { kind: 'joined' } | { kind: 'invalid-link' } | { kind: 'other-address'; email: string } | Invalid
> {
  const invitation = await readInvitation(deps, token);
  if (invitation === null) return { kind: 'invalid-link' };
  const { email, role } = invitation;
  if (readEmail(email)?.key !== readEmail(person.email)?.key) {
    return { kind: 'other-address', email };
  }
  const now = deps.clock.now();
  const personId = person.id;
  const joined = await deps.db.transaction(async (tx) => {
    const link = await useInvitation(tx, token, now);
    if (link === null) return { kind: 'invalid-link' as const };
    const { customerId } = link;
    const ref = { personId, customerId };
    if (!(await insertMembership(tx, ref, { role, createdAt: now }))) return IS_MEMBER;
    await recordAuditEvent(tx, {
      actor,
      at: now,
      action: 'person.join',
      subject: personId,
      customerId,
      details: { email: person.email, role },
    });
    return { kind: 'joined' as const, ...ref };
  });
  if (joined.kind !== 'joined') return joined;
  await switchSession(deps, { ...joined, sessionId: session.id }, actor);
  return { kind: 'joined' };
}

/** Uses an invitation up. Locks the customer, which may be deleted at the same time. */
async function useInvitation(
  tx: Transaction,
  token: string,
  now: Instant,
): Promise<OneTimeLink | null> {
  const link = await useLink(tx, 'invitation', token, now);
  if (link === null || link.customerId === null) return link;
  return (await lockCustomer(tx, link.customerId)) === null ? null : link;
}

const IS_MEMBER = invalid('email', 'a member has this email address already');

/** Lists the open invitations of a customer or, with null, those for operators. */
export function listOpenInvitations(
  deps: AccountsDeps,
  customerId: string | null,
): Promise<OneTimeLink[]> {
  return listInvitations(deps.db, customerId, deps.clock.now());
}

/** Withdraws an invitation, which makes its link invalid. */
export function withdrawInvitation(
  deps: AccountsDeps,
  options: { customerId: string | null; id: string },
  actor: Actor,
): Promise<{ kind: 'withdrawn' } | NotFound> {
  const { customerId, id } = options;
  return deps.db.transaction(async (tx) => {
    const invitation = await removeInvitation(tx, customerId, id);
    if (invitation === null) return notFound;
    await recordAuditEvent(tx, {
      actor,
      at: deps.clock.now(),
      action: 'person.withdraw',
      subject: id,
      customerId,
      details: { email: invitation.email },
    });
    return { kind: 'withdrawn' };
  });
}
