import { Type } from 'typebox';
import { findCustomer, listCustomers } from '../../../accounts/customers/customer-store.ts';
import {
  changeCustomerPlan,
  createCustomer,
  resumeCustomer,
  suspendCustomer,
} from '../../../accounts/customers/customers.ts';
import { deleteCustomer } from '../../../accounts/customers/delete-customer.ts';
import { list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { accountSchema, accountView } from '../account-view.ts';
import { forgetAllOf } from '../forget-all-of.ts';
import { commonRefusal, refused, refusedNotFound, unexpected } from '../refusals.ts';
import { type Call, defineRoute, done, type Outcome, type RouteGroup } from '../route.ts';

const PATH = '/operator/v1/customers';
const ONE = `${PATH}/{customerId}`;
const NAME = Type.String({ maxLength: 200 });

const listRoute = defineRoute({
  name: 'customers-list',
  method: 'GET',
  path: PATH,
  summary: 'Customers, a page by name',
  access: 'customers.list',
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'A part of the name.',
      }),
    ),
    after: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The `next` of a page.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Of a page; 50 unless given.',
      }),
    ),
  }),
  status: 200,
  response: named('CustomerPage', {
    customers: list(accountSchema, 'By name.'),
    next: nullable(text('Give it as `after` for the next page; null: no more.')),
  }),
  async handle({ deps, query, now }) {
    const { limit = 50, ...rest } = query;
    const found = await listCustomers(deps.db, {
      ...rest,
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const customers = await Promise.all(page.map((each) => accountView(deps.db, each, now)));
    return done({
      customers,
      next: found.length > limit ? (page.at(-1)?.name ?? null) : null,
    });
  },
});

const readRoute = defineRoute({
  name: 'customers-read',
  method: 'GET',
  path: ONE,
  summary: 'A customer',
  describe: 'Its keys, people, usage and requests are under `/account/v1`, with `customerId`.',
  access: 'customers.list',
  status: 200,
  response: accountSchema,
  async handle(call) {
    const customer = await findCustomer(call.deps.db, call.param('customerId'));
    if (customer === null) return refusedNotFound();
    return done(await accountView(call.deps.db, customer, call.now));
  },
});

const createRoute = defineRoute({
  name: 'customers-create',
  method: 'POST',
  path: PATH,
  summary: 'Add a customer',
  describe: 'Then invite its owner with `POST /account/v1/invitations?customerId=`.',
  access: 'customer.create',
  body: Type.Object({
    name: NAME,
    plan: Type.String(),
  }),
  status: 201,
  response: accountSchema,
  async handle({ deps, body, by, now }) {
    const outcome = await createCustomer(deps, body, by);
    if (outcome.kind === 'name-taken') return refused('conflict', 'There is one of this name.');
    if (outcome.kind !== 'created') return commonRefusal(outcome) ?? unexpected(outcome);
    return done(await accountView(deps.db, outcome.customer, now));
  },
});

const planRoute = defineRoute({
  name: 'customers-change-plan',
  method: 'PUT',
  path: `${ONE}/plan`,
  summary: 'Move a customer to another plan',
  describe: 'It holds from the next request on; a quota that shrinks starts from zero then.',
  access: 'customer.plan',
  body: Type.Object({ plan: Type.String() }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, body, by } = call;
    const change = {
      customerId: call.param('customerId'),
      plan: body.plan,
    };
    return changed(call, await changeCustomerPlan(deps, change, by));
  },
});

const suspendRoute = defineRoute({
  name: 'customers-suspend',
  method: 'POST',
  path: `${ONE}/suspend`,
  summary: 'Refuse all keys of a customer',
  access: 'customer.suspend',
  status: 204,
  response: null,
  async handle(call) {
    return changed(call, await suspendCustomer(call.deps, call.param('customerId'), call.by));
  },
});

const resumeRoute = defineRoute({
  name: 'customers-resume',
  method: 'POST',
  path: `${ONE}/resume`,
  summary: 'Take the keys of a suspended customer again',
  access: 'customer.suspend',
  status: 204,
  response: null,
  async handle(call) {
    return changed(call, await resumeCustomer(call.deps, call.param('customerId'), call.by));
  },
});

const deleteRoute = defineRoute({
  name: 'customers-delete',
  method: 'DELETE',
  path: ONE,
  summary: 'Delete a customer',
  describe: 'For good: keys end, people are taken out, counts and requests are forgotten.',
  access: 'customer.delete',
  status: 204,
  response: null,
  async handle(call) {
    const customerId = call.param('customerId');
    const outcome = await deleteCustomer(call.deps, customerId, call.by, forgetAllOf);
    if (outcome.kind === 'not-found') return refusedNotFound();
    await call.deps.refreshKeys();
    return done();
  },
});

async function changed(call: Call, outcome: { kind: string }): Promise<Outcome> {
  if (outcome.kind !== 'changed') return commonRefusal(outcome) ?? unexpected(outcome);
  await call.deps.refreshKeys();
  return done();
}

export const group: RouteGroup = {
  name: 'customers',
  describe: 'Everybody who has keys.',
  routes: [listRoute, createRoute, readRoute, planRoute, suspendRoute, resumeRoute, deleteRoute],
};
