import type { Instant } from '../../platform/instant.ts';
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
import type { Client } from '../sessions/sessions.ts';
import { addPerson, type CreatedPerson } from './add-person.ts';
import { EmailTakenError, orEmailTaken, readEmail } from './email.ts';
import { hashForLink } from './hash-for-link.ts';
import { countPeople, findPersonByEmail } from './person-store.ts';

const INVITATION_MS = 7 * 86_400_000;
/** Maximum number of open invitations per customer. */
const OPEN_MAX = 50;
/** Maximum number of people and open invitations per customer. */
export const PEOPLE_MAX = 200;

/**
 * Invites an email address as an operator (`customerId: null`) or to join a customer. `token` is
 * shown only once, in a link that the inviter copies. The link works once, for seven days, and only
 * while the inviter is still allowed to invite people. Only the person who accepts learns whether
 * the address is taken.
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
    if (!(await mayCreateLinks(tx, actor))) {
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
 * Creates the invited person with the password they chose and signs them in. The invitation stays
 * open if the email address is taken.
 */
export async function acceptInvitation(
  deps: AccountsDeps,
  input: { token: string; password: string } & Client,
): Promise<CreatedPerson | { kind: 'invalid-link' } | Invalid> {
  const { db, clock } = deps;
  const invitation = await readInvitation(deps, input.token);
  const email = readEmail(invitation?.email ?? '');
  if (invitation === null || email === null) return { kind: 'invalid-link' };
  const problem = await passwordProblem(input.password, { email: email.key });
  if (problem !== null) return invalid('password', problem);
  // Hashing is expensive, and the invitation of a taken address stays open.
  const isTaken = (await findPersonByEmail(db, email.key)) !== null;
  if (isTaken) return EMAIL_TAKEN;
  const passwordHash = await hashForLink(deps, 'invitation', input);
  if (passwordHash === null) return { kind: 'invalid-link' };
  const creation = db.transaction(async (tx) => {
    const link = await useLink(tx, 'invitation', input.token, clock.now());
    if (link === null) return { kind: 'invalid-link' as const };
    const { role } = invitation;
    const newPerson = { email, role, customerId: link.customerId, passwordHash };
    const person = await addPerson(tx, deps, newPerson, input);
    if (person === null) throw new EmailTakenError();
    const signIn = await completeSignIn(tx, deps, { person, client: input, secondFactor: null });
    return { kind: 'created' as const, person, ...signIn };
  });
  return orEmailTaken(creation, EMAIL_TAKEN);
}

const EMAIL_TAKEN = invalid('email', 'this email address is already in use');

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
