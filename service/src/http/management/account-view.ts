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
import { loadQuotaUsage } from '../../metering/quota-usage.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { earliestVisibleDate } from '../response/resolved-query.ts';
import { formatOptional } from './instants.ts';

export const planSchema = named('Plan', {
  name: text('Name of the plan.'),
  perMinute: integer('Requests allowed in any 60 seconds.'),
  perDay: nullable(integer('Requests allowed per New York day; null for no limit.')),
  perMonth: nullable(integer('Requests allowed per New York month; null for no limit.')),
  historyMonths: nullable(integer('Months of history included in the plan; null for all history.')),
  computeMsPerMinute: nullable(
    integer(
      'Milliseconds per minute for computing responses that no cache has, in each process; null ' +
        'for no limit.',
    ),
  ),
  watchlistsMax: integer('Maximum number of watchlists.'),
  watchlistCompaniesMax: integer('Maximum number of companies on a watchlist.'),
});

const quota = named('Quota', {
  window: choice(['day', 'month'], 'Quota period: a New York calendar day or month.'),
  limit: integer('Requests allowed in the period.'),
  used: integer('Requests used so far.'),
  resetAt: instant('Time the quota resets, at New York midnight.'),
});

export const accountSchema = named('Account', {
  id: text('Customer ID, `cus_…`.'),
  name: text('Customer name.'),
  plan: planSchema,
  state: choice(['active', 'suspended'], 'API keys of a suspended account are rejected.'),
  createdAt: instant('Time of creation.'),
  suspendedAt: nullable(instant('Time of suspension; null if active.')),
  quotas: list(quota, 'Daily and monthly quotas of the plan. Usage per minute is not stored.'),
  historyFrom: nullable(date('First day of history included in the plan; null for all history.')),
});

/** Returns the public representation of a customer, including quota usage. */
export async function accountView(
  db: Queryable,
  customer: Customer,
  now: Instant,
): Promise<BodyOf<typeof accountSchema>> {
  const { id, name, plan, createdAt, suspendedAt } = customer;
  const { historyMonths } = plan;
  const quotas = await loadQuotaUsage(db, { customerId: id, plan, now });
  return {
    id,
    name,
    plan,
    state: suspendedAt === null ? 'active' : 'suspended',
    createdAt: formatInstant(createdAt),
    suspendedAt: formatOptional(suspendedAt),
    quotas: quotas.map((each) => ({ ...each, resetAt: formatInstant(each.resetAt) })),
    historyFrom: historyMonths === null ? null : earliestVisibleDate(historyMonths, now),
  };
}
