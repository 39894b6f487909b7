import { Type } from 'typebox';
import { findCustomer, listCustomers } from '../../../accounts/customers/customer-store.ts';
import {
  changeCustomerPlan,
  createCustomer,
  resumeCustomer,
  suspendCustomer,
} from '../../../accounts/customers/customers.ts';
import { list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { deleteCustomerWithData } from '../../../webhooks/delete-customer.ts';
import { accountSchema, accountView } from '../account-view.ts';
import { commonRejection, reject, rejectNotFound, unexpectedOutcome } from '../refusals.ts';
import { type Call, defineRoute, done, type CallResult, type RouteGroup } from '../route.ts';
import { nameText } from '../described-text.ts';

const PATH = '/operator/v1/customers';
const CUSTOMER_PATH = `${PATH}/{customerId}`;
const NAME = nameText('Name of the customer.');

const listRoute = defineRoute({
  name: 'customers-list',
  method: 'GET',
  path: PATH,
  summary: 'List customers',
  access: 'customers.list',
  query: Type.Object({
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only customers whose name contains this text.' }),
    ),
    after: Type.Optional(
      Type.String({ maxLength: 200, description: 'The `next` value of the previous page.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Page size; 50 by default.',
      }),
    ),
  }),
  status: 200,
  response: named('CustomerPage', {
    customers: list(accountSchema, 'Ordered by name.'),
    next: nullable(text('Pass as `after` to get the next page; null on the last page.')),
  }),
  async handle({ deps, query, now }) {
    const { limit = 50, ...filters } = query;
    const rows = await listCustomers(deps.db, { ...filters, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const customers = await Promise.all(
      page.map((customer) => accountView(deps.db, customer, now)),
    );
    return done({ customers, next: rows.length > limit ? (page.at(-1)?.name ?? null) : null });
  },
});

const readRoute = defineRoute({
  name: 'customers-read',
  method: 'GET',
  path: CUSTOMER_PATH,
  summary: 'Retrieve a customer',
  describe:
    'Keys, people, usage and requests of the customer are under `/account/v1`, with ' +
    '`customerId` in the query.',
  access: 'customers.list',
  status: 200,
  response: accountSchema,
  async handle(call) {
    const customer = await findCustomer(call.deps.db, call.param('customerId'));
    if (customer === null) return rejectNotFound();
    return done(await accountView(call.deps.db, customer, call.now));
  },
});

const createRoute = defineRoute({
  name: 'customers-create',
  method: 'POST',
  path: PATH,
  summary: 'Create a customer',
  describe: 'Next, invite the owner with `POST /account/v1/invitations?customerId=`.',
  access: 'customer.create',
  body: Type.Object({ name: NAME, plan: Type.String() }),
  status: 201,
  response: accountSchema,
  async handle({ deps, body, actor, now }) {
    const outcome = await createCustomer(deps, body, actor);
    if (outcome.kind === 'name-taken')
      return reject('conflict', 'A customer with this name already exists.');
    if (outcome.kind !== 'created') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
    return done(await accountView(deps.db, outcome.customer, now));
  },
});

const planRoute = defineRoute({
  name: 'customers-change-plan',
  method: 'PUT',
  path: `${CUSTOMER_PATH}/plan`,
  summary: "Change a customer's plan",
  describe:
    'Takes effect with the next request. If a quota becomes smaller, its usage restarts from zero.',
  access: 'customer.plan',
  body: Type.Object({ plan: Type.String() }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, body, actor } = call;
    const change = { customerId: call.param('customerId'), plan: body.plan };
    return finishChange(call, await changeCustomerPlan(deps, change, actor));
  },
});

const suspendRoute = defineRoute({
  name: 'customers-suspend',
  method: 'POST',
  path: `${CUSTOMER_PATH}/suspend`,
  summary: 'Suspend a customer',
  access: 'customer.suspend',
  status: 204,
  response: null,
  async handle(call) {
    return finishChange(
      call,
      await suspendCustomer(call.deps, call.param('customerId'), call.actor),
    );
  },
});

const resumeRoute = defineRoute({
  name: 'customers-resume',
  method: 'POST',
  path: `${CUSTOMER_PATH}/resume`,
  summary: 'Reactivate a suspended customer',
  access: 'customer.suspend',
  status: 204,
  response: null,
  async handle(call) {
    return finishChange(
      call,
      await resumeCustomer(call.deps, call.param('customerId'), call.actor),
    );
  },
});

const deleteRoute = defineRoute({
  name: 'customers-delete',
  method: 'DELETE',
  path: CUSTOMER_PATH,
  summary: 'Delete a customer',
  describe:
    'Permanently deletes the customer. Its API keys are revoked, its people removed, its ' +
    'webhook endpoints deleted, and its usage and request log erased.',
  access: 'customer.delete',
  status: 204,
  response: null,
  async handle(call) {
    const customerId = call.param('customerId');
    const outcome = await deleteCustomerWithData(call.deps, customerId, call.actor);
    if (outcome.kind === 'not-found') return rejectNotFound();
    await call.deps.refreshKeys();
    return done();
  },
});

async function finishChange(call: Call, outcome: { kind: string }): Promise<CallResult> {
  if (outcome.kind !== 'changed') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
  await call.deps.refreshKeys();
  return done();
}

export const group: RouteGroup = {
  name: 'customers',
  describe: 'Customers with their plans. Operators create, suspend and delete them.',
  routes: [listRoute, createRoute, readRoute, planRoute, suspendRoute, resumeRoute, deleteRoute],
};
