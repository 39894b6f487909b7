import { acceptInvitation } from './accept-invitation.ts';
import { callAs } from './management.ts';
import { setUp, type Stage, type Visitor } from './stage.ts';

/** The owner of a new, unused account. */
export interface Owner extends Visitor {
  email: string;
  password: string;
  customerId: string;
}

/** Sets up the stage, creates a customer, and signs in its owner. */
export async function createOwner(stage: Stage, name: string): Promise<Owner> {
  const origin = stage.service.url;
  const [operator, owner] = await Promise.all([stage.visit(), stage.visit()]);
  await setUp(stage, operator);
  const { id: customerId } = await callAs(operator, origin, 'customers-create', {
    body: { name, plan: 'free' },
  });
  const email = 'olga@harbour.example';
  const body = { email, role: 'owner' } as const;
  const { link } = await callAs(operator, origin, 'people-invite', { body }, customerId);
  const password = 'nine brown moths sleep';
  await acceptInvitation(owner, link, password);
  return { ...owner, email, password, customerId };
}
