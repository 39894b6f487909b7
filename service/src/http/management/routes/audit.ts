import { auditAnswer, auditPage, auditQuery } from '../audit-view.ts';
import { defineRoute, type RouteGroup } from '../route.ts';

const ofAccount = defineRoute({
  name: 'audit-list',
  method: 'GET',
  path: '/account/v1/audit',
  summary: 'List audit events of the account',
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
  summary: 'List audit events of all customers',
  access: 'system-audit.read',
  query: auditQuery,
  status: 200,
  response: auditPage,
  handle: ({ deps, query }) => auditAnswer(deps.db, null, query),
});

export const group: RouteGroup = {
  name: 'audit',
  describe:
    'A record of every administrative action, written in the same transaction as the change.',
  routes: [ofAccount, ofService],
};
