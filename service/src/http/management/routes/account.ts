import { Type } from 'typebox';
import { findCustomer } from '../../../accounts/customers/customer-store.ts';
import { renameCustomer } from '../../../accounts/customers/customers.ts';
import { accountSchema, accountView } from '../account-view.ts';
import { commonRejection, reject, rejectNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { nameText } from '../described-text.ts';

const readRoute = defineRoute({
  name: 'account-read',
  method: 'GET',
  path: '/account/v1/account',
  summary: 'Retrieve the account',
  access: 'customer.read',
  status: 200,
  response: accountSchema,
  async handle({ deps, customerId, now }) {
    const customer = await findCustomer(deps.db, customerId);
    if (customer === null) return rejectNotFound();
    return done(await accountView(deps.db, customer, now));
  },
});

const renameRoute = defineRoute({
  name: 'account-rename',
  method: 'PATCH',
  path: '/account/v1/account',
  summary: 'Rename the account',
  access: 'customer.rename',
  body: Type.Object({ name: nameText('Name of the account.') }),
  status: 204,
  response: null,
  async handle({ deps, customerId, body, actor }) {
    const outcome = await renameCustomer(deps, { customerId, name: body.name }, actor);
    if (outcome.kind === 'name-taken') {
      return reject('conflict', 'An account with this name already exists. Choose another name.');
    }
    return commonRejection(outcome) ?? done();
  },
});

export const group: RouteGroup = {
  name: 'account',
  describe: 'The customer account with its plan and quota usage.',
  routes: [readRoute, renameRoute],
};
