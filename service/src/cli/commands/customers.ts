import type { Command } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import {
  type Customer,
  findCustomer,
  findCustomerByName,
  listCustomers,
} from '../../accounts/customers/customer-store.ts';
import {
  changeCustomerPlan,
  createCustomer,
  renameCustomer,
  resumeCustomer,
  suspendCustomer,
} from '../../accounts/customers/customers.ts';
import type { AccountsDeps } from '../../accounts/deps.ts';
import { deleteCustomerWithData } from '../../webhooks/delete-customer.ts';
import { type Random, systemRandom } from '../../platform/random.ts';
import type { Queryable } from '../../storage/db.ts';
import {
  addJsonOption,
  expectKind,
  printRows,
  shownInstant,
  withAccounts,
  withFirstAccounts,
} from '../accounts/account-command.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';

const PAGE_ROWS = 1_000;

export const command: CliCommand = customersCommand(systemRandom());

/** Those who have keys and a plan. */
export function customersCommand(random: Random): CliCommand {
  return {
    name: 'customers',
    add(program, context) {
      const customers = program.command('customers').description('Those who have keys and a plan.');
      addList(customers, context, random);
      addCreate(customers, context, random);
      addChanges(customers, context, random);
      addDelete(customers, context, random);
    },
  };
}

function addList(customers: Command, context: CliContext, random: Random): void {
  const list = customers
    .command('list')
    .description('Customers by name.')
    .option('--search <text>', 'only those whose name contains it');
  addJsonOption(list).action(({ search, json }: { search?: string; json?: boolean }) =>
    withAccounts(context, random, async ({ db }) => {
      const rows = (await loadAll(db, search ?? '')).map((customer) => ({
        id: customer.id,
        name: customer.name,
        plan: customer.plan.name,
        createdAt: shownInstant(customer.createdAt),
        suspendedAt: shownInstant(customer.suspendedAt),
      }));
      printRows(context, rows, {
        json,
        columns: {
          ID: (row) => row.id,
          PLAN: (row) => row.plan,
          STATE: (row) => (row.suspendedAt === null ? 'active' : 'suspended'),
          CREATED: (row) => row.createdAt,
          NAME: (row) => row.name,
        },
      });
    }),
  );
}

function addCreate(customers: Command, context: CliContext, random: Random): void {
  customers
    .command('create <name>')
    .description('Add a customer and print its id.')
    .option('--plan <plan>', 'what it may use', 'free')
    .action((name: string, { plan }: { plan: string }) =>
      withFirstAccounts(context, random, async (deps) => {
        const created = await createCustomer(deps, { name, plan }, COMMAND_LINE);
        const { customer } = expectKind(created, 'created', TAKEN);
        context.stdout(`${customer.id}\n`);
      }),
    );
}

function addChanges(customers: Command, context: CliContext, random: Random): void {
  customers
    .command('rename <customer> <name>')
    .description('Give a customer another name.')
    .action((customer: string, name: string) =>
      withCustomer(context, random, customer, async (deps, { id: customerId }) => {
        const outcome = await renameCustomer(deps, { customerId, name }, COMMAND_LINE);
        expectKind(outcome, 'changed', TAKEN);
        return `is named ${name}`;
      }),
    );
  customers
    .command('plan <customer> <plan>')
    .description('Move a customer to another plan: it holds from its next request on.')
    .action((customer: string, plan: string) =>
      withCustomer(context, random, customer, async (deps, { id: customerId }) => {
        expectKind(await changeCustomerPlan(deps, { customerId, plan }, COMMAND_LINE), 'changed');
        return `is on plan ${plan}`;
      }),
    );
  customers
    .command('suspend <customer>')
    .description('Refuse all its keys until it is resumed.')
    .action((customer: string) =>
      withCustomer(context, random, customer, async (deps, { id }) => {
        expectKind(await suspendCustomer(deps, id, COMMAND_LINE), 'changed');
        return 'is suspended';
      }),
    );
  customers
    .command('resume <customer>')
    .description('Accept its keys again.')
    .action((customer: string) =>
      withCustomer(context, random, customer, async (deps, { id }) => {
        expectKind(await resumeCustomer(deps, id, COMMAND_LINE), 'changed');
        return 'is resumed';
      }),
    );
}

function addDelete(customers: Command, context: CliContext, random: Random): void {
  customers
    .command('delete <customer>')
    .description('Revoke its keys and take out its people, for good.')
    .option('--yes', 'say that you mean it')
    .action((customer: string, { yes }: { yes?: boolean }) =>
      withCustomer(context, random, customer, async (deps, { id, name }) => {
        if (yes !== true) {
          throw new CliError(`this ends ${name} for good: say so with --yes`);
        }
        const deleted = await deleteCustomerWithData(deps, id, COMMAND_LINE);
        const { keysRevoked } = expectKind(deleted, 'deleted');
        return `is deleted, ${keysRevoked} keys revoked`;
      }),
    );
}

const TAKEN = { 'name-taken': 'another customer has that name' };

/** Runs work on a customer named by id or name, and says what was done. */
function withCustomer(
  context: CliContext,
  random: Random,
  named: string,
  work: (deps: AccountsDeps, customer: Customer) => Promise<string>,
): Promise<void> {
  return withAccounts(context, random, async (deps) => {
    const found =
      (await findCustomer(deps.db, named)) ?? (await findCustomerByName(deps.db, named));
    if (found === null) throw new CliError(`no customer has the id or name ${named}`);
    context.stderr(`${found.name} (${found.id}) ${await work(deps, found)}\n`);
  });
}

async function loadAll(db: Queryable, search: string): Promise<Customer[]> {
  const all: Customer[] = [];
  for (;;) {
    const after = all.at(-1)?.name ?? '';
    const page = await listCustomers(db, { search, after, limit: PAGE_ROWS });
    all.push(...page);
    if (page.length < PAGE_ROWS) return all;
  }
}
