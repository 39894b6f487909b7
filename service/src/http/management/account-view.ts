import type { Customer } from '../../accounts/customers/customer-store.ts';
import {
  type BodyOf,
  choice,
  date,
  instant,
  integer,
  list,
  named,
  nullable,
  text,
} from '../../endpoints/schema/fields.ts';
import { loadQuotaStates } from '../../metering/quota-usage.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { earliestVisibleDate } from '../response/resolved-query.ts';
import { shown } from './instants.ts';

export const planSchema = named('Plan', {
  name: text('What it is called.'),
  perMinute: integer('Requests in any 60 seconds.'),
  perDay: nullable(integer('Requests in a New York day; null is no limit.')),
  perMonth: nullable(integer('Requests in a New York month; null is no limit.')),
  historyMonths: nullable(integer('Months of history it sees; null is all.')),
});

const quota = named('Quota', {
  window: choice(['day', 'month'], 'A New York calendar day or month.'),
  limit: integer('Requests allowed in it.'),
  used: integer('Requests counted so far.'),
  resetAt: instant('The New York midnight at which it is whole again.'),
});

export const accountSchema = named('Account', {
  id: text('Id, `cus_…`.'),
  name: text('Name of the customer.'),
  plan: planSchema,
  state: choice(['active', 'suspended'], 'Keys of a suspended account are refused.'),
  createdAt: instant('When it was made.'),
  suspendedAt: nullable(instant('When it was suspended.')),
  quotas: list(quota, 'The quotas the plan has; the minute is counted in passing and not kept.'),
  historyFrom: nullable(date('First day of history the plan sees; null is all.')),
});

/** A customer as it is shown, with what it has used. */
export async function accountView(
  db: Queryable,
  customer: Customer,
  now: Instant,
): Promise<BodyOf<typeof accountSchema>> {
  const { id, name, plan, createdAt, suspendedAt } = customer;
  const { historyMonths } = plan;
  const quotas = await loadQuotaStates(db, { customerId: id, plan, now });
  return {
    id,
    name,
    plan,
    state: suspendedAt === null ? 'active' : 'suspended',
    createdAt: formatInstant(createdAt),
    suspendedAt: shown(suspendedAt),
    quotas: quotas.map((each) => ({
      ...each,
      resetAt: formatInstant(each.resetAt),
    })),
    historyFrom: historyMonths === null ? null : earliestVisibleDate(historyMonths, now),
  };
}
