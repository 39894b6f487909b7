import type { Transaction } from '../../storage/db.ts';
import { sqlState } from '../../storage/errors.ts';
import { type Actor, type AuditAction, recordAuditEvent } from '../audit-log.ts';
import {
  type AccountsDeps,
  type Invalid,
  invalid,
  generateId,
  notFound,
  type NotFound,
  parseName,
} from '../deps.ts';
import { findPlan } from '../plans/plan-store.ts';
import { type Customer, findCustomer, insertCustomer, updateCustomer } from './customer-store.ts';

export type ChangedCustomer = { kind: 'changed' } | { kind: 'name-taken' } | NotFound | Invalid;

export function createCustomer(
  deps: AccountsDeps,
  options: { name: string; plan: string },
  actor: Actor,
): Promise<{ kind: 'created'; customer: Customer } | { kind: 'name-taken' } | Invalid> {
  return deps.db.transaction((tx) => createCustomerInTransaction(tx, deps, options, actor));
}

/** Like `createCustomer`, but runs inside the caller's transaction. */
export async function createCustomerInTransaction(
  tx: Transaction,
  deps: Pick<AccountsDeps, 'clock' | 'random'>,
  options: { name: string; plan: string },
  actor: Actor,
): Promise<{ kind: 'created'; customer: Customer } | { kind: 'name-taken' } | Invalid> {
  const name = parseName(options.name);
  if (name === null) return BAD_NAME;
  const plan = await findPlan(tx, options.plan);
  if (plan === null) return NO_PLAN;
  const at = deps.clock.now();
  const customer = {
    id: generateId('cus', deps.random),
    name,
    plan,
    createdAt: at,
    suspendedAt: null,
  };
  if (!(await insertCustomer(tx, { ...customer, plan: plan.name }))) return { kind: 'name-taken' };
  await recordAuditEvent(tx, {
    actor,
    at,
    action: 'customer.create',
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
  actor: Actor,
): Promise<ChangedCustomer> {
  const name = parseName(options.name);
  if (name === null) return BAD_NAME;
  try {
    return await change(deps, actor, { ...options, action: 'customer.rename', change: { name } });
  } catch (error) {
    if (sqlState(error) === '23505') return { kind: 'name-taken' };
    throw error;
  }
}

/** Moves a customer to a different plan, effective from the next request. */
export async function changeCustomerPlan(
  deps: AccountsDeps,
  options: { customerId: string; plan: string },
  actor: Actor,
): Promise<ChangedCustomer> {
  const { plan } = options;
  if ((await findPlan(deps.db, plan)) === null) return NO_PLAN;
  return change(deps, actor, { ...options, action: 'customer.plan', change: { plan } });
}

/** Suspends a customer: all of its keys are rejected until it is resumed. */
export function suspendCustomer(
  deps: AccountsDeps,
  customerId: string,
  actor: Actor,
): Promise<ChangedCustomer> {
  const suspendedAt = deps.clock.now();
  return change(deps, actor, { customerId, action: 'customer.suspend', change: { suspendedAt } });
}

export function resumeCustomer(
  deps: AccountsDeps,
  customerId: string,
  actor: Actor,
): Promise<ChangedCustomer> {
  const suspendedAt = null;
  return change(deps, actor, { customerId, action: 'customer.resume', change: { suspendedAt } });
}

function change(
  deps: AccountsDeps,
  actor: Actor,
  options: {
    customerId: string;
    action: AuditAction;
    change: Parameters<typeof updateCustomer>[2];
  },
): Promise<ChangedCustomer> {
  const { customerId, action } = options;
  return deps.db.transaction(async (tx) => {
    const current = await findCustomer(tx, customerId);
    if (current === null || !(await updateCustomer(tx, customerId, options.change)))
      return notFound;
    const { name, plan } = options.change;
    await recordAuditEvent(tx, {
      actor,
      at: deps.clock.now(),
      action,
      subject: customerId,
      customerId,
      details: {
        ...(name === undefined
          ? {}
          : {
              before: current.name,
              after: name,
            }),
        ...(plan === undefined
          ? {}
          : {
              before: current.plan.name,
              after: plan,
            }),
      },
    });
    return { kind: 'changed' };
  });
}

const BAD_NAME = invalid('name', 'a customer name has 1 to 200 characters');
const NO_PLAN = invalid('plan', 'there is no plan with this name');
