import type { Transaction } from '../../storage/db.ts';
import { sqlState } from '../../storage/errors.ts';
import { type Actor, type AuditAction, recordAct } from '../audit-log.ts';
import {
  type AccountsDeps,
  type Invalid,
  invalid,
  makeId,
  notFound,
  type NotFound,
  readName,
} from '../deps.ts';
import { findPlan } from '../plans/plan-store.ts';
import { type Customer, findCustomer, insertCustomer, updateCustomer } from './customer-store.ts';

export type ChangedCustomer = { kind: 'changed' } | { kind: 'name-taken' } | NotFound | Invalid;

/** Adds a customer on a plan. */
export function createCustomer(
  deps: AccountsDeps,
  options: { name: string; plan: string },
  by: Actor,
): Promise<{ kind: 'created'; customer: Customer } | { kind: 'name-taken' } | Invalid> {
  return deps.db.transaction((tx) => createCustomerIn(tx, deps, options, by));
}

/** As `createCustomer`, as part of a larger act. */
export async function createCustomerIn(
  tx: Transaction,
  deps: Pick<AccountsDeps, 'clock' | 'random'>,
  options: { name: string; plan: string },
  by: Actor,
): Promise<{ kind: 'created'; customer: Customer } | { kind: 'name-taken' } | Invalid> {
  const name = readName(options.name);
  if (name === null) return BAD_NAME;
  const plan = await findPlan(tx, options.plan);
  if (plan === null) return NO_PLAN;
  const at = deps.clock.now();
  const customer = { id: makeId('cus', deps.random), name, plan, createdAt: at, suspendedAt: null };
  if (!(await insertCustomer(tx, { ...customer, plan: plan.name }))) return { kind: 'name-taken' };
  await recordAct(tx, {
    by,
    at,
    act: 'customer.create',
    subject: customer.id,
    customerId: customer.id,
    details: {
      name,
      plan: plan.name,
    },
  });
  return { kind: 'created', customer };
}

export async function renameCustomer(
  deps: AccountsDeps,
  options: { customerId: string; name: string },
  by: Actor,
): Promise<ChangedCustomer> {
  const name = readName(options.name);
  if (name === null) return BAD_NAME;
  try {
    return await change(deps, by, { ...options, act: 'customer.rename', change: { name } });
  } catch (error) {
    if (sqlState(error) === '23505') return { kind: 'name-taken' };
    throw error;
  }
}

/** Moves a customer to another plan: it holds from the customer's next request on. */
export async function changeCustomerPlan(
  deps: AccountsDeps,
  options: { customerId: string; plan: string },
  by: Actor,
): Promise<ChangedCustomer> {
  const { plan } = options;
  if ((await findPlan(deps.db, plan)) === null) return NO_PLAN;
  return change(deps, by, { ...options, act: 'customer.plan', change: { plan } });
}

/** Refuses all of a customer's keys until it is resumed. */
export function suspendCustomer(
  deps: AccountsDeps,
  customerId: string,
  by: Actor,
): Promise<ChangedCustomer> {
  const suspendedAt = deps.clock.now();
  return change(deps, by, { customerId, act: 'customer.suspend', change: { suspendedAt } });
}

export function resumeCustomer(
  deps: AccountsDeps,
  customerId: string,
  by: Actor,
): Promise<ChangedCustomer> {
  const suspendedAt = null;
  return change(deps, by, { customerId, act: 'customer.resume', change: { suspendedAt } });
}

function change(
  deps: AccountsDeps,
  by: Actor,
  options: { customerId: string; act: AuditAction; change: Parameters<typeof updateCustomer>[2] },
): Promise<ChangedCustomer> {
  const { customerId, act } = options;
  return deps.db.transaction(async (tx) => {
    const before = await findCustomer(tx, customerId);
    if (before === null || !(await updateCustomer(tx, customerId, options.change))) return notFound;
    const { name, plan } = options.change;
    await recordAct(tx, {
      by,
      at: deps.clock.now(),
      act,
      subject: customerId,
      customerId,
      details: {
        ...(name === undefined
          ? {}
          : {
              before: before.name,
              after: name,
            }),
        ...(plan === undefined
          ? {}
          : {
              before: before.plan.name,
              after: plan,
            }),
      },
    });
    return { kind: 'changed' };
  });
}

const BAD_NAME = invalid('name', 'a customer name has 1 to 200 characters');
const NO_PLAN = invalid('plan', 'there is no plan of that name');
