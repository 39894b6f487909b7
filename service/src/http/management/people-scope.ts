import type { Permission } from '../../accounts/permissions.ts';
import type { PersonRef } from '../../accounts/people/membership-store.ts';
import { findPerson } from '../../accounts/people/person-store.ts';
import type { Call } from './route.ts';

/**
 * A group of people with the same calls: the people of a customer, or the operators of the service.
 */
export interface PeopleScope {
  /** First part of the call names and last part of the paths. */
  name: 'people' | 'operators';
  /** Common prefix of the paths, such as `/account/v1`. */
  basePath: string;
  /** Noun with an article, for the summaries of the calls. */
  person: string;
  permissions: { list: Permission; invite: Permission; change: Permission };
}

export function isOperators({ name }: PeopleScope): boolean {
  return name === 'operators';
}

export function pathOf({ basePath, name }: PeopleScope): string {
  return `${basePath}/${name}`;
}

/** Returns the customer that the call is about, or null for operators. */
export function customerOf(scope: PeopleScope, call: Call): string | null {
  return isOperators(scope) ? null : call.customerId;
}

export function personIds(scope: PeopleScope, call: Call): PersonRef {
  return { customerId: customerOf(scope, call), personId: call.param('personId') };
}

export async function personExists(scope: PeopleScope, call: Call): Promise<boolean> {
  const { customerId, personId } = personIds(scope, call);
  return (await findPerson(call.deps.db, personId, customerId)) !== null;
}
