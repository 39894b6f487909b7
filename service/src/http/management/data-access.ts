import { findCustomer } from '../../accounts/customers/customer-store.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { HistoryLimit } from '../response/explorer.ts';
import { earliestVisibleDate } from '../response/resolved-query.ts';
import { refused, refusedNotFound, refusedTooMany } from './refusals.ts';
import type { Call, Outcome } from './route.ts';
import { signedIn } from './signed-in.ts';

/** Operators who name no customer see everything. */
const EVERYTHING: HistoryLimit = { name: 'operator', historyMonths: null };

/**
 * Takes one look at data from the caller's minute, and says how much they may see: what the plan of
 * the account sees. People of a suspended account see as little as its keys.
 */
export async function sightOf(
  call: Pick<Call, 'caller' | 'customerId' | 'deps'>,
): Promise<HistoryLimit | { refused: Outcome }> {
  const { deps, customerId } = call;
  const { person } = signedIn(call);
  const retryAfterSeconds = deps.looks.take(person.id);
  if (retryAfterSeconds > 0) return { refused: refusedTooMany({ retryAfterSeconds }) };
  if (customerId === '') return EVERYTHING;
  const customer = await findCustomer(deps.db, customerId);
  if (customer === null) return { refused: refusedNotFound() };
  if (customer.suspendedAt !== null && person.role !== 'operator') {
    return { refused: refused('customer-suspended', 'Data are shown again once it is lifted.') };
  }
  return customer.plan;
}

/** The first day of history to be seen; null is all of it. */
export function firstDayOf({ historyMonths }: HistoryLimit, now: number): LocalDate | null {
  return historyMonths === null ? null : earliestVisibleDate(historyMonths, now);
}
