import { findCustomer } from '../../accounts/customers/customer-store.ts';
import type { ReadLimits } from '../../domain/plan.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { HistoryLimit } from '../response/explorer.ts';
import { earliestVisibleDate } from '../response/resolved-query.ts';
import { signedInPerson } from './caller.ts';
import { reject, rejectNotFound, rejectTooMany } from './refusals.ts';
import type { Call, CallResult } from './route.ts';

/** The data that a person may read, and the customer that pays for it. */
interface DataAccess {
  limit: HistoryLimit;
  /** The customer whose quotas count the responses; null for an operator. */
  payer: { customerId: string; plan: ReadLimits } | null;
  /** Key of the queue for computations. */
  queueKey: string;
}

/** History limit for operators who do not specify a customer. */
const FULL_ACCESS: HistoryLimit = { name: 'operator', historyMonths: null };

/**
 * Counts a data query toward the caller's limit and returns what the caller may read. Rejects
 * people whose customer is suspended, just like the customer's API keys.
 */
export async function dataAccessOf(
  call: Pick<Call, 'caller' | 'customerId' | 'deps'>,
): Promise<DataAccess | { rejected: CallResult }> {
  const { deps, customerId } = call;
  const { person } = signedInPerson(call);
  const retryAfterSeconds = deps.dataViewLimit.consume(person.id);
  if (retryAfterSeconds > 0) return { rejected: rejectTooMany({ retryAfterSeconds }) };
  const isOperator = person.role === 'operator';
  const queueKey = isOperator ? `operator ${person.id}` : customerId;
  if (customerId === '') return { limit: FULL_ACCESS, payer: null, queueKey };
  const customer = await findCustomer(deps.db, customerId);
  if (customer === null) return { rejected: rejectNotFound() };
  if (customer.suspendedAt !== null && !isOperator) {
    const detail = 'Data is unavailable while the account is suspended.';
    return { rejected: reject('customer-suspended', detail) };
  }
  const { plan } = customer;
  return { limit: plan, payer: isOperator ? null : { customerId, plan }, queueKey };
}

/** Returns the first visible day, or null if all history is visible. */
export function historyStart({ historyMonths }: HistoryLimit, now: number): LocalDate | null {
  return historyMonths === null ? null : earliestVisibleDate(historyMonths, now);
}
