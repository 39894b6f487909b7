import { auditAnswer, auditPage, auditQuery } from '../audit-view.ts';
import { defineRoute, type RouteGroup } from '../route.ts';

const ofAccount = defineRoute({
  name: 'audit-list',
  method: 'GET',
  path: '/account/v1/audit',
  summary: 'What was done in the account, and by whom',
  access: 'audit.read',
  query: auditQuery,
  status: 200,
  response: auditPage,
  handle: ({ deps, customerId, query }) => auditAnswer(deps.db, customerId, query),
});

const ofService = defineRoute({
  name: 'system-audit-list',
  method: 'GET',
  path: '/operator/v1/audit',
  summary: 'What was done in the whole service',
  access: 'system-audit.read',
  query: auditQuery,
  status: 200,
  response: auditPage,
  handle: ({ deps, query }) => auditAnswer(deps.db, null, query),
});

export const group: RouteGroup = {
  name: 'audit',
  describe: 'Every administrative act leaves a line, in the same commit as the act.',
  routes: [ofAccount, ofService],
};
