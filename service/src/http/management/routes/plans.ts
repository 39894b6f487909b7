import { Type } from 'typebox';
import {
  addPlan,
  changePlan,
  COUNT_MAX,
  COMPUTE_MS_MAX,
  DEFAULT_LIMITS,
  HISTORY_MONTHS_MAX,
  PER_MINUTE_MAX,
  removePlan,
  WATCHLIST_COMPANIES_MAX,
  WATCHLISTS_MAX,
} from '../../../accounts/plans/plans.ts';
import { loadPlans } from '../../../accounts/plans/plan-store.ts';
import { list, nullable } from '../../../endpoints/schema/fields.ts';
import { planSchema } from '../account-view.ts';
import { commonRejection, reject, rejectNotFound, unexpectedOutcome } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { countNumber } from '../described-text.ts';

const ONE = '/operator/v1/plans/{plan}';

const listRoute = defineRoute({
  name: 'plans-list',
  method: 'GET',
  path: '/operator/v1/plans',
  summary: 'List plans',
  access: 'plans.read',
  status: 200,
  response: list(planSchema, 'Plans, smallest first.'),
  async handle({ deps }) {
    return done(await loadPlans(deps.db));
  },
});

const putRoute = defineRoute({
  name: 'plans-upsert',
  method: 'PUT',
  path: ONE,
  summary: 'Create or update a plan',
  describe:
    'Takes effect for customers on the plan with their next request. An omitted limit of ' +
    'computing time or of watchlists stays as it is. For a new plan, it is ' +
    `${DEFAULT_LIMITS.computeMsPerMinute} ms per minute, and ${DEFAULT_LIMITS.watchlistsMax} ` +
    `watchlists with ${DEFAULT_LIMITS.watchlistCompaniesMax} companies each. Existing ` +
    'watchlists above a limit are kept.',
  access: 'plans.change',
  body: Type.Object({
    perMinute: countNumber(PER_MINUTE_MAX),
    perDay: nullable(countNumber(COUNT_MAX)),
    perMonth: nullable(countNumber(COUNT_MAX)),
    historyMonths: nullable(countNumber(HISTORY_MONTHS_MAX)),
    computeMsPerMinute: Type.Optional(nullable(countNumber(COMPUTE_MS_MAX))),
    watchlistsMax: Type.Optional(countNumber(WATCHLISTS_MAX)),
    watchlistCompaniesMax: Type.Optional(countNumber(WATCHLIST_COMPANIES_MAX)),
  }),
  status: 200,
  response: planSchema,
  async handle(call) {
    const { deps, body, actor } = call;
    const change = { name: call.param('plan'), ...body };
    const added = await addPlan(deps, { ...DEFAULT_LIMITS, ...change }, actor);
    const outcome = added.kind === 'exists' ? await changePlan(deps, change, actor) : added;
    if (outcome.kind !== 'added' && outcome.kind !== 'changed') {
      return commonRejection(outcome) ?? unexpectedOutcome(outcome);
    }
    await deps.refreshKeys();
    return done(outcome.plan);
  },
});

const removeRoute = defineRoute({
  name: 'plans-remove',
  method: 'DELETE',
  path: ONE,
  summary: 'Delete a plan',
  access: 'plans.change',
  status: 204,
  response: null,
  async handle(call) {
    const outcome = await removePlan(call.deps, call.param('plan'), call.actor);
    if (outcome.kind === 'used')
      return reject('conflict', 'The plan cannot be deleted because customers are or were on it.');
    return outcome.kind === 'removed' ? done() : rejectNotFound();
  },
});

export const group: RouteGroup = {
  name: 'plans',
  describe: 'Plans with their quotas, and limits of history and watchlists.',
  routes: [listRoute, putRoute, removeRoute],
};
