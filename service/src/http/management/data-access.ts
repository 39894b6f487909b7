import { findCustomer } from '../../accounts/customers/customer-store.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { HistoryLimit } from '../response/explorer.ts';
import { earliestVisibleDate } from '../response/resolved-query.ts';
import { reject, rejectNotFound, rejectTooMany } from './refusals.ts';
import type { Call, CallResult } from './route.ts';
import { signedIn } from './signed-in.ts';

/** Operators who name no customer see everything. */
const FULL_ACCESS: HistoryLimit = { name: 'operator', historyMonths: null };

/**
 * Takes one look at data from the caller's minute, and says how much they may see: what the plan of
 * the account sees. People of a suspended account see as little as its keys.
 */
export async function dataAccessOf(
  call: Pick<Call, 'caller' | 'customerId' | 'deps'>,
): Promise<HistoryLimit | { rejected: CallResult }> {
  const { deps, customerId } = call;
  const { person } = signedIn(call);
  const retryAfterSeconds = deps.dataViewLimit.take(person.id);
  if (retryAfterSeconds > 0) return { rejected: rejectTooMany({ retryAfterSeconds }) };
  if (customerId === '') return FULL_ACCESS;
  const customer = await findCustomer(deps.db, customerId);
  if (customer === null) return { rejected: rejectNotFound() };
  if (customer.suspendedAt !== null && person.role !== 'operator') {
    return { rejected: reject('customer-suspended', 'Data are shown again once it is lifted.') };
  }
  return customer.plan;
}

/** The first day of history to be seen; null is all of it. */
export function historyStart({ historyMonths }: HistoryLimit, now: number): LocalDate | null {
  return historyMonths === null ? null : earliestVisibleDate(historyMonths, now);
}
