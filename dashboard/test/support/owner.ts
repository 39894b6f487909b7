import { accept } from './accept.ts';
import { callAs } from './management.ts';
import { setUp, type Stage, type Visitor } from './stage.ts';

/** Who owns an account of their own that nobody has used yet. */
export interface Owner extends Visitor {
  email: string;
  password: string;
  customerId: string;
}

/** Adds a customer as the operator does, and lets its owner come in; sets the stage up first. */
export async function bringOwner(stage: Stage, name: string): Promise<Owner> {
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
  await accept(owner, link, password);
  return { ...owner, email, password, customerId };
}
