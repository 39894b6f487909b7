import type { Command } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import { type Customer, listCustomers } from '../../accounts/customers/customer-store.ts';
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
import {
  expectKind,
  loadAllPages,
  requireCustomer,
  withAccounts,
  withNewAccounts,
} from '../accounts/account-command.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addJsonOption } from '../options.ts';
import { formatInstantOrNull, printRows } from '../print-rows.ts';

export const command: CliCommand = customersCommand(systemRandom());

export function customersCommand(random: Random): CliCommand {
  return {
    name: 'customers',
    add(program, context) {
      const customers = program.command('customers').description('Manage customers');
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
    .description('List customers by name')
    .option('--search <text>', 'Only customers whose name contains this text');
  addJsonOption(list).action(({ search = '', json }: { search?: string; json?: boolean }) =>
    withAccounts(context, random, async ({ db }) => {
      const customerRecords = await loadAllPages<Customer>(({ after, limit }) =>
        listCustomers(db, { search, after: after?.name ?? '', limit }),
      );
      const rows = customerRecords.map((customer) => ({
        id: customer.id,
        name: customer.name,
        plan: customer.plan.name,
        createdAt: formatInstantOrNull(customer.createdAt),
        suspendedAt: formatInstantOrNull(customer.suspendedAt),
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
    .description('Create a customer and print its ID')
    .option('--plan <plan>', 'Plan of the customer', 'free')
    .action((name: string, { plan }: { plan: string }) =>
      withNewAccounts(context, random, async (deps) => {
        const outcome = await createCustomer(deps, { name, plan }, COMMAND_LINE);
        const { customer } = expectKind(outcome, 'created', NAME_TAKEN);
        context.stdout(`${customer.id}\n`);
      }),
    );
}

function addChanges(customers: Command, context: CliContext, random: Random): void {
  customers
    .command('rename <customer> <name>')
    .description('Rename a customer')
    .action((idOrName: string, name: string) =>
      withCustomer({ context, random, idOrName }, async (deps, customer) => {
        const change = { customerId: customer.id, name };
        expectKind(await renameCustomer(deps, change, COMMAND_LINE), 'changed', NAME_TAKEN);
        return `Renamed ${labelOf(customer)} to ${name}`;
      }),
    );
  customers
    .command('plan <customer> <plan>')
    .description('Move a customer to another plan, effective from its next request')
    .action((idOrName: string, plan: string) =>
      withCustomer({ context, random, idOrName }, async (deps, customer) => {
        const change = { customerId: customer.id, plan };
        expectKind(await changeCustomerPlan(deps, change, COMMAND_LINE), 'changed');
        return `Moved ${labelOf(customer)} to plan ${plan}`;
      }),
    );
  customers
    .command('suspend <customer>')
    .description('Reject all API keys of a customer until it is resumed')
    .action((idOrName: string) =>
      withCustomer({ context, random, idOrName }, async (deps, customer) => {
        expectKind(await suspendCustomer(deps, customer.id, COMMAND_LINE), 'changed');
        return `Suspended ${labelOf(customer)}`;
      }),
    );
  customers
    .command('resume <customer>')
    .description('Accept the API keys of a suspended customer again')
    .action((idOrName: string) =>
      withCustomer({ context, random, idOrName }, async (deps, customer) => {
        expectKind(await resumeCustomer(deps, customer.id, COMMAND_LINE), 'changed');
        return `Resumed ${labelOf(customer)}`;
      }),
    );
}

function addDelete(customers: Command, context: CliContext, random: Random): void {
  customers
    .command('delete <customer>')
    .description('Permanently delete a customer with its API keys and users')
    .option('--yes', 'Confirm the deletion')
    .action((idOrName: string, { yes }: { yes?: boolean }) =>
      withCustomer({ context, random, idOrName }, async (deps, customer) => {
        if (yes !== true) {
          throw new CliError(`this permanently deletes ${customer.name}; confirm with --yes`);
        }
        const outcome = await deleteCustomerWithData(deps, customer.id, COMMAND_LINE);
        const { keysRevoked } = expectKind(outcome, 'deleted');
        return `Deleted ${labelOf(customer)}; ${keysRevoked} API keys revoked`;
      }),
    );
}

const NAME_TAKEN = { 'name-taken': 'another customer already has this name' };

/** Runs `work` on a customer and prints the message it returns. */
function withCustomer(
  { context, random, idOrName }: { context: CliContext; random: Random; idOrName: string },
  work: (deps: AccountsDeps, customer: Customer) => Promise<string>,
): Promise<void> {
  return withAccounts(context, random, async (deps) => {
    const customer = await requireCustomer(deps.db, idOrName);
    context.stderr(`${await work(deps, customer)}\n`);
  });
}

function labelOf({ name, id }: Customer): string {
  return `${name} (${id})`;
}
