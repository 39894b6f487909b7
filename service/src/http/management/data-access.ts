import { findCustomer } from '../../accounts/customers/customer-store.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { HistoryLimit } from '../response/explorer.ts';
import { earliestVisibleDate } from '../response/resolved-query.ts';
import { signedInPerson } from './caller.ts';
import { reject, rejectNotFound, rejectTooMany } from './refusals.ts';
import type { Call, CallResult } from './route.ts';

/** History limit for operators who do not specify a customer. */
const FULL_ACCESS: HistoryLimit = { name: 'operator', historyMonths: null };

/**
 * Counts a data query toward the caller's limit and returns the history limit of the plan. Rejects
 * people whose customer is suspended, just like the customer's API keys.
 */
export async function dataAccessOf(
  call: Pick<Call, 'caller' | 'customerId' | 'deps'>,
): Promise<HistoryLimit | { rejected: CallResult }> {
  const { deps, customerId } = call;
  const { person } = signedInPerson(call);
  const retryAfterSeconds = deps.dataViewLimit.consume(person.id);
  if (retryAfterSeconds > 0) return { rejected: rejectTooMany({ retryAfterSeconds }) };
  if (customerId === '') return FULL_ACCESS;
  const customer = await findCustomer(deps.db, customerId);
  if (customer === null) return { rejected: rejectNotFound() };
  if (customer.suspendedAt !== null && person.role !== 'operator') {
    const detail = 'Data is unavailable while the account is suspended.';
    return { rejected: reject('customer-suspended', detail) };
  }
  return customer.plan;
}

/** Returns the first visible day, or null if all history is visible. */
export function historyStart({ historyMonths }: HistoryLimit, now: number): LocalDate | null {
  return historyMonths === null ? null : earliestVisibleDate(historyMonths, now);
}
