import { beforeEach, describe, expect, test } from 'vitest';
import { addCustomer, TESTER } from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { seededRandom } from '../../platform/random.ts';
import { listAuditEvents } from '../audit-log.ts';
import { deleteCustomer } from '../customers/delete-customer.ts';
import type { AccountsDeps } from '../deps.ts';
import { findPlan, loadPlans } from './plan-store.ts';
import { addPlan, changePlan, removePlan } from './plans.ts';

const TEAM = {
  name: 'team',
  perMinute: 120,
  perDay: 5_000,
  perMonth: null,
  historyMonths: 60,
  computeMsPerMinute: 15_000,
  watchlistsMax: 20,
  watchlistCompaniesMax: 500,
};

describe('plans', () => {
  onEachEngine((db) => {
    let deps: AccountsDeps;
    beforeEach(() => {
      deps = { db: db(), clock: fakeClock(0), random: seededRandom(1) };
    });

    test('provides the Free and Pro plans from the start, as documented', async () => {
      expect(await loadPlans(db())).toEqual([
        {
          name: 'free',
          perMinute: 60,
          perDay: 100,
          perMonth: 1_000,
          historyMonths: 24,
          computeMsPerMinute: 10_000,
          watchlistsMax: 5,
          watchlistCompaniesMax: 100,
        },
        {
          name: 'pro',
          perMinute: 300,
          perDay: null,
          perMonth: null,
          historyMonths: null,
          computeMsPerMinute: 30_000,
          watchlistsMax: 50,
          watchlistCompaniesMax: 1_000,
        },
      ]);
    });

    test('lets operators add, change and remove plans, and records this in the audit log', async () => {
      expect(await addPlan(deps, TEAM, TESTER)).toEqual({ kind: 'added', plan: TEAM });
      expect(await addPlan(deps, TEAM, TESTER)).toEqual({ kind: 'exists' });
      const change = { name: 'team', perDay: null, historyMonths: 36, watchlistsMax: 30 };
      const plan = { ...TEAM, ...change };
      expect(await changePlan(deps, change, TESTER)).toEqual({ kind: 'changed', plan });
      expect(await findPlan(db(), 'team')).toEqual(plan);
      expect(await removePlan(deps, 'team', TESTER)).toEqual({ kind: 'removed' });
      expect(await findPlan(db(), 'team')).toBeNull();
      const actions = (await listAuditEvents(db(), { customerId: null, limit: 9 })).map(
        ({ action }) => action,
      );
      expect(actions).toEqual(['plan.remove', 'plan.change', 'plan.add']);
    });

    test('does not remove a plan that a customer is or was on', async () => {
      await addPlan(deps, TEAM, TESTER);
      const customerId = await addCustomer(deps, 'A', 'team');
      expect(await removePlan(deps, 'team', TESTER)).toEqual({ kind: 'used' });
      await deleteCustomer(deps, customerId, TESTER);
      expect(await removePlan(deps, 'team', TESTER)).toEqual({ kind: 'used' });
      expect(await findPlan(db(), 'team')).toEqual(TEAM);
      await db().query('delete from customer');
    });

    test('does not change or remove a plan that does not exist', async () => {
      expect(await changePlan(deps, TEAM, TESTER)).toEqual({ kind: 'not-found' });
      expect(await removePlan(deps, 'team', TESTER)).toEqual({ kind: 'not-found' });
    });

    test('rejects plans with invalid numbers or names', async () => {
      for (const [parameter, change] of [
        ['name', { name: 'Team' }],
        ['name', { name: 'team plan' }],
        ['name', { name: 't'.repeat(41) }],
        ['perMinute', { perMinute: 0 }],
        ['perMinute', { perMinute: 100_001 }],
        ['perMinute', { perMinute: 1.5 }],
        ['computeMsPerMinute', { computeMsPerMinute: 0 }],
        ['computeMsPerMinute', { computeMsPerMinute: 480_001 }],
        ['perDay', { perDay: 0 }],
        ['perMonth', { perMonth: Number.NaN }],
        ['perMonth', { perMonth: 3e9 }],
        ['historyMonths', { historyMonths: -1 }],
        ['watchlistsMax', { watchlistsMax: 0 }],
        ['watchlistCompaniesMax', { watchlistCompaniesMax: 1_001 }],
      ] as const) {
        const result = await addPlan(deps, { ...TEAM, ...change }, TESTER);
        expect(result).toMatchObject({ kind: 'invalid', parameter });
      }
      expect(await loadPlans(db())).toHaveLength(2);
    });
  });
});
